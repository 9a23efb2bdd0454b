import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { madridClock } from '@/shared/lib/dates';
import { Note } from '@/shared/ui/Note';
import { auditChain } from '../api';

/** Says whether the log's chain holds: quietly while it does, loudly when somebody changed what was written. */
export function ChainNote() {
  const t = useT();
  const language = useLanguage();
  const { data: chain } = useQuery(auditChain);
  if (!chain) return null;
  if (chain.state === 'whole') {
    const time = madridClock(chain.checkedAt, language);
    return <Note tone="ok" icon="check" text={t('audit.chainWhole', { count: chain.entries, time })} />;
  }
  const place = chain.broken?.seq;
  return (
    <Note
      tone="bad"
      icon="warn"
      text={place ? t('audit.chainBroken', { place: String(place) }) : t('audit.chainOutside')}
    />
  );
}
