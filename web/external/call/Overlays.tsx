/** What lies over the picture: the recording bar, the state of the call, and the questions. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { dial } from '../telephone';
import { Button, CallCompany, Icon, useAround } from '../ui';
import { failureKey } from './connection';
import type { Session } from './session';
import { clockText, recordedMs, type View } from './view';

/** Red while recording; nothing on the page can hide it (CLIENT-25). */
export function Recording({ recording }: { recording: View['recording'] }) {
  const { t } = useAround();
  const [now, setNow] = useState(() => performance.now());
  const running = recording.state === 'recording';
  useEffect(() => {
    setNow(performance.now());
    if (!running) return;
    const timer = setInterval(() => setNow(performance.now()), 500);
    return () => clearInterval(timer);
  }, [running, recording.since]);
  return (
    <div role="status">
      {recording.state !== 'idle' && (
        <div class={`recording ${recording.state}`}>
          {running ? <i class="red" /> : <Icon name="pause" />}
          <b>{t(running ? 'recording' : 'recording_paused')}</b>
          <span class="n" dir="ltr" aria-hidden="true">
            {clockText(recordedMs(recording, now))}
          </span>
        </div>
      )}
    </div>
  );
}

/** One line at a time, the most urgent first: what is wrong, what is going on, what was done. */
export function Status({ view, who, session }: { view: View; who: string; session: Session }) {
  const { t, info } = useAround();
  const still =
    view.still &&
    {
      capturing: t('still_capture'),
      uploading: t('still_sending', { percent: view.still.percent }),
      done: t('still_done'),
      failed: t('still_failed', { who }),
    }[view.still.state];
  const failure = failureKey(view.failing);
  return (
    <div class="status" role="status">
      {view.link === 'offline' && (
        <div class="pill stack">
          {t('call_offline')}
          <button type="button" onClick={session.retry}>
            {t('call_retry')}
          </button>
          {info?.contactPhone && <a href={dial(info.contactPhone)}>{t('call_company', { company: info.company })}</a>}
        </div>
      )}
      {(view.link === 'connecting' || view.link === 'reconnecting') && (
        <p class="pill">
          <i class="spin" />
          {t(failure === 'call_no_path' ? failure : view.link === 'connecting' ? 'connecting' : 'call_reconnecting')}
        </p>
      )}
      {view.link === 'live' && view.staff === null && <p class="pill">{t('call_waiting', { who })}</p>}
      {view.link === 'live' && (failure ?? (view.weak && 'call_weak')) && (
        <p class="pill">{t(failure ?? 'call_weak')}</p>
      )}
      {view.frozen && <p class="pill">{t('frozen_status', { who })}</p>}
      {still && <p class={`pill ${view.still?.state === 'failed' ? 'bad' : ''}`}>{still}</p>}
      {view.toast && (
        <div class={`pill stack ${view.toast.tone}`}>
          {t(view.toast.key, view.toast.values)}
          {view.toast.action === 'torchOff' && (
            <button type="button" onClick={session.refuseTorch}>
              {t('call_torch_off')}
            </button>
          )}
        </div>
      )}
      {view.soundBlocked && view.link === 'live' && (
        <button class="pill sound" type="button" onClick={session.startSound}>
          <Icon name="sound" />
          {t('call_sound', { who })}
        </button>
      )}
    </div>
  );
}

/** A question that takes the whole screen's attention; Escape answers "no". */
function Sheet({
  title,
  onEscape,
  children,
}: {
  title: string;
  onEscape: () => void;
  children: preact.ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      class="sheet"
      ref={dialog}
      aria-labelledby="sheet-title"
      onCancel={(event) => {
        event.preventDefault();
        onEscape();
      }}
    >
      <h2 id="sheet-title">{title}</h2>
      {children}
    </dialog>
  );
}

export function Leave({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const { t } = useAround();
  return (
    <Sheet title={t('call_leave_title')} onEscape={onStay}>
      <p class="t2">{t('call_leave_text')}</p>
      <Button kind="bad" icon="hang" onClick={onLeave}>
        {t('call_leave')}
      </Button>
      <Button onClick={onStay}>{t('call_leave_no')}</Button>
      <CallCompany kind="quiet" />
    </Sheet>
  );
}

/** The adjuster wants a photo and this page has no camera to take it with: the phone's own camera app does. */
export function AskPhoto({ who, session }: { who: string; session: Session }) {
  const { t } = useAround();
  const refuse = () => void session.photoChosen(null);
  return (
    <Sheet title={t('still_ask', { who })} onEscape={refuse}>
      <p class="t2">{t('still_ask_text')}</p>
      <label class="b main file">
        <Icon name="camera" />
        <span>{t('still_take')}</span>
        <input
          type="file"
          accept="image/*"
          capture="environment"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0];
            if (file) void session.photoChosen(file);
          }}
        />
      </label>
      <Button onClick={refuse}>{t('still_no')}</Button>
    </Sheet>
  );
}

/** Asked at the first picture. Yes and no weigh the same: a picture without a position is as good a picture. */
export function AskPosition({ asking, session }: { asking: boolean; session: Session }) {
  const { t } = useAround();
  const { allow, refuse } = session.position;
  return (
    <Sheet title={t('perm_geolocation_title')} onEscape={refuse}>
      <p class="t2">{t('perm_geolocation_note')}</p>
      <Button kind="main" icon="geolocation" busy={asking} onClick={allow}>
        {t('perm_geolocation_ask')}
      </Button>
      <Button kind="main" onClick={refuse}>
        {t('perm_geolocation_skip')}
      </Button>
    </Sheet>
  );
}
