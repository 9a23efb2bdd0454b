/** The notice: its text, an empty box, two equal buttons (CLIENT-5). */
import { useEffect, useRef } from 'preact/hooks';
import { cleanLegal } from '../legal';
import type { Event, Screen } from '../machine';
import { Button, CaseLine, Onward, Page, useAround } from '../ui';
import { directionOf, languageName } from '../words';

type Send = (event: Event) => void;

function LegalText() {
  const { info, language, t } = useAround();
  const place = useRef<HTMLDivElement>(null);
  const html = info?.legal?.html ?? '';
  useEffect(() => {
    place.current?.replaceChildren(cleanLegal(html));
  }, [html]);
  const own = info?.legal?.language ?? language;
  const other = own.slice(0, 2) !== language;
  return (
    <>
      {other && <p class="hint">{t('notice_language', { language: languageName(own, language) })}</p>}
      <div class="legal" ref={place} lang={own} dir={directionOf(own)} />
    </>
  );
}

interface NoticeProps {
  screen: Extract<Screen, { at: 'notice' }>;
  read: boolean;
  send: Send;
}

export function Notice({ screen, read, send }: NoticeProps) {
  const { t } = useAround();
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (screen.nudged) box.current?.focus();
  }, [screen.nudged]);
  const problem = screen.nudged ? t('notice_nudge') : screen.failed ? t('notice_failed') : null;
  return (
    <Page
      title={t('before')}
      busy={screen.sending !== null}
      actions={
        <>
          <label class={`tick ${screen.nudged ? 'bad' : ''}`}>
            <input
              ref={box}
              type="checkbox"
              checked={read}
              aria-describedby="notice-problem"
              onChange={(event) => send({ type: 'READ', on: event.currentTarget.checked })}
            />
            <span>{t('legal')}</span>
          </label>
          <p id="notice-problem" class="problem" role="alert">
            {problem}
          </p>
          <div class="pair">
            <Button kind="main" busy={screen.sending === 'accept'} onClick={() => send({ type: 'ACCEPT' })}>
              {t('accept')}
            </Button>
            <Button kind="main" busy={screen.sending === 'decline'} onClick={() => send({ type: 'DECLINE' })}>
              {t('reject')}
            </Button>
          </div>
        </>
      }
    >
      <CaseLine />
      <LegalText />
    </Page>
  );
}

export function Declined({ send }: { send: Send }) {
  const { t, info } = useAround();
  const text = t('rejected', { company: info?.company });
  const end = text.indexOf('. ');
  return (
    <Page
      title={end > 0 ? text.slice(0, end) : text}
      showCase
      actions={
        <>
          <Onward />
          <Button kind="plain" onClick={() => send({ type: 'RECONSIDER' })}>
            {t('declined_back')}
          </Button>
        </>
      }
    >
      {end > 0 && <p class="t2">{text.slice(end + 2)}</p>}
    </Page>
  );
}
