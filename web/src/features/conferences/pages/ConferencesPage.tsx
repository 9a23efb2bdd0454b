import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Role, roleOf } from '@/app/access';
import { paths } from '@/app/paths';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { longDateTime, shortDateTime } from '@/shared/lib/dates';
import { useListState } from '@/shared/lib/list-state';
import { usePage } from '@/shared/lib/page';
import { useRequiredSession } from '@/shared/session';
import { DataList, type ListColumn } from '@/shared/ui/DataList';
import { DayRange } from '@/shared/ui/DayRange';
import { Icon } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import { type ConferenceType, exportConferences, listConferences } from '../lists/api';
import { type ConferenceRow, daysOf, durationText, isOpen, observationText } from '../lists/model';
import { formatPhone } from '../phone';
import classes from './ConferencesPage.module.css';

const place = (row: ConferenceRow) => row.fullAddress ?? [row.address, row.city].filter(Boolean).join(' · ');

/**
 * `/conferences-autos/{parent}` and `/conferences-div/{parent}`: the conferences of a company by range of days, the last
 * seven unless somebody chooses; parent `0` is everybody's, for the administrator. Source: SPEC §2, §4, §6; DESIGN §10.
 */
function ConferencesPage({ type }: { type: ConferenceType }) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const session = useRequiredSession();
  const { parent = '' } = useParams({ strict: false }) as { parent?: string };
  const admin = roleOf(session) === Role.administrator;
  const list = useListState({ sort: '-createdAt', filters: ['begin', 'end'] });
  const now = new Date();
  const { begin, end, today } = daysOf(list.filters, now);
  const source = useQuery(listConferences(type, parent, { begin, end }, list));
  const title = type === 'autos' ? t('conferences.titleAutos') : t('conferences.titleDiversos');
  usePage({ title });
  const href = (row: ConferenceRow) =>
    isOpen(row, now) && !admin ? paths.conference(row._id) : paths.conferenceMedia(row._id);
  const start = !admin && (
    <Button component={Link} to={paths.newVideocall()} leftSection={<Icon name="videoplus" />}>
      {t('shell.newVideocall')}
    </Button>
  );
  return (
    <DataList<ConferenceRow>
      name={`conferences-${type}`}
      title={title}
      subtitle={source.data && t('conferences.count', { count: source.data.total })}
      above={
        <div className={classes.range}>
          <DayRange
            from={begin}
            to={end}
            // Dates from tomorrow on cannot be chosen (SPEC §5 Other).
            max={today}
            onFrom={(day) => list.setFilter('begin', day)}
            onTo={(day) => list.setFilter('end', day)}
          />
        </div>
      }
      action={start}
      list={list}
      source={source}
      columns={columnsOf(t, language, type, admin, now)}
      rowKey={(row) => row._id}
      narrow={(row) => ({
        title: row.expedientNumber,
        badge: <DurationTag row={row} now={now} />,
        text: [row.contactPerson, row.carId, formatPhone(row.phoneNumber)].filter(Boolean).join(' · '),
        aside: shortDateTime(row.createdAt, language),
      })}
      open={{ href, go: (row) => void navigate({ href: href(row) }) }}
      search={t('conferences.search')}
      onExport={() => exportConferences(type, parent, { begin, end }, list, type)}
      empty={{ icon: 'video', title: t('conferences.empty'), text: t('conferences.emptyText') }}
    />
  );
}

export const AutosPage = () => <ConferencesPage key="autos" type="autos" />;
export const DiversosPage = () => <ConferencesPage key="div" type="div" />;

function DurationTag({ row, now }: { row: ConferenceRow; now: Date }) {
  const t = useT();
  if (isOpen(row, now) && row.durationState === 'notExpired') return <Tag icon="clock">{durationText(t, row)}</Tag>;
  if (row.durationState === 'seconds') return <span className="num">{durationText(t, row)}</span>;
  const tone = { lessThanTen: 'warn', noSession: 'bad', pending: 'quiet', notExpired: 'quiet' } as const;
  const icon = { lessThanTen: 'warn', noSession: 'x', pending: 'clock', notExpired: 'clock' } as const;
  return (
    <Tag tone={tone[row.durationState]} icon={icon[row.durationState]}>
      {durationText(t, row)}
    </Tag>
  );
}

function FilesTag({ row }: { row: ConferenceRow }) {
  const t = useT();
  if (row.isNewMedia)
    return (
      <Tag tone="acc" icon="img">
        {t('conferences.newFiles')}
      </Tag>
    );
  if (row.files > 0) return <span className="num">{row.files}</span>;
  return row.filesRequested ? <Tag icon="clock">{t('conferences.requested')}</Tag> : <>–</>;
}

/** The sort fields are the wire's names of the columns; the last ones are the administrator's (SPEC §6). */
function columnsOf(
  t: T,
  language: string,
  type: ConferenceType,
  admin: boolean,
  now: Date,
): ListColumn<ConferenceRow>[] {
  const num = (text: string | number | null | undefined) => <span className="num">{text ?? '–'}</span>;
  const column = (
    key: string,
    title: string,
    render: ListColumn<ConferenceRow>['render'],
    rest: Partial<ListColumn<ConferenceRow>> = {},
  ) => ({ key, title, render, ...rest });
  const columns = [
    column('createdAt', t('conferences.date'), (row) => num(longDateTime(row.createdAt, language)), { sort: true }),
    column('expedientNumber', t('conferences.expedient'), (row) => num(row.expedientNumber), {
      sort: true,
      fixed: true,
    }),
    column('customerName', t('conferences.customer'), (row) => row.customerName, { sort: true, off: !admin }),
    column('userName', t('conferences.user'), (row) => row.userName, { sort: true }),
    column('contactPerson', t('conferences.contact'), (row) => row.contactPerson ?? '–', { off: true }),
    column('phoneNumber', t('conferences.phone'), (row) => num(formatPhone(row.phoneNumber)), { sort: true }),
    column('address', t('conferences.address'), (row) => <span className={classes.clip}>{place(row) || '–'}</span>),
    column('carId', t('conferences.plate'), (row) => <Plate plate={row.carId} />, { sort: true }),
    column('duration', t('conferences.duration'), (row) => <DurationTag row={row} now={now} />, { sort: true }),
    column('files', t('conferences.files'), (row) => <FilesTag row={row} />),
    column('browser', t('conferences.browser'), ({ derived }) => derived?.browser ?? '–'),
    column('os', t('conferences.os'), ({ derived }) => derived?.os ?? '–'),
    column('observations', t('conferences.observations'), ({ derived }) =>
      derived ? observationText(t, derived.observations) : '–',
    ),
    column('geolocation', t('conferences.geo'), ({ derived }) =>
      derived?.geolocation ? t('conferences.yes') : t('conferences.no'),
    ),
    column('pictures', t('conferences.pictures'), ({ derived }) => num(derived?.pictures), { right: true }),
    column('videos', t('conferences.videos'), ({ derived }) => num(derived?.videos), { right: true }),
  ];
  const derived = ['browser', 'os', 'observations', 'geolocation', 'pictures', 'videos'];
  return columns.filter(({ key }) => (admin || !derived.includes(key)) && (type === 'autos' || key !== 'carId'));
}

const Plate = ({ plate }: { plate: string | null }) =>
  plate ? <span className={`${classes.plate} num`}>{plate}</span> : <>–</>;
