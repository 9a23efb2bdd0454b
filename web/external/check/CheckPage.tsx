/** `/external/check`: tries on this phone what can be tried without a call, and lets the person share or send the result. */
import { useState } from 'preact/hooks';
import { loadTexts, markPage, rememberLanguage, spoken, startLanguage, translate } from '../i18n';
import type { Language } from '../model';
import { Around, Button, Page } from '../ui';
import { CHECKS, type Outcomes, report, runChecks } from './checks';
import { sendResult, spokenCode } from './relay';
import { useCheckTexts } from './texts';

function Check() {
  const t = useCheckTexts();
  const [outcomes, setOutcomes] = useState<Outcomes>({});
  const [phase, setPhase] = useState<'before' | 'running' | 'done'>('before');
  const [copied, setCopied] = useState(false);
  const [sent, setSent] = useState<'no' | 'sending' | 'failed' | { code: string }>('no');
  const run = async () => {
    setPhase('running');
    setCopied(false);
    setSent('no');
    setOutcomes({});
    await runChecks(setOutcomes);
    setPhase('done');
  };
  const share = async () => {
    const text = report(outcomes, t);
    try {
      if (typeof navigator.share === 'function') return await navigator.share({ text });
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      // The person closed the sheet; what is on the screen stays.
    }
  };
  const send = async () => {
    setSent('sending');
    setSent(await sendResult(outcomes).catch(() => 'failed' as const));
  };
  return (
    <Page
      title={t('title')}
      icon="camera"
      busy={phase === 'running'}
      actions={
        <>
          {phase === 'done' && typeof sent === 'string' && (
            <Button kind="main" icon="send" busy={sent === 'sending'} onClick={send}>
              {t('send')}
            </Button>
          )}
          {phase === 'done' && (
            <Button icon="send" onClick={share}>
              {t(copied ? 'copied' : 'share')}
            </Button>
          )}
          <Button kind={phase === 'done' ? 'plain' : 'main'} busy={phase === 'running'} onClick={run}>
            {t(phase === 'done' ? 'again' : 'go')}
          </Button>
        </>
      }
    >
      <p class="t2">{t('text')}</p>
      <div role="status">
        {typeof sent === 'object' && (
          <p>
            {t('sent')} <b dir="ltr">{spokenCode(sent.code)}</b>
          </p>
        )}
        {sent === 'failed' && <p>{t('send_failed')}</p>}
      </div>
      <ul role="status">
        {CHECKS.map((check) => {
          const outcome = outcomes[check];
          return (
            outcome && (
              <li key={check}>
                {t(check)}: <b>{t(outcome.ok ? 'yes' : 'no')}</b> <bdi dir="ltr">{outcome.detail}</bdi>
              </li>
            )
          );
        })}
      </ul>
    </Page>
  );
}

export function CheckPage() {
  const [language, setLanguage] = useState<Language>(() => spoken(startLanguage()));
  markPage(language);
  const change = (next: Language) =>
    void loadTexts(next).then(
      () => {
        rememberLanguage(next);
        setLanguage(next);
      },
      () => undefined,
    );
  const t = (key: Parameters<typeof translate>[1], values?: Parameters<typeof translate>[2]) =>
    translate(language, key, values);
  return (
    <Around.Provider value={{ t, language, setLanguage: change, info: null }}>
      <Check />
    </Around.Provider>
  );
}
