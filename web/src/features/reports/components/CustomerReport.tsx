import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ConferenceRow } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { useListState } from '@/shared/lib/list-state';
import { paths } from '@/shared/routes/paths';
import { DataList } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { customerConferences, customersWithConferences, exportCustomerConferences, exportCustomers } from '../api';
import { conferenceReport, customerReport } from '../columns';
import type { CustomerCount } from '../model';

/** Customers with what they have opened; one of them leads to all its conferences. The chosen one is in the address. */
export function CustomerReport({ above }: { above: ReactNode }) {
  const list = useListState({ sort: '-createdAt', filters: ['customer'] });
  const chosen = list.filters.customer;
  return chosen ? <Conferences above={above} customer={chosen} /> : <Customers above={above} />;
}

const href = (customer: string) => `${paths.reports()}?tab=customers&customer=${encodeURIComponent(customer)}`;

function Customers({ above }: { above: ReactNode }) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const list = useListState({ sort: 'company' });
  const source = useQuery(customersWithConferences(list));
  const { columns, narrow, icon } = customerReport(t, language);
  return (
    <DataList<CustomerCount>
      name="report-customers"
      title={t('reports.title')}
      subtitle={source.data && t('reports.customersCount', { count: source.data.total })}
      above={above}
      list={list}
      source={source}
      columns={columns}
      rowKey={(row) => row._id}
      narrow={narrow}
      open={{ href: (row) => href(row._id), go: (row) => void navigate({ href: href(row._id) }) }}
      onExport={() => exportCustomers(t('reports.customers').toLowerCase())}
      empty={{ icon, title: t('reports.emptyCustomers') }}
    />
  );
}

function Conferences({ above, customer }: { above: ReactNode; customer: string }) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const list = useListState({ sort: '-createdAt' });
  const source = useQuery(customerConferences(customer, list));
  const { columns, narrow, icon } = conferenceReport(t, language);
  const back = () => void navigate({ href: `${paths.reports()}?tab=customers` });
  const media = (row: ConferenceRow) => paths.conferenceMedia(row._id);
  const name = source.data?.rows[0]?.customerName ?? '';
  return (
    <DataList<ConferenceRow>
      name="report-conferences"
      title={name || t('reports.title')}
      subtitle={source.data && t('reports.conferencesOf', { count: source.data.total })}
      above={above}
      range={
        <Button variant="default" leftSection={<Icon name="left" size={16} />} onClick={back}>
          {t('reports.allCustomers')}
        </Button>
      }
      list={list}
      source={source}
      columns={columns}
      rowKey={(row) => row._id}
      narrow={narrow}
      open={{ href: media, go: (row) => void navigate({ href: media(row) }) }}
      search={t('conferences.search')}
      onExport={() => exportCustomerConferences(customer, list, t('reports.conferences').toLowerCase())}
      empty={{ icon, title: t('reports.empty') }}
    />
  );
}
