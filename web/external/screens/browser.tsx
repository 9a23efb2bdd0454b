/** The way out of a browser that has no camera: an app's own window, an old browser (CLIENT-15). */
import { useState } from 'preact/hooks';
import { type Browser, intentLink } from '../browser';
import type { Event, State } from '../machine';
import { Button, CallCompany, Page, Text, Told, useAround, VisitButton } from '../ui';

/** The name of the browser that the person has for sure. */
export function goodBrowser(browser: Browser): string {
  return browser.os === 'ios' || browser.os === 'mac' ? 'Safari' : 'Chrome';
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand?.('copy') ?? false;
    field.remove();
    return done;
  }
}

function CopyLink({ browser }: { browser: Browser }) {
  const { t } = useAround();
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  const press = async () => setState((await copy(location.href)) ? 'copied' : 'failed');
  return (
    <>
      <div role="status">
        {state === 'copied' && <p class="hint ok">{t('copied', { browser: goodBrowser(browser) })}</p>}
        {state === 'failed' && (
          <p class="hint">
            <Text k="copy_by_hand" />{' '}
            <span class="address" dir="ltr">
              {location.href}
            </span>
          </p>
        )}
      </div>
      <Button kind={browser.inApp !== null && browser.os === 'android' ? 'plain' : 'main'} icon="copy" onClick={press}>
        {t('copy_link')}
      </Button>
    </>
  );
}

function WithoutCamera({ send }: { send: (event: Event) => void }) {
  const { t } = useAround();
  if (typeof RTCPeerConnection === 'undefined') return null;
  return (
    <Button kind="quiet" onClick={() => send({ type: 'WITHOUT_DEVICES' })}>
      {t('without_camera')}
    </Button>
  );
}

export function BrowserScreen({
  state,
  browser,
  send,
}: {
  state: State;
  browser: Browser;
  send: (event: Event) => void;
}) {
  const { t } = useAround();
  const inApp = state.screen.at === 'browser' && state.screen.kind === 'inapp';
  const name = goodBrowser(browser);
  const steps =
    browser.os === 'ios'
      ? (['inapp_ios_1', 'inapp_ios_2'] as const)
      : (['inapp_android_1', 'inapp_android_2'] as const);
  return (
    <Page
      title={inApp ? t('inapp_title', { browser: name }) : t('unsupported_title')}
      icon="cameraOff"
      tone="warn"
      actions={
        <>
          {inApp && browser.os === 'android' && (
            <Button kind="main" icon="external" href={intentLink(location.href)}>
              {t('inapp_open')}
            </Button>
          )}
          <CopyLink browser={browser} />
          {!inApp && <CallCompany />}
          <WithoutCamera send={send} />
          <VisitButton send={send} />
        </>
      }
    >
      <p class="t2">
        {inApp ? t('inapp_text', { app: browser.inApp || t('inapp_other_app') }) : t('unsupported_text')}
      </p>
      {inApp ? (
        <ol class="steps">
          {steps.map((key, index) => (
            <li key={key}>
              <span class="k">{index + 1}</span>
              <span>
                <Text k={key} />
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <p class="t2">{t('unsupported_other')}</p>
      )}
      {typeof RTCPeerConnection !== 'undefined' && <p class="t2 small">{t('without_camera_note')}</p>}
      <Told told={state.told} />
    </Page>
  );
}
