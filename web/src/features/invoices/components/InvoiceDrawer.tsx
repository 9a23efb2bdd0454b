import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText, useLanguage, useT } from '@/shared/i18n';
import { euros } from '@/shared/lib/money';
import { paths } from '@/shared/routes/paths';
import { StatementLines } from '@/shared/statement/StatementLines';
import { countsCalls } from '@/shared/statement/words';
import { DetailDrawer } from '@/shared/ui/DetailDrawer';
import { StateView } from '@/shared/ui/StateView';
import { getInvoice } from '../api';
import { periodText } from '../model';
import type { Invoice, InvoiceDetails } from '../types';
import { useInvoiceChange } from '../use-invoice-change';
import classes from './drawer.module.css';
import { InvoiceActions } from './InvoiceActions';
import { InvoiceFacts } from './InvoiceFacts';
import { InvoiceMessages } from './InvoiceMessages';
import { InvoiceNotes } from './InvoiceNotes';
import { StatusCell } from './StatusTag';

interface InvoiceDrawerProps {
  /** `null` is closed. */
  id: string | null;
  admin: boolean;
  /** Shows another invoice in its place, such as the one that rectifies it. */
  onOpen: (id: string) => void;
  onClose: () => void;
}

/** An invoice on the right of the list: its total, what may be done, the lines down to each call, who and when. */
export function InvoiceDrawer({ id, admin, onOpen, onClose }: InvoiceDrawerProps) {
  const t = useT();
  return (
    <DetailDrawer
      of={id}
      onClose={onClose}
      size={800}
      title={t('invoices.details')}
      classNames={{ body: classes.body, header: classes.header }}
    >
      {(one) => <Details key={one} id={one} admin={admin} onOpen={onOpen} />}
    </DetailDrawer>
  );
}

type DetailsProps = Pick<InvoiceDrawerProps, 'admin' | 'onOpen'> & { id: string };

function Details({ id, admin, onOpen }: DetailsProps) {
  const t = useT();
  const { data, error, refetch } = useQuery(getInvoice(id));
  if (error && !data) {
    const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
    const text = errorText(t, error);
    return <StateView icon="warn" tone="bad" title={t('invoices.detailsFailed')} text={text} action={retry} />;
  }
  if (!data) return <Waiting />;
  if (!data.invoice) return <StateView icon="invoice" title={t('invoices.detailsFailed')} />;
  return <Panel invoice={data.invoice} details={data} admin={admin} onOpen={onOpen} />;
}

type PanelProps = Pick<DetailsProps, 'admin' | 'onOpen'> & { invoice: Invoice; details: InvoiceDetails };

function Panel({ invoice, details, admin, onOpen }: PanelProps) {
  const t = useT();
  const language = useLanguage();
  const kind = invoice.kind === 'rectifying' ? t('invoices.rectifying') : t('invoices.normal');
  const change = useInvoiceChange(invoice, onOpen);
  const opens = invoice.kind === 'normal' && details.lines.some(countsCalls);
  return (
    <div className={classes.panel}>
      <div className={classes.top}>
        <div className={classes.name}>
          <h2 className="num">{invoice.number}</h2>
          <StatusCell invoice={invoice} className={classes.state} />
          <p className={classes.quiet}>
            {[kind, periodText(invoice, language), admin && invoice.company].filter(Boolean).join(' · ')}
          </p>
        </div>
        <b className={`${classes.sum} num`}>{euros(invoice.total, language)}</b>
        <InvoiceActions
          invoice={invoice}
          admin={admin}
          change={change}
          quiet={admin && invoice.status === 'returned'}
        />
      </div>
      <InvoiceNotes invoice={invoice} change={admin ? change : null} onOpen={onOpen} />
      <section className={classes.part}>
        <h3>{t('invoices.linesTitle')}</h3>
        {opens && <p className={classes.hint}>{t('invoices.linesText')}</p>}
        <StatementLines
          id={invoice._id}
          lines={details.lines}
          totals={details.totals}
          caseHref={opens ? paths.expedient : null}
        />
      </section>
      <section className={classes.part}>
        <h3>{t('invoices.dates')}</h3>
        <InvoiceFacts invoice={invoice} header={details.header} />
      </section>
      <InvoiceMessages invoice={invoice} />
    </div>
  );
}

function Waiting() {
  return (
    <div className={classes.panel} aria-hidden="true">
      <div className={classes.top}>
        <div className={classes.name}>
          <Skeleton h={26} w={180} />
          <Skeleton h={14} w={220} mt={8} />
        </div>
      </div>
      <Skeleton h={220} radius="lg" />
    </div>
  );
}
