import type { T } from '@/shared/i18n';
import { coded, reasonText } from '@/shared/lib/bank-reason';
import { euros } from '@/shared/lib/money';
import { confirm } from '@/shared/ui/dialogs';
import type { Invoice } from '../types';

/** What a person has to do after such a return. */
export const nextAfterReturn = (t: T, { returnReason }: Pick<Invoice, 'returnReason'>): string =>
  coded(t, 'next', returnReason?.code ?? '', t('sepa.nextOther'));

/** Says why the bank sent a charge back and what can be done about it. Answers whether the reader wants to do it now. */
export function askAfterReturn(t: T, language: string, invoice: Invoice, advice: boolean): Promise<boolean> {
  const { returnReason } = invoice;
  return confirm({
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
        <p>{advice ? t('invoices.returnAdvice') : nextAfterReturn(t, invoice)}</p>
      </>
    ),
    confirm: advice ? t('invoices.wayIban') : t('invoices.ways'),
    cancel: t('common.close'),
  });
}
