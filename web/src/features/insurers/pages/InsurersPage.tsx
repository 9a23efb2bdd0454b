import { Button, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type Insurer, listInsurers } from '@/shared/company/insurers';
import { useT } from '@/shared/i18n';
import { downloadXlsx } from '@/shared/lib/download';
import { useListState } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { DataList } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { InsurerDrawer } from '../components/InsurerDrawer';
import { InsurerForm } from '../components/InsurerForm';
import { shownInsurers } from '../model';

/** `/insurance-companies`: kept by the administrator. */
export function InsurersPage() {
  const t = useT();
  const title = t('shell.insuranceCompanies');
  usePage({ title });
  const navigate = useNavigate();
  const { open } = useSearch({ strict: false }) as { open?: unknown };
  const [creating, create] = useDisclosure(false);
  const list = useListState({ sort: 'name', filters: ['active'] });
  const source = useQuery(listInsurers(true));
  // The id of the open one stays in the URL, so that its address can be kept.
  const show = (id: string | undefined) =>
    void navigate({ to: '.', search: ((before: object) => ({ ...before, open: id })) as never });
  return (
    <>
      <DataList<Insurer>
        name="insurers"
        title={title}
        subtitle={source.data && t('insurers.count', { count: source.data.length })}
        action={
          <Button leftSection={<Icon name="plus" />} onClick={create.open}>
            {t('insurers.new')}
          </Button>
        }
        list={list}
        source={{ ...source, data: source.data && shownInsurers(source.data, list) }}
        columns={[
          { key: 'name', title: t('insurers.name'), render: (row) => row.name, sort: true, fixed: true },
          { key: 'active', title: t('companies.status'), render: (row) => <ActiveTag active={row.active} /> },
          {
            key: 'customers',
            title: t('insurers.customersColumn'),
            render: (row) => <span className="num">{row.customers ?? 0}</span>,
            sort: true,
            right: true,
          },
        ]}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: row.name,
          badge: <ActiveTag active={row.active} />,
          text: t('insurers.customersCount', { count: row.customers ?? 0 }),
        })}
        open={{ href: (row) => `${paths.insuranceCompanies()}?open=${row._id}`, go: (row) => show(row._id) }}
        search={t('insurers.search')}
        filters={[
          {
            name: 'active',
            label: t('companies.status'),
            options: [
              { value: '1', label: t('insurers.isActive') },
              { value: '0', label: t('insurers.isInactive') },
            ],
          },
        ]}
        // All of them: what is searched here is not known to the server.
        onExport={() => downloadXlsx('/api/v1/insuranceCompanies', { all: 'true' }, title.toLowerCase())}
        empty={{
          icon: 'seal',
          title: t('insurers.empty'),
          text: t('insurers.emptyText'),
          action: { label: t('insurers.new'), icon: 'plus', run: create.open },
        }}
      />
      <Modal opened={creating} onClose={create.close} title={t('insurers.new')} size={440}>
        <InsurerForm onDone={create.close} />
      </Modal>
      <InsurerDrawer insurer={source.data?.find((row) => row._id === open)} onClose={() => show(undefined)} />
    </>
  );
}

function ActiveTag({ active }: Pick<Insurer, 'active'>) {
  const t = useT();
  return active === false ? (
    <Tag icon="minus">{t('insurers.isInactive')}</Tag>
  ) : (
    <Tag tone="ok" icon="check">
      {t('insurers.isActive')}
    </Tag>
  );
}
