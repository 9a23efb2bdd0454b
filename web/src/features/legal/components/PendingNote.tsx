import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { longDate } from '@/shared/lib/dates';
import { useRequiredSession } from '@/shared/session';
import { Note } from '@/shared/ui/Note';
import { legalPending } from '../api';
import { isNothing } from '../terms';
import { PendingDialog } from './PendingDialog';

/** On the company's page: new terms wait for an answer, or were declined and may still be accepted. */
export function PendingNote() {
  const t = useT();
  const language = useLanguage();
  const { user } = useRequiredSession();
  const [opened, setOpened] = useState(false);
  const { data } = useQuery({ ...legalPending, queryKey: [...legalPending.queryKey, user._id] });
  if (!data || isNothing(data)) return null;
  const close = () => setOpened(false);
  const text = data.declinedAt
    ? t('legal.noteDeclined', { date: longDate(data.declinedAt, language) })
    : t('legal.noteText');
  return (
    <>
      <Note
        tone="warn"
        title={t('legal.noteTitle')}
        text={text}
        action={
          <Button variant="default" size="xs" onClick={() => setOpened(true)}>
            {t('legal.review')}
          </Button>
        }
      />
      <PendingDialog pending={data} opened={opened} onLater={close} onAccepted={close} onDeclined={close} />
    </>
  );
}
