import { Button } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import type { ConferenceRow } from '@/api/types';
import { getExpedient } from '@/shared/conference/api';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Note } from '@/shared/ui/Note';
import classes from './VideocallForm.module.css';

interface KnownCaseProps {
  expedientNumber: string;
  /** Takes what is known of the case into the form's empty fields. */
  onTake: (known: ConferenceRow) => void;
  /** False when there is nothing left to take. */
  takes: (known: ConferenceRow) => boolean;
  /** The case whose data are taken without asking: its page led here. */
  wanted?: string;
}

/** Milliseconds without a key before the number is looked up. */
const PAUSE_MS = 400;

/** Under the case number: how many conferences it had already, the way to them, and their data for this one. */
export function KnownCase({ expedientNumber, onTake, takes, wanted }: KnownCaseProps) {
  const t = useT();
  const [number] = useDebouncedValue(expedientNumber.trim(), PAUSE_MS);
  const enabled = number.length > 2;
  const { data } = useQuery({ ...getExpedient(number), enabled });
  const before = data?.conferences.filter(({ erased }) => !erased) ?? [];
  const [newest] = before;
  const taken = useRef(false);
  useEffect(() => {
    if (!newest || wanted !== number || taken.current) return;
    taken.current = true;
    onTake(newest);
  });
  if (!newest || number !== expedientNumber.trim()) return null;
  return (
    <div className={classes.full}>
      <Note
        title={t('videocall.known', { count: before.length })}
        text={<Link to={paths.expedient(newest.expedientNumber)}>{t('conferences.openExpedient')}</Link>}
        action={
          takes(newest) && (
            <Button size="xs" variant="default" onClick={() => onTake(newest)}>
              {t('videocall.knownTake')}
            </Button>
          )
        }
      />
    </div>
  );
}
