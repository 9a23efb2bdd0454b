import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CompanyPicker } from '@/shared/company/CompanyPicker';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { Role, roleOf } from '@/shared/routes/access';
import { roleTitle } from '@/shared/routes/labels';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { DataList, type ListColumn, type ListControls } from '@/shared/ui/DataList';
import { DayRange } from '@/shared/ui/DayRange';
import { type AuditLog, exportAudit, listAudit } from '../api';
import { ChainNote } from '../components/ChainNote';
import { Happened, happenedText } from '../components/Happened';
import { actions, actionText, detailText } from '../model';
import classes from './AuditPage.module.css';

const FILTERS = ['action', 'company', 'user', 'from', 'to'];

/** `/logs`: who did what to which account. The administrator reads all of it, a principal his company's. */
export function AuditPage() {
  const t = useT();
  const language = useLanguage();
  const admin = roleOf(useRequiredSession()) === Role.administrator;
  const list = useListState({ sort: '-at', filters: FILTERS });
  const source = useQuery(listAudit(list));
  const title = t('audit.title');
  usePage({ title });
  return (
    <DataList<AuditLog>
      name="audit"
      title={title}
      subtitle={source.data && t('audit.count', { count: source.data.total })}
      above={admin && <ChainNote />}
      range={<Range list={list} admin={admin} logs={source.data?.rows ?? []} />}
      list={list}
      source={source}
      columns={columnsOf(t, language, admin)}
      rowKey={(row) => row._id}
      narrow={(row) => ({
        title: happenedText(t, language, row),
        text: [actorName(t, row), detailText(t, language, row.action, row.detail)].filter(Boolean).join(' · '),
        aside: shortDateTime(row.at, language),
      })}
      filters={[
        {
          name: 'action',
          label: t('audit.action'),
          options: actions().map((action) => ({ value: action, label: actionText(t, action) })),
        },
      ]}
      onExport={() => exportAudit(list, t('audit.title').toLowerCase())}
      empty={{ icon: 'list', title: t('audit.empty'), text: t('audit.emptyText') }}
    />
  );
}

const actorName = (t: T, { actor }: AuditLog) => actor?.name || t('audit.system');

const columnsOf = (t: T, language: string, admin: boolean): ListColumn<AuditLog>[] => [
  {
    key: 'at',
    title: t('audit.at'),
    render: (row) => <span className="num">{shortDateTime(row.at, language)}</span>,
    fixed: true,
  },
  { key: 'happened', title: t('audit.happened'), render: (row) => <Happened log={row} />, fixed: true },
  {
    key: 'actor',
    title: t('audit.actor'),
    render: (row) => (
      <span className={classes.two}>
        {actorName(t, row)}
        {typeof row.actorRole === 'number' && <small>{roleTitle(t, row.actorRole)}</small>}
      </span>
    ),
  },
  {
    key: 'company',
    title: t('audit.company'),
    render: (row) =>
      row.company.company ? <Link to={paths.companyProfile(row.company._id)}>{row.company.company}</Link> : '–',
    off: !admin,
  },
  {
    key: 'address',
    title: t('audit.address'),
    render: (row) => <span className="num">{row.address ?? '–'}</span>,
  },
];

/** Company and days; each is part of the address of the page. */
function Range({ list, admin, logs }: { list: ListControls; admin: boolean; logs: AuditLog[] }) {
  const t = useT();
  const { company = null, from = '', to = '' } = list.filters;
  const chosen = logs.find((log) => log.company._id === company)?.company.company;
  return (
    <div className={classes.range}>
      {admin && (
        <CompanyPicker
          className={classes.company}
          label={t('audit.company')}
          kinds={[2, 4, 6]}
          value={company}
          chosenName={chosen}
          onChange={(id) => list.setFilter('company', id)}
        />
      )}
      <DayRange from={from} to={to} onRange={(first, last) => list.setFilters({ from: first, to: last })} />
    </div>
  );
}
