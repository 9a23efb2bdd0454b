import type { ConferenceRow } from '@/api/types';
import type { T } from '@/shared/i18n';
import { placeText } from '@/shared/lib/conferences';
import { shortDateTime } from '@/shared/lib/dates';
import { sizeText } from '@/shared/lib/format';
import { trackText } from '@/shared/lib/tracks';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { DurationTag, FilesTag } from '@/shared/ui/ConferenceTags';
import type { ListColumn, NarrowRow } from '@/shared/ui/DataList';
import type { IconName } from '@/shared/ui/Icon';
import { MessageStateTag } from '@/shared/ui/MessageStateTag';
import { Plate } from '@/shared/ui/Plate';
import {
  actorText,
  type CustomerCount,
  factsText,
  purposeText,
  type ReportedMedia,
  type ReportedMessage,
  type ReportedTrack,
} from './model';

/** How the rows of a report look, wide and narrow. */
export interface Report<R> {
  icon: IconName;
  columns: ListColumn<R>[];
  narrow: (row: R) => NarrowRow;
}

const num = (text: string | number | null | undefined) => (
  <span className="num">{text || text === 0 ? text : '–'}</span>
);

/** When and which case: the first two columns of every report. */
function first<R extends { expedientNumber: string; company: string }>(
  t: T,
  language: string,
  at: (row: R) => string,
): ListColumn<R>[] {
  return [
    { key: 'at', title: t('reports.at'), render: (row) => num(shortDateTime(at(row), language)), fixed: true },
    {
      key: 'expedientNumber',
      title: t('reports.expedient'),
      render: (row) => (
        <b>
          <CaseNumber number={row.expedientNumber} />
        </b>
      ),
      whole: (row) => row.expedientNumber,
      fixed: true,
    },
    { key: 'company', title: t('reports.company'), render: (row) => row.company || '–' },
  ];
}

const channelText = (t: T, channel: string) => (channel === 'sms' ? t('outbox.sms') : t('outbox.email'));

export const messageReport = (t: T, language: string): Report<ReportedMessage> => ({
  icon: 'sms',
  columns: [
    ...first<ReportedMessage>(t, language, (row) => row.at),
    { key: 'user', title: t('reports.user'), render: (row) => row.user || '–', off: true },
    { key: 'channel', title: t('outbox.channel'), render: (row) => channelText(t, row.channel) },
    { key: 'to', title: t('outbox.to'), render: (row) => num(row.to) },
    { key: 'purpose', title: t('reports.purpose'), render: (row) => purposeText(t, row.purpose) },
    { key: 'state', title: t('outbox.state'), render: (row) => <MessageStateTag state={row.state} /> },
    { key: 'error', title: t('reports.error'), render: (row) => row.error || '–', off: true },
  ],
  narrow: (row) => ({
    title: <CaseNumber number={row.expedientNumber} />,
    badge: <MessageStateTag state={row.state} />,
    text: purposeText(t, row.purpose),
    aside: shortDateTime(row.at, language),
  }),
});

export const trackReport = (t: T, language: string): Report<ReportedTrack> => ({
  icon: 'list',
  columns: [
    ...first<ReportedTrack>(t, language, (row) => row.at),
    { key: 'type', title: t('reports.event'), render: (row) => trackText(t, row) },
    { key: 'actor', title: t('reports.actor'), render: (row) => actorText(t, row.actor) },
    { key: 'data', title: t('reports.data'), render: (row) => factsText(row.data) || '–', off: true },
  ],
  narrow: (row) => ({
    title: <CaseNumber number={row.expedientNumber} />,
    text: [trackText(t, row), row.company].filter(Boolean).join(' · '),
    aside: shortDateTime(row.at, language),
  }),
});

const typeText = (t: T, { type }: ReportedMedia) =>
  ({ PICTURE: t('media.picture'), VIDEO: t('media.video'), DOCUMENT: t('media.document') })[type];

export const mediaReport = (t: T, language: string): Report<ReportedMedia> => ({
  icon: 'img',
  columns: [
    ...first<ReportedMedia>(t, language, (row) => row.createdAt),
    { key: 'user', title: t('reports.user'), render: (row) => row.userName || '–', off: true },
    { key: 'type', title: t('reports.type'), render: (row) => typeText(t, row) },
    { key: 'origin', title: t('media.factOrigin'), render: (row) => t(`media.origin_${row.origin}`) },
    {
      key: 'size',
      title: t('media.factSize'),
      render: (row) => num(sizeText(row.size, language)),
      right: true,
    },
    {
      key: 'hash',
      title: t('media.hash'),
      render: (row) => <code title={row.hash}>{row.hash.slice(0, 12)}…</code>,
    },
  ],
  narrow: (row) => ({
    title: <CaseNumber number={row.expedientNumber} />,
    text: [typeText(t, row), t(`media.origin_${row.origin}`), sizeText(row.size, language)].join(' · '),
    aside: shortDateTime(row.createdAt, language),
  }),
});

export const customerReport = (t: T, language: string): Report<CustomerCount> => ({
  icon: 'bld',
  columns: [
    { key: 'company', title: t('reports.company'), render: (row) => <b>{row.company}</b>, fixed: true },
    { key: 'conferences', title: t('reports.conferences'), render: (row) => num(row.conferences), right: true },
    { key: 'autos', title: t('reports.autos'), render: (row) => num(row.autos), right: true },
    { key: 'diversos', title: t('reports.diversos'), render: (row) => num(row.diversos), right: true },
    { key: 'lastAt', title: t('reports.lastAt'), render: (row) => num(shortDateTime(row.lastAt, language)) },
  ],
  narrow: (row) => ({
    title: row.company,
    text: t('reports.conferencesOf', { count: row.conferences }),
    aside: shortDateTime(row.lastAt, language),
  }),
});

export const conferenceReport = (t: T, language: string): Report<ConferenceRow> => ({
  icon: 'video',
  columns: [
    {
      key: 'createdAt',
      title: t('conferences.date'),
      render: (row) => num(shortDateTime(row.createdAt, language)),
      sort: true,
    },
    {
      key: 'expedientNumber',
      title: t('conferences.expedient'),
      render: (row) => (
        <b>
          <CaseNumber number={row.expedientNumber} />
        </b>
      ),
      whole: (row) => row.expedientNumber,
      sort: true,
      fixed: true,
    },
    {
      key: 'type',
      title: t('reports.type'),
      render: (row) => (row.type === 1 ? t('reports.autos') : t('reports.diversos')),
    },
    { key: 'userName', title: t('conferences.user'), render: (row) => row.userName, sort: true },
    { key: 'address', title: t('conferences.address'), render: (row) => placeText(row) || '–', off: true },
    { key: 'duration', title: t('conferences.duration'), render: (row) => <DurationTag row={row} />, sort: true },
    { key: 'files', title: t('conferences.files'), render: (row) => <FilesTag row={row} /> },
  ],
  narrow: (row) => ({
    title: <CaseNumber number={row.expedientNumber} />,
    badge: <DurationTag row={row} />,
    keep: row.carId && <Plate plate={row.carId} />,
    text: row.userName,
    aside: shortDateTime(row.createdAt, language),
  }),
});
