import { reasonText } from '@/features/remittances/model';
import type { T } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { notice } from '@/shared/ui/dialogs';
import type { Invoice } from '../types';

/** Says why the bank sent a charge back and, to the customer, what can be done about it. */
export function showReturnReason(t: T, language: string, invoice: Invoice, advice: boolean): void {
  const { returnReason } = invoice;
  void notice({
    title: t('invoices.returnTitle'),
    tone: 'bad',
    text: (
      <>
        <p>{t('invoices.returnText', { number: invoice.number, total: euros(invoice.total, language) })}</p>
        <p>
          {returnReason ? (
            <>
              {t('invoices.returnCode')}: <b>{reasonText(t, returnReason)}</b>{' '}
              <span className="num">({returnReason.code})</span>
            </>
          ) : (
            t('invoices.returnNoCode')
          )}
        </p>
        {advice && <p>{t('invoices.returnAdvice')}</p>}
      </>
    ),
  });
}
