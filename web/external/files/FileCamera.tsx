/** The camera of the upload page: the permission first, then the live picture with a frame for each shot. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { detectBrowser } from '../browser';
import { CameraControl } from '../call/camera';
import { takeStill } from '../call/still';
import { held, openCamera, Refused, release } from '../devices';
import type { RefusalKind } from '../model';
import { Icon, Page } from '../ui';
import './camera.css';
import { AskCamera, RefusedCamera } from './CameraPermission';
import type { Desk } from './desk';
import { greyOf } from './pictures';
import { isDark } from './quality';
import { type Key, useFiles } from './texts';
import { type Overlay, overlayOf, pictureName, picturesOf, type Row } from './view';

type Phase = { at: 'look' | 'ask' | 'opening' | 'live' } | { at: 'refused'; kind: RefusalKind };

/** Whether the permission was granted before; then it is not explained again. */
async function isAllowed(): Promise<boolean> {
  try {
    return (await navigator.permissions.query({ name: 'camera' as PermissionName })).state === 'granted';
  } catch {
    return false;
  }
}

function useCamera() {
  const [phase, setPhase] = useState<Phase>({ at: 'look' });
  const [track, setTrack] = useState<MediaStreamTrack | null>(null);
  const gone = useRef(false);
  const control = useMemo(() => new CameraControl(async (next) => setTrack(next)), []);
  const openIt = async () => {
    setPhase({ at: 'opening' });
    try {
      await openCamera();
      await control.chooseMain();
      if (gone.current) release('camera');
      else {
        setTrack(held.camera);
        setPhase({ at: 'live' });
      }
    } catch (error) {
      if (!gone.current) setPhase({ at: 'refused', kind: error instanceof Refused ? error.kind : 'busy' });
    }
  };
  useEffect(() => {
    void isAllowed().then((yes) => !gone.current && (yes ? openIt() : setPhase({ at: 'ask' })));
    return () => {
      gone.current = true;
      release('camera');
    };
  }, []);
  // Another app, a call or the lock key took the camera: it is opened again when the page is back.
  useEffect(() => {
    if (!track) return;
    const back = () => document.visibilityState === 'visible' && track.readyState === 'ended' && void openIt();
    track.addEventListener('ended', back);
    document.addEventListener('visibilitychange', back);
    return () => {
      track.removeEventListener('ended', back);
      document.removeEventListener('visibilitychange', back);
    };
  }, [track]);
  return { phase, track, control, openIt };
}

const LOOK_MS = 700;

/** Checks the live picture regularly: is it too dark for a photo? */
function useDark(video: { current: HTMLVideoElement | null }, on: boolean): boolean {
  const [dark, setDark] = useState(false);
  useEffect(() => {
    if (!on) return;
    const timer = setInterval(() => {
      const element = video.current;
      if (element?.videoWidth) setDark(isDark(greyOf(element, 48, 48)));
    }, LOOK_MS);
    return () => clearInterval(timer);
  }, [on]);
  return on && dark;
}

/** The corners of the frame; everything outside is dimmed. */
function Frame({ overlay }: { overlay: Overlay }) {
  return (
    <div class={`frame ${overlay}`} aria-hidden="true">
      <i />
      <i />
      <i />
      <i />
    </div>
  );
}

interface LiveProps {
  desk: Desk;
  row: Row;
  track: MediaStreamTrack | null;
  control: CameraControl;
}

function fileOf(blob: Blob, row: Row, desk: Desk): File {
  const name = pictureName(row.item.label, picturesOf(row, desk.queue, desk.held) + 1, blob.type);
  return new File([blob], name, { type: blob.type || 'image/jpeg' });
}

function Live({ desk, row, track, control }: LiveProps) {
  const { t } = useFiles();
  const video = useRef<HTMLVideoElement>(null);
  const [busy, setBusy] = useState(false);
  const [failed, setFailed] = useState(false);
  const [torch, setTorch] = useState(false);
  const caps = control.caps();
  const overlay = overlayOf(row.item);
  const dark = useDark(video, !busy && !torch);
  const n = desk.rows.indexOf(row) + 1;

  useEffect(() => {
    if (video.current && track) video.current.srcObject = new MediaStream([track]);
  }, [track]);

  const shoot = async () => {
    if (busy || !track) return;
    setBusy(true);
    setFailed(false);
    const still = await control.run(async () => {
      const taken = await takeStill(track, (work) => work());
      await control.restoreExtras();
      return taken;
    });
    if (still) await desk.take([fileOf(still.blob, row, desk)], true);
    setFailed(!still);
    setBusy(false);
  };
  const light = async () => {
    if (await control.setTorch(!torch)) setTorch(!torch);
  };
  const hint = failed
    ? t('cam_failed')
    : busy
      ? t('cam_taking')
      : dark
        ? t(caps.torch ? 'cam_dark_torch' : 'cam_dark')
        : null;

  return (
    <div class="cam">
      <video ref={video} autoplay muted playsInline aria-label={t('cam_view')} />
      <Frame overlay={overlay} />
      <div class="cam-top">
        {desk.rows.length > 1 && <p class="n">{t('cam_of', { n, total: desk.rows.length })}</p>}
        <h1 tabIndex={-1} dir="auto">
          {row.item.label}
        </h1>
        <p dir="auto">{row.item.hint ?? t(`cam_frame_${overlay}` as Key)}</p>
      </div>
      <div class="cam-low">
        <p class="cam-hint" role="status">
          {hint && (
            <span>
              <Icon name={busy ? 'pause' : failed ? 'warn' : 'sun'} />
              {hint}
            </span>
          )}
        </p>
        <div class="cam-keys">
          {caps.torch ? (
            <button type="button" class="key" aria-pressed={torch} onClick={light}>
              <span>
                <Icon name="torch" />
              </span>
              {t('cam_torch')}
            </button>
          ) : (
            <span class="key" />
          )}
          <button type="button" class="shutter" aria-label={t('cam_shutter')} aria-disabled={busy} onClick={shoot} />
          <button type="button" class="key" onClick={desk.back}>
            <span>
              <Icon name="x" />
            </span>
            {t('cam_close')}
          </button>
        </div>
      </div>
    </div>
  );
}

export function FileCamera({ desk }: { desk: Desk }) {
  const { t } = useFiles();
  const { phase, track, control, openIt } = useCamera();
  const browser = useMemo(() => detectBrowser(navigator.userAgent, navigator.maxTouchPoints), []);
  const row = desk.active;
  useEffect(() => {
    if (!row) desk.back();
  }, [row]);
  const at = `${phase.at} ${row?.item._id}`;
  useEffect(() => {
    document.querySelector('h1')?.focus({ preventScroll: true });
  }, [at]);
  if (!row) return null;
  if (phase.at === 'ask') return <AskCamera desk={desk} browser={browser} onAsk={openIt} />;
  if (phase.at === 'refused') return <RefusedCamera desk={desk} browser={browser} kind={phase.kind} onAsk={openIt} />;
  if (phase.at === 'live') return <Live desk={desk} row={row} track={track} control={control} />;
  return (
    <Page title={t('cam_opening')} icon="camera" busy>
      <span class="spin big" aria-hidden="true" />
    </Page>
  );
}
