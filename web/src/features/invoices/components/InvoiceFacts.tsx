import type { ReactNode } from 'react';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate, shortDateTime } from '@/shared/lib/dates';
import { dayText } from '@/shared/lib/months';
import { FactList } from '@/shared/ui/FactList';
import type { Invoice, InvoiceDetails, Party } from '../types';
import classes from './drawer.module.css';

/** The invoice's days, its parties and how it is paid. */
export function InvoiceFacts({ invoice, header }: { invoice: Invoice; header: InvoiceDetails['header'] }) {
  const t = useT();
  const language = useLanguage();
  const { payment } = header;
  const day = (value: string | null | undefined) => value && dayText(value, language);
  const facts: [string, ReactNode][] = [
    [t('invoices.issueDate'), day(invoice.issueDate)],
    [t('invoices.operationDate'), day(invoice.operationDate)],
    [t('invoices.sentAt'), invoice.sentAt && shortDateTime(invoice.sentAt, language)],
    [t('invoices.dueDate'), day(invoice.dueDate)],
    [t('invoices.chargeDate'), day(invoice.chargeDate)],
    [t('invoices.paidFact'), paidText(t, invoice, language)],
    [t('invoices.revocable'), day(invoice.revocableUntil)],
    [
      t('invoices.payment'),
      payment ? (
        <Lines
          key="payment"
          lines={[
            t('invoices.directDebit'),
            payment.iban.replaceAll('*', '•'),
            payment.umr && t('invoices.mandate', { umr: payment.umr }),
          ]}
        />
      ) : (
        <Lines
          key="payment"
          lines={[
            t('invoices.transfer'),
            header.transferIban && t('invoices.transferTo', { iban: header.transferIban }),
          ]}
        />
      ),
    ],
    [t('invoices.issuer'), <PartyLines key="issuer" party={header.issuer} />],
    [t('invoices.recipient'), <PartyLines key="recipient" party={header.recipient} />],
  ];
  return <FactList className={classes.facts} facts={facts} />;
}

/** `22 nov 2026, por transferencia`. */
const paidText = (t: T, { paidAt, paidBy }: Invoice, language: string) =>
  paidAt && [shortDate(paidAt, language), paidBy && t(`invoices.paidBy_${paidBy}`)].filter(Boolean).join(', ');

const Lines = ({ lines }: { lines: (string | null | undefined)[] }) =>
  lines.map((line) => line && <span key={line}>{line}</span>);

function PartyLines({ party }: { party: Party }) {
  const t = useT();
  const place = [party.postalCode, party.city].filter(Boolean).join(' ');
  const lines = [
    party.company,
    party.cif && t('invoices.taxId', { cif: party.cif }),
    party.address,
    [place, party.region].filter(Boolean).join(', '),
    party.registryData ?? null,
  ];
  return <Lines lines={lines} />;
}
