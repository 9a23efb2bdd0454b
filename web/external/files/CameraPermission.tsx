/** The camera's permission: what the phone will ask, and when it was refused the steps for that very phone. */
import { useEffect, useState } from 'preact/hooks';
import type { Browser } from '../browser';
import { helpFor } from '../help';
import { type Key as CallKey, loadTexts, translate as say } from '../i18n';
import type { RefusalKind } from '../model';
import { allowWord, BarPicture, PromptPicture, useNames } from '../screens/permission';
import { Around, Button, Page, Text, useAround } from '../ui';
import type { Desk } from './desk';
import { useFiles } from './texts';

interface Props {
  desk: Desk;
  browser: Browser;
  onAsk: () => void;
}

/** The pictures and steps are those of the call and use its texts; the Spanish ones are part of this chunk. */
function WithCallTexts({ children }: { children: preact.ComponentChildren }) {
  const around = useAround();
  const { language } = around;
  const [, setHere] = useState('');
  useEffect(() => {
    loadTexts(language).then(
      () => setHere(language),
      () => undefined,
    );
  }, [language]);
  const t = (key: CallKey, values = {}) => say(language, key, values);
  return <Around.Provider value={{ ...around, t }}>{children}</Around.Provider>;
}

/** The ways out of a refusal: the phone's own camera app and the file picker need no permission. */
function OtherWays({ desk }: { desk: Desk }) {
  const { t } = useFiles();
  const go = (how: () => void) => () => {
    desk.back();
    how();
  };
  return (
    <>
      <Button icon="camera" onClick={go(desk.pickWithApp)}>
        {t('perm_app')}
      </Button>
      <Button kind="quiet" onClick={go(desk.pick)}>
        {t('pick')}
      </Button>
    </>
  );
}

function Ask({ desk, browser, onAsk }: Props) {
  const { t } = useAround();
  const own = useFiles().t;
  const names = useNames(browser);
  return (
    <Page
      title={t('perm_camera_title')}
      actions={
        <>
          <Button kind="main" icon="camera" onClick={onAsk}>
            {t('perm_camera_ask')}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              desk.back();
              desk.pickWithApp();
            }}
          >
            {own('perm_app')}
          </Button>
        </>
      }
    >
      <p class="t2">
        <Text k="perm_text" values={{ device: names.device, allow: t(allowWord(browser)) }} />
      </p>
      <PromptPicture permission="camera" browser={browser} />
      <p class="t2 small">{own('perm_note')}</p>
    </Page>
  );
}

function RefusedPage({ desk, browser, kind, onAsk }: Props & { kind: Exclude<RefusalKind, 'unanswered'> }) {
  const { t } = useAround();
  const own = useFiles().t;
  const names = useNames(browser);
  const help = helpFor(browser, 'camera', kind);
  const values = { ...names, thing: t('thing_camera') };
  const blocked = kind === 'blocked';
  return (
    <Page
      title={t(`refused_camera_${kind}`)}
      icon="cameraOff"
      tone="warn"
      actions={
        <>
          <Button kind="main" onClick={onAsk}>
            {t('refused_retry')}
          </Button>
          <OtherWays desk={desk} />
        </>
      }
    >
      <p class="t2">{blocked ? t('refused_text', names) : t('refused_text_plain')}</p>
      {blocked && <BarPicture picture={help.picture} />}
      <ol class="steps">
        {help.steps.map((key, index) => (
          <li key={key}>
            <span class="k">{index + 1}</span>
            <span>{key === 'help_no_camera_2' ? own('no_camera_help') : <Text k={key} values={values} />}</span>
          </li>
        ))}
      </ol>
      {help.more && (
        <p class="hint">
          <Text k={help.more} values={values} />
        </p>
      )}
    </Page>
  );
}

export const AskCamera = (props: Props) => (
  <WithCallTexts>
    <Ask {...props} />
  </WithCallTexts>
);

export const RefusedCamera = ({ kind, ...props }: Props & { kind: RefusalKind }) => (
  <WithCallTexts>
    {/* A prompt that was only closed comes back with the next tap. */}
    {kind === 'unanswered' ? <Ask {...props} /> : <RefusedPage {...props} kind={kind} />}
  </WithCallTexts>
);
