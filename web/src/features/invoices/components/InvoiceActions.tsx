import { Button, Menu } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { type Action, actionsOf } from '../model';
import type { Invoice } from '../types';
import { useInvoiceFiles } from '../use-files';
import type { InvoiceChange } from '../use-invoice-change';
import classes from './drawer.module.css';

interface InvoiceActionsProps {
  invoice: Invoice;
  admin: boolean;
  change: InvoiceChange;
  /** Something else is the next step: no button here is filled. */
  quiet: boolean;
}

const ICONS: Record<Action, IconName> = { paid: 'check', unpaid: 'warn', rectify: 'undo', cancel: 'x' };

/** The files of an invoice, and what the administrator may do to it. */
export function InvoiceActions({ invoice, admin, change, quiet }: InvoiceActionsProps) {
  const t = useT();
  const files = useInvoiceFiles(invoice);
  const actions = admin ? actionsOf(invoice) : [];
  const words: Record<Action, string> = {
    paid: t('invoices.markPaid'),
    unpaid: t('invoices.markUnpaid'),
    rectify: t('invoices.rectify'),
    cancel: t('invoices.cancel'),
  };
  return (
    <div className={classes.actions}>
      <Button
        variant={quiet ? 'default' : 'filled'}
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
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <Button
            variant="default"
            loading={files.running === 'ubl' || files.running === 'cii'}
            rightSection={<Icon name="down" size={16} />}
          >
            {t('invoices.formats')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown className={classes.menu}>
          {(['ubl', 'cii'] as const).map((format) => (
            <Menu.Item key={format} leftSection={<Icon name="code" size={16} />} onClick={() => files.run(format)}>
              {t(`invoices.${format}`)}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {actions.length > 0 && (
        <Menu position="bottom-end" width={240}>
          <Menu.Target>
            <Button variant="default" loading={change.busy} rightSection={<Icon name="down" size={16} />}>
              {t('invoices.actions')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown className={classes.menu}>
            {actions.map((action) => (
              <Menu.Item
                key={action}
                leftSection={<Icon name={ICONS[action]} size={16} />}
                onClick={() => change.run(action)}
              >
                {words[action]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {change.dialogs}
    </div>
  );
}
