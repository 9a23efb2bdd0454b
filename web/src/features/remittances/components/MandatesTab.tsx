import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { dayText } from '@/shared/lib/months';
import { useOpened } from '@/shared/lib/use-opened';
import { menuLabel } from '@/shared/routes/labels';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { listMandates } from '../api';
import { MANDATE_STATES } from '../model';
import type { Mandate } from '../types';
import { MandateDrawer } from './MandateDrawer';
import { MandateTag } from './StateTag';

const num = (text: string | number) => <span className="num">{text}</span>;

/** The mandates of every customer. */
export function MandatesTab({ above }: { above: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const list = useListState({ sort: '-createdAt', filters: ['status'] });
  const source = useQuery(listMandates(list));
  const panel = useOpened();
  const opened = source.data?.rows.find(({ _id }) => _id === panel.opened) ?? null;
  return (
    <>
      <DataList<Mandate>
        name="mandates"
        title={t('sepa.title')}
        subtitle={source.data && t('sepa.mandatesCount', { count: source.data.total })}
        above={above}
        list={list}
        source={source}
        columns={columnsOf(t, language)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: row.company,
          badge: <MandateTag mandate={row} />,
          text: `${row.umr} · ${row.scheme}`,
          aside: dayText(row.signedAt, language),
        })}
        open={{ href: (row) => panel.href(row._id), go: (row) => panel.open(row._id) }}
        search={t('sepa.searchMandate')}
        filters={[
          {
            name: 'status',
            label: t('sepa.state'),
            options: Object.keys(MANDATE_STATES).map((state) => ({
              value: state,
              label: menuLabel(t, `sepa.mandate_${state}`),
            })),
          },
        ]}
        empty={{ icon: 'pen', title: t('sepa.noMandates'), text: t('sepa.noMandatesText') }}
      />
      <MandateDrawer mandate={opened} onClose={panel.close} />
    </>
  );
}

const columnsOf = (t: T, language: string): ListColumn<Mandate>[] => [
  { key: 'company', title: t('sepa.customer'), render: (row) => row.company, fixed: true },
  { key: 'umr', title: t('sepa.umr'), render: (row) => num(row.umr), help: t('sepa.umrHelp') },
  { key: 'iban', title: t('companies.iban'), render: (row) => num(row.iban) },
  { key: 'scheme', title: t('sepa.scheme'), render: (row) => row.scheme, help: t('sepa.schemeHelp') },
  {
    key: 'signedAt',
    title: t('sepa.signedAt'),
    render: (row) => num(dayText(row.signedAt, language)),
  },
  {
    key: 'signature',
    title: t('sepa.signature'),
    help: t('sepa.signatureHelp'),
    render: (row) => (row.signature ? menuLabel(t, `sepa.signature_${row.signature}`) : '–'),
  },
  {
    key: 'lastUsedAt',
    title: t('sepa.lastUsedAt'),
    render: (row) => num(shortDate(row.lastUsedAt, language)),
    off: true,
  },
  { key: 'createdAt', title: t('sepa.createdAt'), render: (row) => num(shortDate(row.createdAt, language)), off: true },
  { key: 'status', title: t('sepa.state'), render: (row) => <MandateTag mandate={row} /> },
];
