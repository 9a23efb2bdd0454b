import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { count, euros } from '@/shared/lib/money';
import { clock } from '@/shared/lib/time';
import { Note } from '@/shared/ui/Note';
import { listCalls } from './api';
import classes from './statement.module.css';
import type { BilledCall, CallsQuery } from './types';

interface CallsProps {
  query: CallsQuery;
  /** Of the line, for the name of the table. */
  name: string;
  caseHref: (expedientNumber: string) => string;
}

/** The calls behind a line: when, which case, how long, what was added and what it cost. */
export function Calls({ query, name, caseHref }: CallsProps) {
  const t = useT();
  const found = useInfiniteQuery(listCalls(query));
  if (found.error && !found.data) {
    const retry = (
      <Button variant="default" size="xs" loading={found.isFetching} onClick={() => void found.refetch()}>
        {t('common.retry')}
      </Button>
    );
    const text = errorText(t, found.error);
    return <Note tone="bad" icon="warn" title={t('consumption.callsFailed')} text={text} action={retry} />;
  }
  if (!found.data)
    return (
      <div className={classes.waiting} aria-hidden="true">
        <Skeleton h={12} w="70%" />
        <Skeleton h={12} w="55%" />
      </div>
    );
  const calls = found.data.pages.flatMap((page) => page.connections);
  const total = found.data.pages[0]?.connectionsTotal ?? calls.length;
  if (calls.length === 0) return <p className={classes.nothing}>{t('consumption.noCalls')}</p>;
  return (
    <div className={classes.calls}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than a phone is scrolled by keyboard too */}
      <section className={classes.scroll} tabIndex={0} aria-label={t('consumption.callsOf', { name })}>
        <CallsTable calls={calls} caseHref={caseHref} />
      </section>
      {found.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          <span className="num">{t('consumption.moreCalls', { shown: calls.length, total })}</span>
        </Button>
      )}
    </div>
  );
}

function CallsTable({ calls, caseHref }: { calls: BilledCall[]; caseHref: CallsProps['caseHref'] }) {
  const t = useT();
  const language = useLanguage();
  const guests = calls.some((call) => call.guestMinutes > 0);
  const heads: { text: string; right?: boolean; wide?: boolean }[] = [
    { text: t('consumption.callAt') },
    { text: t('consumption.callCase') },
    { text: t('consumption.callUser'), wide: true },
    { text: t('consumption.callDuration'), right: true },
    { text: t('consumption.callMinutes'), right: true, wide: true },
    { text: t('consumption.callExceeded'), right: true, wide: true },
    ...(guests ? [{ text: t('consumption.callGuests'), right: true, wide: true }] : []),
    { text: t('consumption.callAmount'), right: true },
  ];
  const extra = (minutes: number) => (minutes > 0 ? count(minutes, language) : '–');
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          {heads.map(({ text, right, wide }) => (
            <th key={text} scope="col" data-right={right} data-wide={wide}>
              {text}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {calls.map((call) => (
          <tr key={`${call.conferenceId}-${call.start}`}>
            <td className="num">{shortDateTime(call.start, language)}</td>
            <td className="num">
              <Link to={caseHref(call.expedientNumber)}>{call.expedientNumber}</Link>
              <small data-wide>{call.first ? t('consumption.callFirst') : t('consumption.callOther')}</small>
            </td>
            <td data-wide>{call.userName || '–'}</td>
            <td className="num" data-right>
              {clock(call.seconds * 1000)}
              <small data-narrow>{extras(t, call, language)}</small>
            </td>
            <td className="num" data-right data-wide>
              {count(call.minutes, language)}
            </td>
            <td className="num" data-right data-wide>
              {extra(call.exceeded)}
            </td>
            {guests && (
              <td className="num" data-right data-wide>
                {extra(call.guestMinutes)}
              </td>
            )}
            <td className="num" data-right>
              <b>{euros(call.amount, language)}</b>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `1 min excedidos · 22 min de invitados`: what a narrow screen says in place of two columns. */
const extras = (t: T, { exceeded, guestMinutes }: BilledCall, language: string): string =>
  [
    exceeded > 0 && t('consumption.exceededShort', { minutes: count(exceeded, language) }),
    guestMinutes > 0 && t('consumption.guestsShort', { minutes: count(guestMinutes, language) }),
  ]
    .filter(Boolean)
    .join(' · ');
