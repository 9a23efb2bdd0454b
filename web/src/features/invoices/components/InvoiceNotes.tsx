import { reasonText } from '@/features/remittances/model';
import { useT } from '@/shared/i18n';
import { Note } from '@/shared/ui/Note';
import type { Invoice, Reference } from '../types';
import classes from './drawer.module.css';

interface InvoiceNotesProps {
  invoice: Invoice;
  /** Whether the reader can do something about a returned charge. */
  advice: boolean;
  onOpen: (id: string) => void;
}

/** What one must know of an invoice before its lines: that it came back, what it rectifies or what rectified it. */
export function InvoiceNotes({ invoice, advice, onOpen }: InvoiceNotesProps) {
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
          text={advice ? `${reason}. ${t('invoices.returnAdvice')}` : reason}
        />
      )}
      {rectifies && link(t('invoices.rectifies'), rectifies, because && t('invoices.becauseOf', { reason: because }))}
      {rectifiedBy && link(t('invoices.rectifiedBy'), rectifiedBy)}
    </>
  );
}
