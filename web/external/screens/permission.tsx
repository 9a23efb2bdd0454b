/**
 * Camera and microphone in one prompt: what they are for and what the phone will ask, then the wait. After a refusal each
 * of them has screens of its own, with help.
 */
import { type Browser, displayNames } from '../browser';
import { helpFor, type Picture } from '../help';
import type { Key } from '../i18n';
import type { Event, Screen, State } from '../machine';
import type { Asked, Device, RefusalKind } from '../model';
import { Button, Icon, type IconName, Page, Text, Told, useAround, VisitButton, whoOf } from '../ui';
import { goodBrowser } from './browser';

type Send = (event: Event) => void;
type PermissionScreen = Extract<Screen, { at: 'permission' }>;

export function useNames(browser: Browser) {
  const { t } = useAround();
  const computer = browser.model === 'iPad' ? t('device_ipad') : t('device_computer');
  const phone = browser.model === 'iPhone' ? t('device_iphone') : t('device_phone');
  return {
    device: browser.phone && browser.model !== 'iPad' ? phone : computer,
    browser: displayNames({ ...browser, inApp: null }).browser ?? t('the_browser'),
  };
}

export function allowWord(browser: Browser): Key {
  return browser.os === 'android' && browser.name !== 'firefox' ? 'prompt_allow_visit' : 'prompt_allow';
}

/** A drawing of the prompt to come, in that system's style, with the answer to tap marked. */
export function PromptPicture({ permission, browser }: { permission: Asked; browser: Browser }) {
  const { t } = useAround();
  const host = location.host;
  const ios = browser.os === 'ios';
  const android = browser.os === 'android' && browser.name !== 'firefox';
  const question = t(`prompt_${ios ? 'ios_' : ''}${permission}` as Key, { host });
  return (
    <div class="prompt" role="img" aria-label={`${t('prompt_picture')}: ${question}`}>
      <div class={`sys ${ios ? 'ios' : android ? 'android' : 'desktop'}`} aria-hidden="true">
        <p>{question}</p>
        {android ? (
          <div>
            <span class="yes">{t('prompt_allow_visit')}</span>
            <span>{t('prompt_allow_once')}</span>
            <span>{t('prompt_deny')}</span>
          </div>
        ) : (
          <div>
            <span>{t(ios ? 'prompt_deny' : 'prompt_block')}</span>
            <span class="yes">{t('prompt_allow')}</span>
          </div>
        )}
      </div>
    </div>
  );
}

export function BarPicture({ picture }: { picture: Picture }) {
  if (!picture || picture === 'settings') return null;
  const icon: Record<string, IconName> = { tune: 'tune', lock: 'lock', camera: 'cameraOff', page: 'pageMenu' };
  const drawn = icon[picture];
  return (
    <div class="bar" aria-hidden="true">
      <span class="mark">{picture === 'aA' ? 'aA' : drawn && <Icon name={drawn} />}</span>
      <bdi class="n" dir="ltr">
        {location.host}
      </bdi>
    </div>
  );
}

interface Props {
  state: State;
  screen: PermissionScreen;
  browser: Browser;
  send: Send;
}

function Skip({ permission, send }: { permission: Asked; send: Send }) {
  const { t } = useAround();
  return (
    <Button icon={permission === 'camera' ? 'microphone' : undefined} onClick={() => send({ type: 'SKIP' })}>
      {t(`perm_${permission}_skip`)}
    </Button>
  );
}

/** The explanation stays while the phone asks: whoever reads it then finds the answer to tap. */
function Explain({ screen, browser, send }: Props) {
  const { t, info } = useAround();
  const { permission } = screen;
  const names = useNames(browser);
  const asking = screen.phase === 'asking';
  return (
    <Page
      title={t(`perm_${permission}_title`)}
      busy={asking}
      actions={
        <>
          <Button
            kind="main"
            icon={permission === 'devices' ? 'camera' : permission}
            busy={asking}
            onClick={() => send({ type: 'ASK' })}
          >
            {t(`perm_${permission}_ask`)}
          </Button>
          {asking ? (
            <Button onClick={() => send({ type: 'SLOW', permission })}>{t('perm_no_question')}</Button>
          ) : (
            <Skip permission={permission} send={send} />
          )}
        </>
      }
    >
      <p class="t2">
        <Text k="perm_text" values={{ device: names.device, allow: t(allowWord(browser)) }} />
      </p>
      <PromptPicture permission={permission} browser={browser} />
      <p class="t2 small">{t(`perm_${permission}_note`, { who: whoOf(info) })}</p>
    </Page>
  );
}

/** The question has been open for a while: where to look for it, and that nothing is lost. */
function Slow({ state, screen, browser, send }: Props) {
  const { t } = useAround();
  return (
    <Page title={t('perm_slow_title')} busy actions={<Skip permission={screen.permission} send={send} />}>
      <p class="t2">{t('perm_slow_text')}</p>
      <PromptPicture permission={screen.permission} browser={browser} />
      {browser.inApp !== null && <p class="hint">{t('perm_slow_inapp', { browser: goodBrowser(browser) })}</p>}
      <Told told={state.told} />
    </Page>
  );
}

const BADGES: Record<Device, IconName> = { camera: 'cameraOff', microphone: 'microphoneOff' };

/** Steps that undo a refusal; a prompt that was only closed needs none: the next tap brings it back. */
function Steps({ permission, kind, browser }: { permission: Device; kind: RefusalKind; browser: Browser }) {
  const { t } = useAround();
  const names = useNames(browser);
  if (kind === 'unanswered') {
    return (
      <>
        <p class="t2">
          <Text k="perm_text" values={{ device: names.device, allow: t(allowWord(browser)) }} />
        </p>
        <PromptPicture permission={permission} browser={browser} />
      </>
    );
  }
  const help = helpFor(browser, permission, kind);
  const values = { ...names, thing: t(`thing_${permission}`) };
  return (
    <>
      <p class="t2">{kind === 'blocked' ? t('refused_text', names) : t('refused_text_plain')}</p>
      {kind === 'blocked' && <BarPicture picture={help.picture} />}
      <ol class="steps">
        {help.steps.map((key, index) => (
          <li key={key}>
            <span class="k">{index + 1}</span>
            <span>
              <Text k={key} values={values} />
            </span>
          </li>
        ))}
      </ol>
      {help.more && (
        <p class="hint">
          <Text k={help.more} values={values} />
        </p>
      )}
    </>
  );
}

function Refused({ state, screen, browser, send }: Props) {
  const { t } = useAround();
  const permission = screen.permission === 'devices' ? 'camera' : screen.permission;
  const kind = screen.refusal ?? 'blocked';
  const unanswered = kind === 'unanswered';
  return (
    <Page
      title={t(unanswered ? 'refused_unanswered' : `refused_${permission}_${kind}`)}
      icon={unanswered ? permission : BADGES[permission]}
      tone={unanswered ? 'plain' : 'warn'}
      actions={
        <>
          <Button kind="main" onClick={() => send({ type: 'ASK' })}>
            {t(unanswered ? `perm_${permission}_ask` : 'refused_retry')}
          </Button>
          <Skip permission={permission} send={send} />
          <VisitButton send={send} />
        </>
      }
    >
      <Steps permission={permission} kind={kind} browser={browser} />
      <Told told={state.told} />
    </Page>
  );
}

export function PermissionStep(props: Props) {
  switch (props.screen.phase) {
    case 'refused':
      return <Refused {...props} />;
    case 'slow':
      return <Slow {...props} />;
    default:
      return <Explain {...props} />;
  }
}
