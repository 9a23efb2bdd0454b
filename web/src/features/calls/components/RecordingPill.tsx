import type { RecordingState } from '@/api/types';
import { useNow } from '@/rtc';
import { useT } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import { IconAction } from '@/shared/ui/IconAction';
import type { RecordingAction } from '../api';
import { recordedMs } from '../model';
import classes from './CallHeader.module.css';

interface RecordingPillProps {
  recording: RecordingState;
  /** When this state was told, ms since the epoch. */
  toldAt: number;
  busy: boolean;
  onAction: (action: RecordingAction) => void;
}

/** What is being recorded, how long, pause and stop. Nothing while nothing is recorded. */
export function RecordingPill({ recording, toldAt, busy, onAction }: RecordingPillProps) {
  const t = useT();
  const now = useNow(1_000, recording.state === 'recording');
  if (recording.state === 'idle') return null;
  const paused = recording.state === 'paused';
  const time = clock(recordedMs(recording, toldAt, now));
  return (
    <div className={classes.rec} data-paused={paused || undefined}>
      <span className={classes.dot} aria-hidden="true" />
      <span role="status">{paused ? t('call.recPaused') : t('call.recOn')}</span>
      <span className="num">{time}</span>
      <IconAction
        icon={paused ? 'rec' : 'pause'}
        size={28}
        label={paused ? t('call.recResume') : t('call.recPause')}
        disabled={busy}
        onClick={() => onAction(paused ? 'resume' : 'pause')}
      />
      <IconAction icon="stop" size={28} label={t('call.recStop')} disabled={busy} onClick={() => onAction('stop')} />
    </div>
  );
}
