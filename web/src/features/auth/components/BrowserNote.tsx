import { ActionIcon } from '@mantine/core';
import { useState } from 'react';
import { useT } from '@/shared/i18n';
import { adviceSeen, browserFacts, browserVerdict, lacking, type Need, rememberAdvice } from '@/shared/lib/browser';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';

/** Error for a browser that cannot work, with what it lacks; advice (once) for today's Edge, nothing otherwise. */
export function BrowserNote() {
  const t = useT();
  const [facts] = useState(browserFacts);
  const verdict = browserVerdict(facts);
  const [seen, setSeen] = useState(adviceSeen);
  if (verdict === 'unsupported') {
    const names: Record<Need, string> = { webrtc: t('login.lacksWebrtc'), webcrypto: t('login.lacksWebcrypto') };
    const what = lacking(facts).map((need) => names[need]);
    const text = what.length > 0 ? t('login.browserLacks', { what: what.join(', ') }) : t('login.browser');
    return <Note tone="bad" icon="warn" title={t('login.browserTitle')} text={text} />;
  }
  if (verdict === 'insecure') {
    return <Note tone="bad" icon="lock" title={t('login.browserTitle')} text={t('login.insecure')} />;
  }
  if (verdict === 'ok' || seen) return null;
  const dismiss = () => {
    rememberAdvice();
    setSeen(true);
  };
  return (
    <Note
      icon="info"
      title={t('login.edgeTitle')}
      text={t('login.browser')}
      action={
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('common.dismiss')} onClick={dismiss}>
          <Icon name="x" size={16} />
        </ActionIcon>
      }
    />
  );
}
