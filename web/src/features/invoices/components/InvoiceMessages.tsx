import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { dayText } from '@/shared/lib/months';
import { FactList } from '@/shared/ui/FactList';
import { invoiceMessages } from '../api';
import type { Invoice } from '../types';
import classes from './drawer.module.css';
import { MessageDialog } from './MessageDialog';

/** What the recipient said of the invoice; nothing where nothing is kept and nothing new is taken. */
export function InvoiceMessages({ invoice }: { invoice: Invoice }) {
  const t = useT();
  const language = useLanguage();
  const [opened, { open, close }] = useDisclosure(false);
  const { data } = useQuery(invoiceMessages(invoice._id));
  if (!data || (!data.open && data.messages.length === 0)) return null;
  const facts = data.messages.map(({ status, day, reason, byCustomer }): [string, ReactNode] => [
    t(`invoices.said_${status}`),
    [dayText(day, language), reason, byCustomer ? null : t('invoices.saidNoted')].filter(Boolean).join(' · '),
  ]);
  return (
    <section className={classes.part}>
      <h3>{t('invoices.messages')}</h3>
      {facts.length > 0 ? (
        <FactList className={classes.facts} facts={facts} />
      ) : (
        <p className={classes.hint}>{t('invoices.messagesNone')}</p>
      )}
      {data.open && (
        <div>
          <Button variant="default" onClick={open}>
            {t('invoices.messageAdd')}
          </Button>
        </div>
      )}
      <MessageDialog invoice={invoice} opened={opened} onClose={close} />
    </section>
  );
}
