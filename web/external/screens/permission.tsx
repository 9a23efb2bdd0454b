/** One permission per screen: what it is for and what the phone will ask, then the wait, then help if it was refused. */
import { type Browser, displayNames } from '../browser';
import { helpFor, type Picture } from '../help';
import type { Key } from '../i18n';
import type { Event, Screen, State } from '../machine';
import { PERMISSIONS, type Permission } from '../model';
import { Button, Icon, type IconName, Page, Text, Told, useAround, whoOf } from '../ui';
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
export function PromptPicture({ permission, browser }: { permission: Permission; browser: Browser }) {
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
  const icon: Record<string, IconName> = { tune: 'tune', lock: 'lock', camera: 'cameraOff' };
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

function Progress({ permission }: { permission: Permission }) {
  const { t } = useAround();
  const n = PERMISSIONS.indexOf(permission) + 1;
  return (
    <div class="prog" role="img" aria-label={t('step_of', { n, total: PERMISSIONS.length })}>
      {PERMISSIONS.map((each, index) => (
        <i key={each} class={index < n ? 'd' : ''} />
      ))}
    </div>
  );
}

interface Props {
  state: State;
  screen: PermissionScreen;
  browser: Browser;
  send: Send;
}

function Skip({ permission, send, kind }: { permission: Permission; send: Send; kind: 'plain' | 'quiet' }) {
  const { t } = useAround();
  return (
    <Button
      kind={kind}
      icon={kind === 'plain' && permission === 'camera' ? 'microphone' : undefined}
      onClick={() => send({ type: 'SKIP' })}
    >
      {t(`perm_${permission}_skip`)}
    </Button>
  );
}

function Explain({ screen, browser, send }: Props) {
  const { t, info } = useAround();
  const { permission } = screen;
  const names = useNames(browser);
  return (
    <Page
      title={t(`perm_${permission}_title`)}
      actions={
        <>
          <Button kind="main" icon={permission} onClick={() => send({ type: 'ASK' })}>
            {t(`perm_${permission}_ask`)}
          </Button>
          <Skip permission={permission} send={send} kind="quiet" />
        </>
      }
    >
      <Progress permission={permission} />
      <p class="t2">
        <Text k="perm_text" values={{ device: names.device, allow: t(allowWord(browser)) }} />
      </p>
      <PromptPicture permission={permission} browser={browser} />
      <p class="t2 small">{t(`perm_${permission}_note`, { who: whoOf(info) })}</p>
    </Page>
  );
}

function Asking({ state, screen, browser, send }: Props) {
  const { t } = useAround();
  const names = useNames(browser);
  const slow = screen.phase === 'slow';
  return (
    <Page
      title={t(slow ? 'perm_slow_title' : 'perm_asking')}
      busy
      actions={
        slow ? (
          <Skip permission={screen.permission} send={send} kind="plain" />
        ) : (
          <Button kind="quiet" onClick={() => send({ type: 'SLOW', permission: screen.permission })}>
            {t('perm_no_question')}
          </Button>
        )
      }
    >
      <Progress permission={screen.permission} />
      <p class="t2">
        {slow ? (
          t('perm_slow_text')
        ) : (
          <Text k="perm_asking_text" values={{ device: names.device, allow: t(allowWord(browser)) }} />
        )}
      </p>
      <PromptPicture permission={screen.permission} browser={browser} />
      {slow && browser.inApp !== null && <p class="hint">{t('perm_slow_inapp', { browser: goodBrowser(browser) })}</p>}
      <Told told={state.told} />
    </Page>
  );
}

const BADGES: Record<Permission, IconName> = {
  camera: 'cameraOff',
  microphone: 'microphoneOff',
  geolocation: 'geolocation',
};

function Refused({ state, screen, browser, send }: Props) {
  const { t } = useAround();
  const { permission } = screen;
  const kind = screen.refusal ?? 'blocked';
  const names = useNames(browser);
  const help = helpFor(browser, permission, kind);
  const values = { ...names, thing: t(`thing_${permission}`) };
  return (
    <Page
      title={t(`refused_${permission}_${kind}`)}
      icon={BADGES[permission]}
      tone="warn"
      actions={
        <>
          <Button kind="main" onClick={() => send({ type: 'ASK' })}>
            {t('refused_retry')}
          </Button>
          <Skip permission={permission} send={send} kind="plain" />
        </>
      }
    >
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
      <Told told={state.told} />
    </Page>
  );
}

export function PermissionStep(props: Props) {
  if (props.screen.phase === 'refused') return <Refused {...props} />;
  return props.screen.phase === 'explain' ? <Explain {...props} /> : <Asking {...props} />;
}
