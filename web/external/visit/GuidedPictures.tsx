/** The call's own fallback: where no video passes, pictures one by one on the same link (RESCUE-3). */
import { useEffect, useRef, useState } from 'preact/hooks';
import { sizeOf } from '../call/still';
import { uploads } from '../call/uploads';
import type { Event } from '../machine';
import { Button, CallCompany, Icon, Page, useAround, whoOf } from '../ui';
import { nextShot, shotsOf, type Taken } from './shots';
import { type Key, useVisitTexts } from './texts';

interface Props {
  /** The video works after all. */
  live: boolean;
  onCall: () => void;
  send: (event: Event) => void;
}

const newId = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (one) => one.toString(16).padStart(2, '0')).join('');

/** The pictures taken here, and how far each is on its way. */
function useTaken() {
  const [taken, setTaken] = useState<Taken[]>([]);
  useEffect(
    () =>
      uploads.watch(({ captureId, state, percent }) =>
        setTaken((all) => all.map((one) => (one.captureId === captureId ? { ...one, state, percent } : one))),
      ),
    [],
  );
  const take = async (key: Key, file: File) => {
    const captureId = newId();
    setTaken((all) => [...all, { captureId, key, state: 'uploading', percent: 0 }]);
    const { width, height } = await sizeOf(file).catch(() => ({ width: 0, height: 0 }));
    const capturedAt = new Date(file.lastModified || Date.now()).toISOString();
    const mime = file.type || 'image/jpeg';
    await uploads.add({ captureId, method: 'file', capturedAt, width, height, mime }, file);
  };
  return { taken, take };
}

export function GuidedPictures({ live, onCall, send }: Props) {
  const { t: page, info } = useAround();
  const t = useVisitTexts();
  const { taken, take } = useTaken();
  const next = nextShot(shotsOf(info?.type), taken);
  // Leaving this page while the phone's camera is open would lose the picture.
  const begun = useRef(false);
  const wasLive = useRef(live);
  useEffect(() => {
    if (live && !wasLive.current && !begun.current) onCall();
    wasLive.current = live;
  }, [live]);
  return (
    <Page
      title={t('pictures_title')}
      icon="camera"
      showCase
      actions={
        <>
          {live && (
            <Button kind="main" icon="play" onClick={onCall}>
              {t('call_back')}
            </Button>
          )}
          <label class="b main file">
            <Icon name="camera" />
            <span>{t('shot_take')}</span>
            <input
              type="file"
              accept="image/*"
              capture="environment"
              onClick={() => {
                begun.current = true;
              }}
              onChange={(event) => {
                const file = event.currentTarget.files?.[0];
                // The same picture may be chosen again after it failed.
                event.currentTarget.value = '';
                begun.current = true;
                if (file) void take(next, file);
              }}
            />
          </label>
          <Button onClick={() => send({ type: 'VISIT' })}>{page('visit_go')}</Button>
          <CallCompany />
        </>
      }
    >
      <p class="t2" role="status">
        {live ? t('call_back_text') : t('pictures_text', { who: whoOf(info) })}
      </p>
      <ol class="steps">
        {taken.map((one, index) => (
          <li key={one.captureId}>
            <span class="k">{index + 1}</span>
            <span>
              {t(one.key)}: <Way taken={one} />
            </span>
          </li>
        ))}
        <li>
          <span class="k">{taken.length + 1}</span>
          <b>{t(next)}</b>
        </li>
      </ol>
    </Page>
  );
}

function Way({ taken }: { taken: Taken }) {
  const t = useVisitTexts();
  if (taken.state === 'uploading') return <span class="t2">{t('shot_sending', { percent: taken.percent })}</span>;
  return <span class="t2">{t(taken.state === 'done' ? 'shot_sent' : 'shot_failed')}</span>;
}
