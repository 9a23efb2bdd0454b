import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import type { Invitations } from '@/shared/company/invitations';
import { type Company, KINDS, type Kind, kindTitle } from '@/shared/company/kinds';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDate } from '@/shared/lib/dates';
import { useListState, useListTab } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { Segmented } from '@/shared/ui/Segmented';
import { StatusTag, statusOptions } from '@/shared/ui/StatusTag';
import { exportCompanies, listCompanies, parentKind } from '../api';

/** `/customers`, `/repairers` and `/car-reparations`: the tenants of a kind, and who was invited to become one. */
export function CompaniesPage({ kind, invitations }: { kind: Kind; invitations: Invitations }) {
  const t = useT();
  const title = kindTitle(t, kind);
  const [inviting, invite] = useDisclosure(false);
  // The finder leads here to invite; asked for once, so that it may lead here again.
  const { invite: asked } = useSearch({ strict: false }) as { invite?: boolean };
  const navigate = useNavigate();
  const { open } = invite;
  useEffect(() => {
    if (!asked) return;
    open();
    void navigate({ to: '.', search: {} as never, replace: true });
  }, [asked, open, navigate]);
  const [tab, setTab] = useListTab(['companies', 'invitations'] as const);
  usePage({ title });
  const above = (
    <div>
      <Segmented
        label={title}
        value={tab}
        onChange={setTab}
        options={[
          { value: 'companies', label: title },
          { value: 'invitations', label: t('activation.invitations') },
        ]}
      />
    </div>
  );
  const action = (
    <Button leftSection={<Icon name="userplus" />} onClick={invite.open}>
      {t('activation.new')}
    </Button>
  );
  const shared = { title, above, action };
  return (
    <>
      {tab === 'companies' ? (
        <Companies kind={kind} {...shared} onInvite={invite.open} />
      ) : (
        <invitations.List type={kind} {...shared} onInvite={invite.open} />
      )}
      <invitations.Dialog opened={inviting} onClose={invite.close} types={[kind]} />
    </>
  );
}

/** The sort fields are the wire's names of the columns. */
function columnsOf(t: T, language: string): ListColumn<Company>[] {
  return [
    { key: 'company', title: t('companies.company'), render: (row) => row.company, sort: true, fixed: true },
    { key: 'cif', title: t('companies.cif'), render: (row) => <span className="num">{row.cif}</span>, sort: true },
    { key: 'name', title: t('companies.name'), render: (row) => row.name, sort: true },
    { key: 'city', title: t('companies.city'), render: (row) => row.city || '–', sort: true },
    { key: 'region', title: t('companies.region'), render: (row) => row.region || '–', sort: true, off: true },
    { key: 'email', title: t('companies.email'), render: (row) => row.email, sort: true, off: true },
    { key: 'status', title: t('companies.status'), render: (row) => <StatusTag status={row.status} />, sort: true },
    {
      key: 'users',
      title: t('shell.users'),
      render: (row) => <span className="num">{row.users}</span>,
      right: true,
    },
    {
      key: 'created_at',
      title: t('companies.createdAt'),
      render: (row) => <span className="num">{shortDate(row.created_at, language)}</span>,
      sort: true,
    },
    {
      key: 'pay_startAt',
      title: t('companies.payStart'),
      render: (row) => <span className="num">{shortDate(row.pay_startAt, language)}</span>,
      sort: true,
      off: true,
    },
  ];
}

interface CompaniesProps {
  kind: Kind;
  title: string;
  above: React.ReactNode;
  action: React.ReactNode;
  onInvite: () => void;
}

function Companies({ kind, onInvite, ...shared }: CompaniesProps) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const list = useListState({ sort: 'company', filters: ['status'] });
  const source = useQuery(listCompanies(kind, list));
  const open = (row: Company) => {
    queries.setQueryData(parentKind(row._id).queryKey, row.companyType);
    void navigate({ href: paths.companyProfile(row._id) });
  };
  return (
    <DataList<Company>
      name={`companies${kind}`}
      {...shared}
      subtitle={source.data && t('companies.count', { count: source.data.total })}
      list={list}
      source={source}
      columns={columnsOf(t, language)}
      rowKey={(row) => row._id}
      narrow={(row) => ({
        title: row.company,
        badge: <StatusTag status={row.status} />,
        text: [row.name, row.city].filter(Boolean).join(' · '),
        aside: row.cif,
      })}
      open={{ href: (row) => paths.companyProfile(row._id), go: open }}
      search={t('companies.search')}
      filters={[{ name: 'status', label: t('companies.status'), options: statusOptions(t) }]}
      onExport={() => exportCompanies(kind, list, shared.title.toLowerCase())}
      empty={{
        icon: KINDS[kind].icon,
        title: t('companies.empty'),
        text: t('companies.emptyText'),
        action: { label: t('activation.new'), icon: 'userplus', run: onInvite },
      }}
    />
  );
}
