import type { T } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import type { ListColumn } from '@/shared/ui/DataList';
import classes from './components/incidences.module.css';
import { StatusTag } from './components/StatusTag';
import { reasonText, typeText } from './model';
import type { Incidence } from './types';

/** The columns of the list; company and author only where there are several. */
export function columnsOf(
  t: T,
  language: string,
  { admin, principal }: { admin: boolean; principal: boolean },
): ListColumn<Incidence>[] {
  return [
    {
      key: 'number',
      title: t('incidences.number'),
      render: (row) => (
        <span className={classes.number} data-unread={row.unread || undefined}>
          <span className="num">{row.number}</span>
          {row.unread && <span className={classes.dot} role="img" aria-label={t('incidences.unread')} />}
        </span>
      ),
      fixed: true,
    },
    { key: 'status', title: t('incidences.status'), render: (row) => <StatusTag status={row.status} />, fixed: true },
    { key: 'type', title: t('incidences.type'), render: (row) => typeText(t, row.type), off: admin },
    { key: 'reason', title: t('incidences.reason'), render: (row) => reasonText(t, row.reason) },
    {
      key: 'comments',
      title: t('incidences.comments'),
      render: (row) => <span className={classes.comments}>{commentsText(t, row)}</span>,
    },
    {
      key: 'expedientNumber',
      title: t('incidences.expedient'),
      render: (row) => <CaseNumber number={row.expedientNumber} />,
      whole: (row) => row.expedientNumber,
    },
    ...(admin
      ? [{ key: 'company', title: t('incidences.company'), render: (row: Incidence) => row.company.company }]
      : []),
    ...(admin || principal
      ? [{ key: 'author', title: t('incidences.author'), render: (row: Incidence) => row.author.name || '–' }]
      : []),
    {
      key: 'answerCount',
      title: t('incidences.answers'),
      right: true,
      // Lists of several people are wide enough without.
      off: admin || principal,
      render: (row) => <span className="num">{row.answerCount}</span>,
    },
    {
      key: 'updatedAt',
      title: t('incidences.updated'),
      render: (row) => <span className="num">{shortDateTime(row.updatedAt, language)}</span>,
    },
  ];
}

/** What was written, in one line; an erased one has nothing. */
export const commentsText = (t: T, row: Pick<Incidence, 'comments' | 'erased'>): string =>
  row.erased ? t('incidences.erased') : row.comments.replace(/\s+/g, ' ');
