import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { count } from '@/shared/lib/money';
import { Note } from '@/shared/ui/Note';
import { brokenText, type ChainCheck } from '../model';

/** What the check of the chain found. */
export function CheckResult({ check }: { check: ChainCheck }) {
  const t = useT();
  const language = useLanguage();
  if (check.brokenAt) {
    const { seq, number, reason } = check.brokenAt;
    return (
      <Note
        tone="bad"
        icon="warn"
        title={t('verifactu.chainBroken', { seq })}
        text={t('verifactu.chainBrokenText', { number, reason: brokenText(t, reason) })}
      />
    );
  }
  if (check.records === 0) return <Note icon="info" text={t('verifactu.chainEmpty')} />;
  const when = check.checkedAt && t('verifactu.checkedAt', { date: shortDateTime(check.checkedAt, language) });
  const text = [t('verifactu.chainOkText', { count: check.records, n: count(check.records, language) }), when]
    .filter(Boolean)
    .join(' ');
  return (
    <output>
      <Note tone="ok" icon="check" title={t('verifactu.chainOk')} text={text} />
    </output>
  );
}
