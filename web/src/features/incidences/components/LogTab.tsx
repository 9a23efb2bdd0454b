import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { StateView } from '@/shared/ui/StateView';
import { incidenceLogs } from '../api';
import { statusText } from '../model';
import type { IncidenceLog } from '../types';
import classes from './drawer.module.css';

const ICONS: Record<string, IconName> = { created: 'plus', status: 'flag', answer: 'chat', note: 'lock', image: 'img' };

/** What a line of the log says. */
export function logText(t: T, { action, from, to }: Pick<IncidenceLog, 'action' | 'from' | 'to'>): string {
  switch (action) {
    case 'created':
      return t('incidences.logCreated');
    case 'status':
      return t('incidences.logStatus', { from: statusText(t, from ?? 0), to: statusText(t, to ?? 0) });
    case 'answer':
      return t('incidences.logAnswer');
    case 'note':
      return t('incidences.logNote');
    case 'image':
      return t('incidences.logImage', { count: to ?? 1 });
    default:
      return t('incidences.logOther');
  }
}

/** What was done to an incidence, by whom and when. */
export function LogTab({ id }: { id: string }) {
  const t = useT();
  const language = useLanguage();
  const { data, error, refetch } = useQuery(incidenceLogs(id));
  if (error && !data) {
    const retry = { label: t('common.retry'), icon: 'refresh' as const, run: () => void refetch() };
    const text = errorText(t, error);
    return <StateView icon="warn" tone="bad" title={t('incidences.logFailed')} text={text} action={retry} />;
  }
  if (!data) return <Skeleton h={160} />;
  return (
    <ol className={classes.log}>
      {data.map((line) => (
        <li key={line._id}>
          <time className="num" dateTime={line.at}>
            {shortDateTime(line.at, language)}
          </time>
          <Icon name={ICONS[line.action] ?? 'info'} size={16} />
          <span>{logText(t, line)}</span>
          <span className={classes.who}>{line.actor.name || t('incidences.gone')}</span>
        </li>
      ))}
    </ol>
  );
}
