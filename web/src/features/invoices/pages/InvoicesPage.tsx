import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { EVERYBODY, usePageCompany } from '@/shared/company/use-page-company';
import { useLanguage, useT } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { euros } from '@/shared/lib/money';
import { monthsOf } from '@/shared/lib/months';
import { usePage } from '@/shared/lib/page';
import { useOpened } from '@/shared/lib/use-opened';
import { paths } from '@/shared/routes/paths';
import { DataList } from '@/shared/ui/DataList';
import { MonthRange } from '@/shared/ui/MonthRange';
import { exportInvoices, getStatistics, listInvoices } from '../api';
import { columnsOf } from '../columns';
import { InvoiceDrawer } from '../components/InvoiceDrawer';
import classes from '../components/invoices.module.css';
import { Overview } from '../components/Overview';
import { RowActions } from '../components/RowActions';
import { StatusTag, statusDetail } from '../components/StatusTag';
import { periodText, statusText } from '../model';
import { type Invoice, STATUSES } from '../types';

const FILTERS = ['from', 'to', 'status'];

/**
 * `/invoices/{parent}`: the invoices of a company month by month, what runs and what came back; parent `0` is everybody's,
 * for the administrator. A row opens its lines (`?open={id}`).
 */
export function InvoicesPage() {
  const t = useT();
  const language = useLanguage();
  const narrow = useMediaQuery('(max-width: 768px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const list = useListState({ sort: '-issueDate', filters: FILTERS });
  const company = usePageCompany(paths.invoices);
  const everybody = company.admin && company.id === EVERYBODY;
  const today = madridDay(new Date().toISOString()).slice(0, 7);
  const months = monthsOf(list.filters, today);
  const { from: _from, to: _to, ...filters } = list.filters;
  const shown = { ...list, filters };
  const source = useQuery(listInvoices(company.id, months, shown));
  const statistics = useQuery(getStatistics(company.id, months));
  const panel = useOpened();
  const title = t('invoices.title');
  const isDefault = !list.filters.from && !list.filters.to;
  usePage({ title });
  const nothing = everybody
    ? { title: t('invoices.emptyAll'), text: t('invoices.emptyAllText') }
    : { title: t('invoices.empty'), text: t('invoices.emptyText') };
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1>{title}</h1>
        {source.data && (
          <span className={`${classes.subtitle} num`}>{t('invoices.count', { count: source.data.total })}</span>
        )}
        <span className={classes.grow} />
        {company.admin && (
          <CompanyPicker
            className={classes.company}
            label={t('invoices.everybody')}
            kinds={[2]}
            value={company.value}
            chosenName={company.name}
            onChange={company.choose}
          />
        )}
        <MonthRange
          {...months}
          max={today}
          isDefault={isDefault}
          onRange={(from, to) => list.setFilters({ from, to })}
        />
      </div>
      <Overview
        query={statistics}
        consumptionHref={everybody ? null : paths.consumption(company.id)}
        onReturned={() => list.setFilter('status', 'returned')}
      />
      <DataList<Invoice>
        embedded
        name={everybody ? 'invoices-all' : 'invoices'}
        title={title}
        list={shown}
        source={source}
        columns={columnsOf(t, language, everybody)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: <span className="num">{row.number}</span>,
          badge: <StatusTag invoice={row} />,
          text: [everybody && row.company, periodText(row, language), statusDetail(t, language, row)]
            .filter(Boolean)
            .join(' · '),
          aside: <b className={classes.money}>{euros(row.total, language)}</b>,
        })}
        open={{ href: (row) => panel.href(row._id), go: (row) => panel.open(row._id) }}
        actions={(row) => (
          <RowActions invoice={row} advice={!company.admin} narrow={narrow} onWays={() => panel.open(row._id)} />
        )}
        search={everybody ? t('invoices.search') : t('invoices.searchOwn')}
        filters={[
          {
            name: 'status',
            label: t('invoices.status'),
            options: STATUSES.map((status) => ({ value: status, label: statusText(t, status) })),
          },
        ]}
        onExport={() => exportInvoices(company.id, months, shown, t('invoices.exportName'))}
        empty={isDefault ? { icon: 'invoice', ...nothing } : { icon: 'invoice', title: t('invoices.emptyRange') }}
      />
      <Link className={classes.statement} to={paths.declaration()}>
        {t('shell.declaration')} · Veri*Factu
      </Link>
      <InvoiceDrawer id={panel.opened} admin={company.admin} onOpen={panel.open} onClose={panel.close} />
    </div>
  );
}
