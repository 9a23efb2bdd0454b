/** The call: the own picture large, the adjuster small, their words, and the buttons under the thumb. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Browser } from '../browser';
import type { Event, State } from '../machine';
import { Icon, useAround, whoOf } from '../ui';
import { enlargedText } from '../words';
import './call.css';
import { Chat, LastWords } from './Chat';
import { Dock } from './Dock';
import { AskPhoto, AskPosition, Leave, Recording, Status } from './Overlays';
import { OwnPicture, RemotePicture } from './Pictures';
import { isStopped, Stopped } from './Stopped';
import { Session } from './session';
import { EMPTY, type View, withoutPicture } from './view';

interface Props {
  state: State;
  send: (event: Event) => void;
  browser: Browser;
}

function useSession({ state, send, browser }: Props): { session: Session | null; view: View } {
  const [view, setView] = useState<View>(EMPTY);
  const session = useMemo(() => {
    const { hash, clientKey, outcomes } = state;
    if (!hash || !clientKey) return null;
    return new Session({ hash, clientKey, outcomes, browser, send });
  }, []);
  useEffect(() => {
    session?.subscribe(setView);
    session?.start();
    return () => session?.stop();
  }, []);
  return { session, view };
}

interface StageProps {
  view: View;
  who: string;
  session: Session;
  onScale: (scale: number) => void;
}

/** What fills the screen: a shared screen, else the own camera, else a sentence that there is none. */
function Stage({ view, who, session, onScale }: StageProps) {
  const { t } = useAround();
  if (view.frozen) {
    const { board, Picture } = view.frozen;
    return <Picture board={board} label={t('frozen_picture')} pointing={session.pointing} onScale={onScale} />;
  }
  if (view.screen) return <RemotePicture track={view.screen} label={t('call_screen', { who })} kind="shared" />;
  if (view.camera && !view.cameraPaused) {
    return (
      <OwnPicture
        track={view.camera}
        label={t('call_own_picture')}
        mirrored={view.mirrored}
        pointing={session.pointing}
        large
        onScale={onScale}
      />
    );
  }
  const words = withoutPicture(view);
  return (
    <div class="nothing">
      <p class="title">{t(words.title, { who })}</p>
      {words.text && <p>{t(words.text, { who })}</p>}
    </div>
  );
}

export function CallScreen(props: Props) {
  const { t, info, language } = useAround();
  const { session, view } = useSession(props);
  const [sheet, setSheet] = useState<'none' | 'chat' | 'leave'>('none');
  const [scale, setScale] = useState(1);
  const enlarged = enlargedText(scale, language);
  const title = useRef<HTMLHeadingElement>(null);
  const full = view.staff || info?.adjuster || info?.company || '';
  const who = full.split(' ')[0] || whoOf(info);
  useEffect(() => title.current?.focus({ preventScroll: true }), []);
  if (!session) return null;
  if (isStopped(view)) {
    return (
      <div class="over-page">
        <Recording recording={view.recording} />
        <Stopped view={view} session={session} who={who} send={props.send} />
      </div>
    );
  }
  return (
    <div class="call">
      <h1 class="hidden" tabIndex={-1} ref={title}>
        {t('hello')}
      </h1>
      <Recording recording={view.recording} />
      <div class="stage">
        <Stage view={view} who={who} session={session} onScale={setScale} />
        <div class="layer">
          <div class="top">
            {view.face && <RemotePicture track={view.face} label={t('call_their_picture', { who })} kind="face" />}
            {view.screen && !view.frozen && view.camera && !view.cameraPaused && (
              <div class="face">
                <OwnPicture
                  track={view.camera}
                  label={t('call_own_picture')}
                  mirrored={view.mirrored}
                  pointing={session.pointing}
                  large={false}
                  onScale={() => undefined}
                />
              </div>
            )}
            <Status view={view} who={who} session={session} />
            {scale > 1 && (
              <button
                class="pill whole"
                type="button"
                aria-label={t('call_whole', { scale: enlarged })}
                onClick={() => session.pointing.picture?.whole()}
              >
                <span class="n" dir="ltr">
                  {enlarged}
                </span>
                <Icon name="x" />
              </button>
            )}
          </div>
          <LastWords chat={view.chat} onOpen={() => setSheet('chat')} />
        </div>
      </div>
      <Dock view={view} session={session} onLeave={() => setSheet('leave')} />
      {(sheet !== 'none' || view.askPhoto || view.askPosition) && <div class="dim" />}
      {sheet === 'chat' && <Chat chat={view.chat} who={who} session={session} onClose={() => setSheet('none')} />}
      {sheet === 'leave' && <Leave onStay={() => setSheet('none')} onLeave={() => props.send({ type: 'HANG_UP' })} />}
      {view.askPhoto && <AskPhoto who={who} session={session} />}
      {view.askPosition && <AskPosition asking={view.askPosition === 'asking'} session={session} />}
    </div>
  );
}
