import { type T, useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { Tag } from '@/shared/ui/Tag';
import { isOverdue, STATUS_LOOK, statusText } from '../model';
import type { Invoice } from '../types';

type Shown = Pick<Invoice, 'status' | 'overdue' | 'kind' | 'revocableUntil'>;

/** An invoice's status in a word: one badge, and of what should have been paid by now that it is overdue. */
export function StatusTag({ invoice }: { invoice: Shown }) {
  const t = useT();
  if (isOverdue(invoice)) {
    return (
      <Tag tone="warn" icon="clock">
        {t('invoices.overdue')}
      </Tag>
    );
  }
  const { tone, icon } = STATUS_LOOK[invoice.status] ?? STATUS_LOOK.issued;
  return (
    <Tag tone={tone} icon={icon}>
      {statusText(t, invoice.status)}
    </Tag>
  );
}

/**
 * What stands beside or below the badge in small words: how far what is overdue had come, that it rectifies another, until
 * when the customer's bank may still take a collected debit back. Empty for most.
 */
export function statusDetail(t: T, language: string, invoice: Shown): string {
  const { status, kind, revocableUntil } = invoice;
  return [
    isOverdue(invoice) && statusText(t, status),
    kind === 'rectifying' && t('invoices.rectifyingTag'),
    status === 'paid' && revocableUntil && t('invoices.revocableTag', { date: dayText(revocableUntil, language) }),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The badge with its small words, in the room of a column. */
export function StatusCell({ invoice, className }: { invoice: Shown; className?: string }) {
  const t = useT();
  const language = useLanguage();
  const detail = statusDetail(t, language, invoice);
  return (
    <span className={className} data-whole>
      <StatusTag invoice={invoice} />
      {detail && <small>{detail}</small>}
    </span>
  );
}
