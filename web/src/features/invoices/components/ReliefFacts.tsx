import { useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { FactList } from '@/shared/ui/FactList';
import { Note } from '@/shared/ui/Note';
import type { Invoice } from '../types';

/** The conditions of art. 80 LIVA under which a rectifying invoice lowers the base alone. */
export function ReliefFacts({ relief }: { relief: NonNullable<Invoice['relief']> }) {
  const t = useT();
  const language = useLanguage();
  const day = (value: string | null | undefined) => value && dayText(value, language);
  return (
    <Note
      icon="info"
      title={t('invoices.reliefDebtStays')}
      text={
        <>
          {relief.notifyBy && <p>{t('invoices.reliefNotify', { date: dayText(relief.notifyBy, language) })}</p>}
          <FactList
            facts={[
              [t('invoices.reliefOrder'), day(relief.orderDate)],
              [t('invoices.reliefPublished'), day(relief.publishedOn)],
              [t('invoices.reliefClaim'), relief.claim && t(`invoices.reliefClaim_${relief.claim}`)],
              [t('invoices.reliefClaimed'), day(relief.claimedOn)],
              [relief.orderDate ? t('invoices.reliefCourt') : t('invoices.reliefReference'), relief.reference],
            ]}
          />
        </>
      }
    />
  );
}
