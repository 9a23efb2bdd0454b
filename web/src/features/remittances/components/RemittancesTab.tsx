import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { euros } from '@/shared/lib/money';
import { dayText } from '@/shared/lib/months';
import { useOpened } from '@/shared/lib/use-opened';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { listRemittances } from '../api';
import type { Remittance } from '../types';
import { RemittanceDrawer } from './RemittanceDrawer';
import { RemittanceTag } from './StateTag';

const num = (text: string | number) => <span className="num">{text}</span>;

/** The days on which its blocks are collected, each once. */
const collectionDays = ({ blocks }: Remittance, language: string): string =>
  [...new Set(blocks.map(({ collectionDate }) => collectionDate))]
    .sort()
    .map((day) => dayText(day, language))
    .join(', ') || '–';

/** Every file that was made, and what became of its debits. */
export function RemittancesTab({ above }: { above: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-createdAt' });
  const source = useQuery(listRemittances(list));
  const panel = useOpened();
  return (
    <>
      <DataList<Remittance>
        name="remittances"
        title={t('sepa.title')}
        subtitle={source.data && t('sepa.remittancesCount', { count: source.data.total })}
        above={above}
        list={list}
        source={source}
        columns={columnsOf(t, language)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: row.msgId,
          badge: <RemittanceTag status={row.status} />,
          text: `${t('sepa.debitsCount', { count: row.nbOfTxs })} · ${collectionDays(row, language)}`,
          aside: euros(row.ctrlSum, language),
        })}
        open={{ href: (row) => panel.href(row._id), go: (row) => panel.open(row._id) }}
        empty={{ icon: 'euro', title: t('sepa.noRemittances'), text: t('sepa.noRemittancesText') }}
      />
      <RemittanceDrawer id={panel.opened} onClose={panel.close} />
    </>
  );
}

const columnsOf = (t: T, language: string): ListColumn<Remittance>[] => [
  { key: 'msgId', title: t('sepa.msgId'), render: (row) => num(row.msgId), fixed: true },
  { key: 'createdAt', title: t('sepa.createdAt'), render: (row) => num(shortDateTime(row.createdAt, language)) },
  { key: 'by', title: t('sepa.by'), render: (row) => row.createdBy ?? '–', off: true },
  { key: 'collection', title: t('sepa.collectionDate'), render: (row) => num(collectionDays(row, language)) },
  { key: 'count', title: t('sepa.debits'), render: (row) => num(row.nbOfTxs), right: true },
  { key: 'sum', title: t('sepa.sum'), render: (row) => num(euros(row.ctrlSum, language)), right: true },
  {
    key: 'paid',
    title: t('sepa.paidSum'),
    render: (row) => num(euros(row.paid.amount, language)),
    right: true,
  },
  {
    key: 'returned',
    title: t('sepa.returnedSum'),
    help: t('sepa.returnedHelp'),
    render: (row) => num(row.returned.count ? `${euros(row.returned.amount, language)} (${row.returned.count})` : '–'),
    right: true,
  },
  { key: 'status', title: t('sepa.state'), render: (row) => <RemittanceTag status={row.status} /> },
];
