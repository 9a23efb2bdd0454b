import { useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { Tag } from '@/shared/ui/Tag';
import { STATUS_LOOK, statusText } from '../model';
import type { Invoice, InvoiceStatus } from '../types';

/** Of these the status itself says that the money has not come, or has. */
const SETTLED: InvoiceStatus[] = ['returned', 'unpaid', 'paid', 'rectified', 'cancelled'];

type Shown = Pick<Invoice, 'status' | 'overdue' | 'kind' | 'revocableUntil'>;

/**
 * An invoice's status in a word. Beside it: that it rectifies another, that it should have been paid by now, or until
 * when the customer's bank may still take a collected debit back.
 */
export function StatusTag({ invoice: { status, overdue, kind, revocableUntil } }: { invoice: Shown }) {
  const t = useT();
  const language = useLanguage();
  const { tone, icon } = STATUS_LOOK[status] ?? STATUS_LOOK.issued;
  return (
    <>
      <Tag tone={tone} icon={icon}>
        {statusText(t, status)}
      </Tag>
      {kind === 'rectifying' && <Tag icon="undo">{t('invoices.rectifyingTag')}</Tag>}
      {status === 'paid' && revocableUntil && (
        <Tag icon="clock">{t('invoices.revocableTag', { date: dayText(revocableUntil, language) })}</Tag>
      )}
      {overdue && !SETTLED.includes(status) && (
        <Tag tone="warn" icon="clock">
          {t('invoices.overdue')}
        </Tag>
      )}
    </>
  );
}
