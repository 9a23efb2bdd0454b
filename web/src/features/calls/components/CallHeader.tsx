import type { Conference, RecordingState } from '@/api/types';
import { useNow, type Verdict } from '@/rtc';
import { useT } from '@/shared/i18n';
import { clock } from '@/shared/lib/time';
import { Brand } from '@/shared/ui/Brand';
import { IconAction } from '@/shared/ui/IconAction';
import type { RecordingAction } from '../api';
import { useFullscreen } from '../hooks/use-fullscreen';
import { caseLine } from '../model';
import classes from './CallHeader.module.css';
import { type Connections, NetworkBadge } from './NetworkBadge';
import { RecordingPill } from './RecordingPill';

interface CallHeaderProps {
  className?: string;
  conference: Conference;
  clientName: string;
  /** When the client first came in, ms since the epoch; null before that. */
  connectedAt: number | null;
  recording: RecordingState;
  recordingToldAt: number;
  recordingBusy: boolean;
  onRecording: (action: RecordingAction) => void;
  verdict: Verdict | null;
  /** The client's picture stands still. */
  frozen: boolean;
  connection: Connections;
}

function Timer({ since }: { since: number | null }) {
  const t = useT();
  const now = useNow(1_000, since !== null);
  if (since === null) return null;
  return (
    <span className={`${classes.timer} num`} role="timer" aria-label={t('call.duration')}>
      {clock(now - since)}
    </span>
  );
}

/** Who, which case, how long, recording, network, full screen. */
export function CallHeader(props: CallHeaderProps) {
  const t = useT();
  const { conference } = props;
  const fullscreen = useFullscreen();
  return (
    <header className={`${classes.head} ${props.className ?? ''}`}>
      <span className={classes.mark}>
        <Brand size={24} markOnly />
      </span>
      <div className={classes.who}>
        <h1 className={classes.name}>
          {conference.contactPerson || conference.phoneNumber}
          {conference.customerName && <span className={classes.company}> · {conference.customerName}</span>}
        </h1>
        <div className={`${classes.line} num`}>{caseLine(conference)}</div>
      </div>
      <span className={classes.grow} />
      <div className={classes.tools}>
        <Timer since={props.connectedAt} />
        <RecordingPill
          recording={props.recording}
          toldAt={props.recordingToldAt}
          busy={props.recordingBusy}
          onAction={props.onRecording}
        />
        <NetworkBadge
          verdict={props.verdict}
          client={props.clientName}
          frozen={props.frozen}
          connection={props.connection}
        />
        {fullscreen.supported && (
          <IconAction
            className={classes.full}
            icon="full"
            label={fullscreen.on ? t('call.fullscreenLeave') : t('call.fullscreen')}
            pressed={fullscreen.on}
            onClick={fullscreen.toggle}
          />
        )}
      </div>
    </header>
  );
}
