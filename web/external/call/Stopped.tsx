/** Full screens of the call with one or two buttons, for what only a person can decide or fix. */
import type { Event } from '../machine';
import { Button, Page, Told, useAround } from '../ui';
import { GuidedPictures } from '../visit/GuidedPictures';
import type { Session } from './session';
import type { View } from './view';

interface Props {
  view: View;
  session: Session;
  who: string;
  send: (event: Event) => void;
}

/** Another device of the client is in the call; the adjuster decides about this one (CLIENT-41). */
function AtDoor({ who, send }: Props) {
  const { t } = useAround();
  return (
    <Page
      title={t('door_title')}
      icon="ring"
      busy
      actions={<Button onClick={() => send({ type: 'HANG_UP' })}>{t('door_leave')}</Button>}
    >
      <p class="t2" role="status">
        <i class="spin" /> {t('door_text', { who })}
      </p>
      <p class="t2 small">{t('door_hint')}</p>
    </Page>
  );
}

/** What another application has taken is named, with the way to get it back; a telephone call explains itself. */
const TAKEN = { CAMERA_LOST: 'refused_camera_busy', MICROPHONE_LOST: 'refused_microphone_busy' } as const;

function Interrupted({ view, session, who }: Props) {
  const { t } = useAround();
  const taken = view.interrupted && view.interrupted !== 'PHONE_CALL' ? TAKEN[view.interrupted] : null;
  return (
    <Page
      title={t('interrupted_title')}
      icon="pause"
      tone="warn"
      actions={
        <Button kind="main" icon="play" onClick={session.resume}>
          {t('resume_go')}
        </Button>
      }
    >
      <p class="t2">{t('interrupted_text', { who })}</p>
      {taken && (
        <p class="t2">
          {t(taken)}. {t('help_busy_1')}.
        </p>
      )}
      <Told told={view.link === 'live'} />
    </Page>
  );
}

const OUTSIDE = {
  refused: { title: 'door_no_title', text: 'door_no_text', go: 'door_no_again' },
  elsewhere: { title: 'elsewhere_title', text: 'elsewhere_text', go: 'elsewhere_go' },
  removed: { title: 'removed_title', text: 'removed_text', go: 'left_back' },
} as const;

function Outside({ view, session, who }: Props) {
  const { t } = useAround();
  const words = OUTSIDE[view.link as keyof typeof OUTSIDE] ?? OUTSIDE.removed;
  return (
    <Page
      title={t(words.title)}
      icon="warn"
      tone="warn"
      actions={
        <Button kind="main" onClick={view.link === 'refused' ? session.askAgain : session.rejoin}>
          {t(words.go)}
        </Button>
      }
    >
      <p class="t2">{t(words.text, { who })}</p>
    </Page>
  );
}

/** Whether the call's picture and buttons make way for one of these screens. */
export const isStopped = (view: View) =>
  view.interrupted !== null || view.pictures || view.link === 'door' || view.link in OUTSIDE;

export function Stopped(props: Props) {
  const { view, session, send } = props;
  if (view.link === 'door') return <AtDoor {...props} />;
  if (view.pictures && !(view.link in OUTSIDE)) {
    return <GuidedPictures live={view.link === 'live'} onCall={session.backToCall} send={send} />;
  }
  return props.view.interrupted ? <Interrupted {...props} /> : <Outside {...props} />;
}
