import { useT } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { Note } from '@/shared/ui/Note';
import type { Invoice, Reference } from '../types';
import type { InvoiceChange } from '../use-invoice-change';
import classes from './drawer.module.css';
import { ReliefFacts } from './ReliefFacts';
import { nextAfterReturn } from './ReturnReason';
import { ReturnWays } from './ReturnWays';

interface InvoiceNotesProps {
  invoice: Invoice;
  /** What the administrator may do to it; none for the customer. */
  change: InvoiceChange | null;
  onOpen: (id: string) => void;
}

/** What one must know of an invoice before its lines: that it came back and the ways out, what it rectifies or what rectified it. */
export function InvoiceNotes({ invoice, change, onOpen }: InvoiceNotesProps) {
  const t = useT();
  const { returnReason, rectifies, rectifiedBy, reason: because } = invoice;
  const link = (label: string, to: Reference, more?: string | null) => (
    <Note
      icon="undo"
      text={
        <>
          {label}{' '}
          <button type="button" className={`${classes.link} num`} onClick={() => onOpen(to._id)}>
            {to.number}
          </button>
          {more && <p>{more}</p>}
        </>
      }
    />
  );
  const reason = returnReason ? `${reasonText(t, returnReason)} (${returnReason.code})` : t('invoices.returnNoCode');
  return (
    <>
      {invoice.status === 'returned' && (
        <Note
          tone="bad"
          icon="warn"
          title={t('invoices.returnTitle')}
          text={
            <>
              <b>{reason}</b>
              <p>{change ? nextAfterReturn(t, invoice) : t('invoices.returnAdvice')}</p>
              <ReturnWays invoice={invoice} change={change} />
            </>
          }
        />
      )}
      {rectifies && link(t('invoices.rectifies'), rectifies, because && t('invoices.becauseOf', { reason: because }))}
      {invoice.relief && <ReliefFacts relief={invoice.relief} />}
      {rectifiedBy && link(t('invoices.rectifiedBy'), rectifiedBy)}
    </>
  );
}
