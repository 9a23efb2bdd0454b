import { useEffect, useState } from 'react';
import type { ConferenceRow } from '@/api/types';
import { useT } from '@/shared/i18n';
import { cancelledText, durationText, isOpen, runningSince } from '@/shared/lib/conferences';
import { clock } from '@/shared/lib/time';
import classes from './ConferenceTags.module.css';
import { Tag } from './Tag';

/** The present moment in ms since the epoch, told again every second while `running`. */
function useNow(running: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  return now;
}

type Timed = Pick<ConferenceRow, 'duration' | 'durationState' | 'closed' | 'expiredAt' | 'rooms'>;

/** The five duration displays, and a call that goes on with its running time. */
export function DurationTag({ row }: { row: Timed }) {
  const t = useT();
  const since = runningSince(row);
  const now = useNow(since !== null);
  if (since !== null && isOpen(row, new Date(now))) {
    return (
      <span className={`${classes.running} num`}>
        <span className={classes.dot} aria-hidden="true" />
        {t('conferences.inProgress')} · {clock(now - since)}
      </span>
    );
  }
  if (row.durationState === 'seconds') return <span className="num">{durationText(t, row)}</span>;
  const tone = { lessThanTen: 'warn', noSession: 'bad', pending: 'quiet', notExpired: 'quiet' } as const;
  const icon = { lessThanTen: 'warn', noSession: 'x', pending: 'clock', notExpired: 'clock' } as const;
  return (
    <Tag tone={tone[row.durationState]} icon={icon[row.durationState]}>
      {durationText(t, row)}
    </Tag>
  );
}

/** A duration's display in a table; below it who cancelled the call. */
export function StateTag({ row }: { row: Timed & Pick<ConferenceRow, 'cancelledBy'> }) {
  const t = useT();
  const cancelled = cancelledText(t, row);
  return (
    <span className={classes.state} data-whole>
      <DurationTag row={row} />
      {cancelled && (
        <span className={classes.cancelled} title={cancelled}>
          {cancelled}
        </span>
      )}
    </span>
  );
}

type Filed = Pick<ConferenceRow, 'files' | 'newFiles' | 'isNewMedia' | 'filesRequested' | 'mediaExpired'>;

/** What is to be known of a conference's files: expired, new ones, asked for, or how many there are. */
export function FilesTag({ row }: { row: Filed }) {
  const t = useT();
  if (row.mediaExpired) return <Tag icon="clock">{t('conferences.filesExpired')}</Tag>;
  if (row.isNewMedia) {
    const count = row.newFiles ?? 0;
    return (
      <Tag tone="acc" icon="img">
        <span className="num">{count > 0 ? t('conferences.newCount', { count }) : t('conferences.newFiles')}</span>
      </Tag>
    );
  }
  if (row.filesRequested && row.files === 0) return <Tag icon="clock">{t('conferences.requested')}</Tag>;
  if (row.files === 0) return <>–</>;
  return <span className="num">{row.files}</span>;
}
