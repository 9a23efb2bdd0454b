import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { confirm } from '@/shared/ui/dialogs';
import { toast } from '@/shared/ui/toast';
import { cancel, markUnpaid } from './api';
import { PaidDialog } from './components/PaidDialog';
import { RectifyDialog } from './components/RectifyDialog';
import type { Action } from './model';
import type { Invoice } from './types';

/** The lists and figures that a change of an invoice moves. */
const INVOICE_KEYS = [['list_invoices'], ['get_invoice'], ['get_invoice_statistics']];

export type InvoiceChange = ReturnType<typeof useInvoiceChange>;

/** What the administrator does to an invoice, each after its question. `dialogs` has to stand somewhere on the page. */
export function useInvoiceChange(invoice: Invoice, onOpen: (id: string) => void) {
  const t = useT();
  const client = useQueryClient();
  const [dialog, setDialog] = useState<'rectify' | 'paid' | null>(null);
  const { number } = invoice;
  const changed = () => Promise.all(INVOICE_KEYS.map((queryKey) => client.invalidateQueries({ queryKey })));
  const change = useMutation({
    mutationFn: (action: 'cancel' | 'unpaid') => (action === 'cancel' ? cancel(invoice._id) : markUnpaid(invoice._id)),
    onSuccess: async (_answer, action) => {
      toast.ok({ title: action === 'cancel' ? t('invoices.cancelled', { number }) : t('invoices.unpaid', { number }) });
      await changed();
    },
    onError: (error) => toast.error({ title: t('invoices.actionFailed'), text: errorText(t, error) }),
  });
  const ask = async (action: 'cancel' | 'unpaid') => {
    const asked =
      action === 'cancel'
        ? {
            title: t('invoices.cancelTitle', { number }),
            text: t('invoices.cancelText'),
            confirm: t('invoices.cancelConfirm'),
            danger: true,
          }
        : {
            title: t('invoices.unpaidTitle', { number }),
            text: t('invoices.unpaidText'),
            confirm: t('invoices.unpaidConfirm'),
          };
    if (await confirm(asked)) change.mutate(action);
  };
  return {
    busy: change.isPending,
    run: (action: Action) => (action === 'rectify' || action === 'paid' ? setDialog(action) : void ask(action)),
    dialogs: (
      <>
        <PaidDialog invoice={invoice} opened={dialog === 'paid'} onClose={() => setDialog(null)} onDone={changed} />
        <RectifyDialog
          invoice={invoice}
          opened={dialog === 'rectify'}
          onClose={() => setDialog(null)}
          onDone={async (made) => {
            await changed();
            onOpen(made._id);
          }}
        />
      </>
    ),
  };
}
