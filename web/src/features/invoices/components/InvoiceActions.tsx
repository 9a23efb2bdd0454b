import { Button, Menu } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText, useT } from '@/shared/i18n';
import { confirm } from '@/shared/ui/dialogs';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { toast } from '@/shared/ui/toast';
import { cancel, markUnpaid } from '../api';
import { type Action, actionsOf } from '../model';
import type { Invoice } from '../types';
import { useInvoiceFiles } from '../use-files';
import classes from './drawer.module.css';
import { PaidDialog } from './PaidDialog';
import { RectifyDialog } from './RectifyDialog';

interface InvoiceActionsProps {
  invoice: Invoice;
  admin: boolean;
  onOpen: (id: string) => void;
}

const ICONS: Record<Action, IconName> = { paid: 'check', unpaid: 'warn', rectify: 'undo', cancel: 'x' };

/** The lists and figures that a change of an invoice moves. */
export const INVOICE_KEYS = [['list_invoices'], ['get_invoice'], ['get_invoice_statistics']];

/** The files of an invoice, and what the administrator may do to it. */
export function InvoiceActions({ invoice, admin, onOpen }: InvoiceActionsProps) {
  const t = useT();
  const client = useQueryClient();
  const files = useInvoiceFiles(invoice);
  const [dialog, setDialog] = useState<'rectify' | 'paid' | null>(null);
  const actions = admin ? actionsOf(invoice) : [];
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
  const words: Record<Action, string> = {
    paid: t('invoices.markPaid'),
    unpaid: t('invoices.markUnpaid'),
    rectify: t('invoices.rectify'),
    cancel: t('invoices.cancel'),
  };
  const run = (action: Action) => (action === 'rectify' || action === 'paid' ? setDialog(action) : void ask(action));
  return (
    <div className={classes.actions}>
      <Button
        leftSection={<Icon name="doc" size={16} />}
        loading={files.running === 'open'}
        onClick={() => files.run('open')}
      >
        {t('invoices.print')}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="dl" size={16} />}
        loading={files.running === 'pdf'}
        onClick={() => files.run('pdf')}
      >
        {t('invoices.downloadPdf')}
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="code" size={16} />}
        loading={files.running === 'facturae'}
        onClick={() => files.run('facturae')}
      >
        {t('invoices.facturae')}
      </Button>
      {actions.length > 0 && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <Button variant="default" loading={change.isPending} rightSection={<Icon name="down" size={16} />}>
              {t('invoices.actions')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>
            {actions.map((action) => (
              <Menu.Item key={action} leftSection={<Icon name={ICONS[action]} size={16} />} onClick={() => run(action)}>
                {words[action]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
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
    </div>
  );
}
