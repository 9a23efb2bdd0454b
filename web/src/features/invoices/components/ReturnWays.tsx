import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useT } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { type ReturnWay, returnWays } from '../model';
import type { Invoice } from '../types';
import type { InvoiceChange } from '../use-invoice-change';
import classes from './drawer.module.css';

const ICONS: Record<ReturnWay, IconName> = { data: 'bld', again: 'refresh', paid: 'check', unpaid: 'warn' };

interface ReturnWaysProps {
  invoice: Invoice;
  /** Of the administrator; the customer mends the account. */
  change: InvoiceChange | null;
}

/** The ways out of a receipt that came back; the best one for the bank's reason is filled. */
export function ReturnWays({ invoice, change }: ReturnWaysProps) {
  const t = useT();
  const profile = paths.companyProfile(invoice.customerId);
  if (!change) {
    return (
      <div className={classes.ways}>
        <Button component={Link} to={profile} variant="default" size="xs" leftSection={<Icon name="bld" size={16} />}>
          {t('invoices.wayIban')}
        </Button>
      </div>
    );
  }
  const words: Record<ReturnWay, string> = {
    data: t('invoices.wayData'),
    again: t('invoices.wayAgain'),
    paid: t('invoices.wayPaid'),
    unpaid: t('invoices.wayUnpaid'),
  };
  return (
    <ul className={classes.ways} aria-label={t('invoices.ways')}>
      {returnWays(invoice).map((way, place) => {
        const look = {
          size: 'xs',
          variant: place === 0 ? 'filled' : 'default',
          leftSection: <Icon name={ICONS[way]} size={16} />,
        };
        const leads = way === 'data' ? profile : way === 'again' ? paths.remittances() : null;
        return (
          <li key={way}>
            {leads ? (
              <Button component={Link} to={leads} {...look}>
                {words[way]}
              </Button>
            ) : (
              <Button {...look} onClick={() => (way === 'paid' || way === 'unpaid') && change.run(way)}>
                {words[way]}
              </Button>
            )}
          </li>
        );
      })}
    </ul>
  );
}
