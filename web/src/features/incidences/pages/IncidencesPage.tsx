import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Navigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { openModal } from '@/shared/lib/modals';
import { usePage } from '@/shared/lib/page';
import { useOpened } from '@/shared/lib/use-opened';
import { isPrincipal, Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { DataList } from '@/shared/ui/DataList';
import { Icon } from '@/shared/ui/Icon';
import { exportIncidences, listIncidences, PAGE_SIZE } from '../api';
import { columnsOf, commentsText } from '../columns';
import { IncidenceDrawer } from '../components/IncidenceDrawer';
import { PhoneChecks } from '../components/PhoneChecks';
import { StatusTag } from '../components/StatusTag';
import { WhichIncidences } from '../components/WhichIncidences';
import { reasonText, statusText, typeText } from '../model';
import { type Incidence, REASONS, STATUSES, TYPES } from '../types';

const FILTERS = ['status', 'type', 'reason', 'company', 'begin', 'end'];

/**
 * `/incidences/{id}`: one's own incidences, a principal's company's, an administrator's everybody's. A row opens it on the
 * right (`?incidence={id}`, as notices lead to).
 */
export function IncidencesPage() {
  const t = useT();
  const language = useLanguage();
  const person = useRequiredSession();
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const admin = roleOf(person) === Role.administrator;
  const principal = isPrincipal(roleOf(person));
  const list = {
    ...useListState({ sort: '-updatedAt', filters: FILTERS, pageSize: PAGE_SIZE }),
    pageSize: PAGE_SIZE,
  };
  const own = id === person.user._id;
  // The guard of an own id: others' are for those who answer for them.
  const mayRead = own || admin || principal || person.user.support;
  const source = useQuery({ ...listIncidences(id, list), enabled: mayRead });
  const panel = useOpened('incidence');
  const [phones, showPhones] = useState(false);
  const title = t('incidences.title');
  usePage({ title });
  if (!mayRead) return <Navigate to={paths.root()} replace />;
  const begin = () => openModal('incidence', { opener: 'list-add' });
  return (
    <>
      <DataList<Incidence>
        name="incidences"
        title={title}
        subtitle={source.data && t('incidences.count', { count: source.data.total })}
        action={
          <>
            {admin && (
              <Button variant="default" leftSection={<Icon name="phone" size={16} />} onClick={() => showPhones(true)}>
                {t('incidences.phoneChecks')}
              </Button>
            )}
            <Button leftSection={<Icon name="plus" />} onClick={begin}>
              {t('incidences.new')}
            </Button>
          </>
        }
        list={list}
        source={source}
        failed={t('incidences.searchFailed')}
        columns={columnsOf(t, language, { admin, principal })}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: <span className="num">{row.number}</span>,
          badge: <StatusTag status={row.status} />,
          text: [reasonText(t, row.reason), admin && row.company.company, commentsText(t, row)]
            .filter(Boolean)
            .join(' · '),
          aside: shortDateTime(row.updatedAt, language),
        })}
        open={{ href: (row) => panel.href(row._id), go: (row) => panel.open(row._id) }}
        search={t('incidences.search')}
        range={<WhichIncidences list={list} admin={admin} rows={source.data?.rows ?? []} />}
        onExport={() => exportIncidences(id, list, title.toLowerCase())}
        filters={[
          {
            name: 'status',
            label: t('incidences.status'),
            options: [
              { value: '1,2,3', label: t('incidences.open') },
              ...STATUSES.map((status) => ({ value: String(status), label: statusText(t, status) })),
            ],
          },
          {
            name: 'type',
            label: t('incidences.type'),
            options: TYPES.map((type) => ({ value: String(type), label: typeText(t, type) })),
          },
          {
            name: 'reason',
            label: t('incidences.reason'),
            options: REASONS.map((reason) => ({ value: String(reason), label: reasonText(t, reason) })),
          },
        ]}
        empty={{
          icon: 'chat',
          title: t('incidences.none'),
          text: admin ? t('incidences.noneAll') : t('incidences.noneText'),
          action: { label: t('incidences.new'), icon: 'plus', run: begin },
        }}
      />
      <IncidenceDrawer id={panel.opened} onClose={panel.close} />
      {admin && <PhoneChecks opened={phones} onClose={() => showPhones(false)} />}
    </>
  );
}
