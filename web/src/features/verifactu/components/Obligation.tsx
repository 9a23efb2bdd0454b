import { useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { Note } from '@/shared/ui/Note';
import type { Verifactu } from '../model';

/** Why no invoice is issued in this mode, or from when on. */
export function Obligation({ state: { mode, blocked, bindingFrom } }: { state: Verifactu }) {
  const t = useT();
  const language = useLanguage();
  const date = dayText(bindingFrom, language);
  if (blocked) {
    return <Note tone="bad" icon="warn" title={t('verifactu.blocked')} text={t('verifactu.blockedText', { date })} />;
  }
  return mode === 'production' ? null : <Note icon="clock" text={t('verifactu.bindingSoon', { date })} />;
}
