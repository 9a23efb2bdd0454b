import { Button } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { useListState } from '@/shared/lib/list-state';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { paths } from '@/shared/routes/paths';
import { DataList, type ListColumn, type ListControls, type ListSource } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { Segmented } from '@/shared/ui/Segmented';
import { getDue } from '../api';
import { excludedNext, excludedText, noticeText } from '../model';
import type { Due, DueInvoice, ExcludedInvoice, RemittanceMade } from '../types';
import { DueSummary } from './DueSummary';
import { MadeModal } from './MadeModal';
import { MakeModal } from './MakeModal';
import { NoticeTag } from './StateTag';

const num = (text: string | number) => <span className="num">{text}</span>;

/** One page of rows that came all at once, searched by number and company. */
function pageOf<R extends { number: string; company: string }>(all: R[], list: ListControls) {
  const wanted = list.search.toLocaleLowerCase();
  const found = all.filter(({ number, company }) => `${number} ${company}`.toLocaleLowerCase().includes(wanted));
  const start = (list.page - 1) * list.pageSize;
  return { rows: found.slice(start, start + list.pageSize), total: found.length };
}

/** What the next remittance takes, what it leaves out and why, and the button that makes it. */
export function DueTab({ above }: { above: ReactNode }) {
  const t = useT();
  const queries = useQueryClient();
  const due = useQuery(getDue());
  const [asking, ask] = useState(false);
  const [made, setMade] = useState<RemittanceMade | null>(null);
  const list = useListState({ sort: 'number', filters: ['show'] });
  // With nothing to collect, what is asked is why: the other list opens by itself.
  const nothing = due.data !== undefined && due.data.nbOfTxs === 0;
  const out = list.filters.show ? list.filters.show === 'out' : nothing && due.data.excluded.length > 0;
  // The choice between the two lists is no search: an empty one says why it is empty.
  const plain = { ...list, filters: {} };
  const incomplete = (due.data?.issuerMissing.length ?? 0) > 0;
  const shared = {
    title: t('sepa.title'),
    list: plain,
    search: t('sepa.searchInvoice'),
    above: (
      <>
        {above}
        {due.data && <DueSummary due={due.data} />}
      </>
    ),
    range: due.data && (
      <div>
        <Segmented
          label={t('sepa.inOrOut')}
          value={out ? 'out' : 'in'}
          onChange={(show) => list.setFilter('show', show)}
          options={[
            { value: 'in', label: t('sepa.in', { count: due.data.invoices.length }) },
            { value: 'out', label: t('sepa.out', { count: due.data.excluded.length }) },
          ]}
        />
      </div>
    ),
    action: (
      <Button
        leftSection={<Icon name="lock" />}
        disabled={!due.data || nothing || incomplete}
        aria-describedby={nothing ? 'nothing-due' : undefined}
        onClick={() => ask(true)}
      >
        {t('sepa.make')}
      </Button>
    ),
  };
  const source = <R extends DueInvoice | ExcludedInvoice>(all: (data: Due) => R[]): ListSource<R> => ({
    ...due,
    data: due.data && pageOf(all(due.data), list),
  });
  return (
    <>
      {out ? (
        <OutList {...shared} source={source(({ excluded }) => excluded)} />
      ) : (
        <InList {...shared} source={source(({ invoices }) => invoices)} />
      )}
      {due.data && (
        <MakeModal
          due={due.data}
          opened={asking}
          onClose={() => ask(false)}
          onMade={(answer) => {
            ask(false);
            setMade(answer);
            for (const key of ['get_remittance_due', 'list_remittances', 'list_invoices'])
              void queries.invalidateQueries({ queryKey: [key] });
          }}
        />
      )}
      <MadeModal made={made} onClose={() => setMade(null)} />
    </>
  );
}

interface ListProps<R> {
  title: string;
  list: ListControls;
  search: string;
  above: ReactNode;
  action: ReactNode;
  range: ReactNode;
  source: ListSource<R>;
}

function InList(shared: ListProps<DueInvoice>) {
  const t = useT();
  const language = useLanguage();
  const columns: ListColumn<DueInvoice>[] = [
    { key: 'number', title: t('sepa.invoice'), render: (row) => num(row.number), fixed: true },
    { key: 'company', title: t('sepa.customer'), render: (row) => row.company },
    { key: 'umr', title: t('sepa.umr'), render: (row) => num(row.umr), help: t('sepa.umrHelp') },
    { key: 'scheme', title: t('sepa.scheme'), render: (row) => row.scheme, help: t('sepa.schemeHelp') },
    { key: 'attempt', title: t('sepa.attempt'), render: (row) => num(row.attempt), right: true, off: true },
    {
      key: 'notified',
      title: t('sepa.notified'),
      help: t('sepa.notifiedHelp'),
      render: (row) => <NoticeTag notified={row.notified} />,
    },
    { key: 'date', title: t('sepa.collectionDate'), render: (row) => num(dayText(row.collectionDate, language)) },
    { key: 'amount', title: t('sepa.amount'), render: (row) => num(euros(row.amount, language)), right: true },
  ];
  return (
    <DataList<DueInvoice>
      name="remittance-due"
      {...shared}
      columns={columns}
      rowKey={(row) => row.invoiceId}
      narrow={(row) => ({
        title: row.number,
        badge: row.attempt > 1 ? t('sepa.attemptN', { n: row.attempt }) : undefined,
        text: `${row.company} · ${noticeText(t, row)}`,
        aside: euros(row.amount, language),
      })}
      empty={{ icon: 'euro', title: t('sepa.noDue'), text: t('sepa.noDueText') }}
    />
  );
}

/** Each leads to its customer, where most of it is mended. */
function OutList(shared: ListProps<ExcludedInvoice>) {
  const t = useT();
  const navigate = useNavigate();
  const language = useLanguage();
  const columns: ListColumn<ExcludedInvoice>[] = [
    { key: 'number', title: t('sepa.invoice'), render: (row) => num(row.number), fixed: true },
    { key: 'company', title: t('sepa.customer'), render: (row) => row.company },
    { key: 'reason', title: t('sepa.outWhy'), render: (row) => excludedText(t, row.reason) },
    { key: 'next', title: t('sepa.toDo'), render: (row) => excludedNext(t, row.reason) || '–' },
    { key: 'amount', title: t('sepa.amount'), render: (row) => num(euros(row.amount, language)), right: true },
  ];
  return (
    <DataList<ExcludedInvoice>
      name="remittance-out"
      {...shared}
      columns={columns}
      rowKey={(row) => row.invoiceId}
      narrow={(row) => ({
        title: `${row.number} · ${row.company}`,
        text: excludedText(t, row.reason),
        aside: euros(row.amount, language),
      })}
      open={{
        href: (row) => paths.companyProfile(row.customerId),
        go: (row) => void navigate({ href: paths.companyProfile(row.customerId) }),
      }}
      empty={{ icon: 'check', title: t('sepa.noOut') }}
    />
  );
}
