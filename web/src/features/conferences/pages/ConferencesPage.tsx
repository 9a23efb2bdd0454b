import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ConferenceRow } from '@/api/types';
import type { ConferenceType } from '@/shared/conference/find';
import { useZips } from '@/shared/conference/use-zips';
import { useLanguage, useT } from '@/shared/i18n';
import { cancelledText, daysOf } from '@/shared/lib/conferences';
import { shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { openModal } from '@/shared/lib/modals';
import { usePage } from '@/shared/lib/page';
import { formatPhone } from '@/shared/lib/phone';
import { useOpened } from '@/shared/lib/use-opened';
import { isRepairSide, Role, roleOf } from '@/shared/routes/access';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { DurationTag, FilesTag } from '@/shared/ui/ConferenceTags';
import { DataList } from '@/shared/ui/DataList';
import { DayRange } from '@/shared/ui/DayRange';
import { Icon } from '@/shared/ui/Icon';
import { Plate } from '@/shared/ui/Plate';
import { DetailsDrawer } from '../details/DetailsDrawer';
import { exportChosen, exportConferences, listConferences } from '../lists/api';
import { columnsOf } from '../lists/columns';
import { Elsewhere } from '../lists/Elsewhere';
import { RowActions } from '../lists/RowActions';
import { NEWEST_FIRST, useFilters } from '../lists/use-filters';
import { useRowShortcuts } from '../lists/use-row-shortcuts';

const nameOf = (row: ConferenceRow) => row.expedientNumber;

/**
 * `/conferences-autos/{parent}` and `/conferences-div/{parent}`: the conferences of a company by range of days, the last
 * seven unless somebody chooses; parent `0` is everybody's, for the administrator. A row opens its panel (`?open={id}`).
 */
function ConferencesPage({ type }: { type: ConferenceType }) {
  const t = useT();
  const language = useLanguage();
  const session = useRequiredSession();
  const { parent = '' } = useParams({ strict: false }) as { parent?: string };
  const admin = roleOf(session) === Role.administrator;
  const repair = isRepairSide(roleOf(session));
  const mayCall = !admin && !repair;
  const list = useListState({ sort: NEWEST_FIRST, filters: ['begin', 'end', 'user', 'state'] });
  const { begin, end, today } = daysOf(list.filters, new Date());
  const source = useQuery(listConferences(type, parent, { begin, end }, list));
  const { filters, controls } = useFilters(list, type, parent, roleOf(session));
  const panel = useOpened();
  const keys = useRowShortcuts(repair);
  const zips = useZips();
  const rows = source.data?.rows ?? [];
  const shownAt = rows.findIndex(({ _id }) => _id === panel.opened);
  const title = type === 'autos' ? t('conferences.titleAutos') : t('conferences.titleDiversos');
  usePage({ title });
  // A phone has it in each row's menu, where the conference is chosen already.
  const narrow = useMediaQuery('(max-width: 768px)', undefined, { getInitialValueInEffect: false }) ?? false;
  const report = !narrow && (
    <Button
      variant="default"
      leftSection={<Icon name="warn" size={16} />}
      onClick={() => openModal('incidence', { opener: 'list-add' })}
    >
      {t('incidences.report')}
    </Button>
  );
  const start = mayCall && (
    <Button component={Link} to={paths.newVideocall()} leftSection={<Icon name="videoplus" />}>
      {t('shell.newVideocall')}
    </Button>
  );
  return (
    <>
      <DataList<ConferenceRow>
        name={`conferences-${type}`}
        title={title}
        subtitle={source.data && t('conferences.count', { count: source.data.total })}
        range={
          <DayRange
            from={begin}
            to={end}
            max={today}
            isDefault={!list.filters.begin && !list.filters.end}
            onRange={(first, last) => list.setFilters({ begin: first, end: last })}
          />
        }
        filters={filters}
        failed={t('conferences.searchFailed')}
        action={
          (report || start) && (
            <>
              {report}
              {start}
            </>
          )
        }
        list={controls}
        source={source}
        columns={columnsOf(t, language, type, admin, repair)}
        rowKey={(row) => row._id}
        narrow={(row) => ({
          title: <CaseNumber number={row.expedientNumber} />,
          badge: (
            <>
              {row.isNewMedia && <FilesTag row={row} />}
              <DurationTag row={row} />
            </>
          ),
          keep: row.carId && <Plate plate={row.carId} />,
          text: [row.contactPerson, row.phoneNumber && formatPhone(row.phoneNumber)].filter(Boolean).join(' · '),
          note: cancelledText(t, row),
          aside: shortDateTime(row.createdAt, language),
        })}
        open={{ href: (row) => panel.href(row._id), go: (row) => panel.open(row._id) }}
        actions={(row) => (
          <RowActions row={row} mayCall={mayCall} readsOnly={repair} onDetails={() => panel.open(row._id)} />
        )}
        keys={keys}
        bulk={{
          name: nameOf,
          actions: (chosen) => (
            <>
              <Button
                size="xs"
                variant="default"
                loading={zips.running}
                leftSection={<Icon name="dl" size={16} />}
                onClick={() => void zips.save(chosen)}
              >
                {t('conferences.zip')}
              </Button>
              <Button
                size="xs"
                variant="default"
                leftSection={<Icon name="doc" size={16} />}
                onClick={() => void exportChosen(type, parent, { begin, end }, list, type, chosen)}
              >
                {t('common.exportExcel')}
              </Button>
            </>
          ),
        }}
        elsewhere={<Elsewhere search={list.search} parent={parent} user={list.filters.user} />}
        search={t(type === 'autos' ? 'conferences.search' : 'conferences.searchDiversos')}
        onExport={() => exportConferences(type, parent, { begin, end }, list, type)}
        empty={{
          icon: 'video',
          title: t('conferences.empty'),
          // An administrator opens no call.
          text: t(admin ? 'conferences.emptyAdmin' : repair ? 'conferences.emptyRepair' : 'conferences.emptyText'),
        }}
      />
      <DetailsDrawer
        conferenceId={panel.opened}
        mayCall={mayCall}
        readsOnly={repair}
        onClose={panel.close}
        previous={shownAt > 0 ? rows[shownAt - 1]?._id : undefined}
        next={shownAt >= 0 ? rows[shownAt + 1]?._id : undefined}
        onGo={panel.replace}
      />
    </>
  );
}

export const AutosPage = () => <ConferencesPage key="autos" type="autos" />;
export const DiversosPage = () => <ConferencesPage key="div" type="div" />;
