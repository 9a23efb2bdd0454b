import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useT } from '@/shared/i18n';
import { daysOf } from '@/shared/lib/conferences';
import { useListState } from '@/shared/lib/list-state';
import { paths } from '@/shared/routes/paths';
import { DataList } from '@/shared/ui/DataList';
import { DayRange } from '@/shared/ui/DayRange';
import { exportReport, report } from '../api';
import type { Report } from '../columns';
import type { RangeTab, Reported } from '../model';

interface RangeReportProps<K extends RangeTab> {
  tab: K;
  above: ReactNode;
  kind: Report<Reported[K]>;
}

/** One of the three reports by range of days, the last seven unless somebody chooses. */
export function RangeReport<K extends RangeTab>({ tab, above, kind }: RangeReportProps<K>) {
  const t = useT();
  const navigate = useNavigate();
  const list = useListState({ sort: '-at', filters: ['begin', 'end'] });
  const { begin, end, today } = daysOf(list.filters, new Date());
  const source = useQuery(report(tab, { begin, end }, list));
  const { columns, narrow, icon } = kind;
  const href = (row: Reported[K]) =>
    row.conferenceId ? paths.conferenceMedia(row.conferenceId) : paths.expedient(row.expedientNumber);
  return (
    <DataList<Reported[K]>
      name={`report-${tab}`}
      title={t('reports.title')}
      subtitle={source.data && t('reports.count', { count: source.data.total })}
      above={above}
      range={
        <DayRange
          from={begin}
          to={end}
          max={today}
          isDefault={!list.filters.begin && !list.filters.end}
          onRange={(first, last) => list.setFilters({ begin: first, end: last })}
        />
      }
      list={list}
      source={source}
      columns={columns}
      rowKey={(row) => row._id}
      narrow={narrow}
      open={{ href, go: (row) => void navigate({ href: href(row) }) }}
      onExport={() => exportReport(tab, { begin, end }, list, t(`reports.${tab}`).toLowerCase())}
      empty={{ icon, title: t('reports.empty'), text: t('reports.emptyText') }}
    />
  );
}
