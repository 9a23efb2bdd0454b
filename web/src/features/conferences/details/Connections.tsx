import { useQuery } from '@tanstack/react-query';
import { useLanguage, useT } from '@/shared/i18n';
import { connectionNumbers, connectionText } from '@/shared/lib/connection';
import { madridClock } from '@/shared/lib/dates';
import { Icon } from '@/shared/ui/Icon';
import { listConnections } from '../api';
import classes from './details.module.css';

/** How the media of both sides came, and what failed, as both pages told it (CALL-61). Nothing where nothing was told. */
export function Connections({ conferenceId }: { conferenceId: string }) {
  const t = useT();
  const language = useLanguage();
  const { data = [] } = useQuery(listConnections(conferenceId));
  if (data.length === 0) return null;
  return (
    <section>
      <h3>{t('call.connections')}</h3>
      <ul className={classes.people}>
        {data.map((one) => (
          <li key={`${one.kind}${one.nth}${one.at}`}>
            <Icon name={one.kind === 'client' ? 'phone' : 'user'} size={16} />
            <span className={classes.name}>{connectionText(t, one)}</span>
            <span className={`${classes.quiet} num`}>{connectionNumbers(one, language)}</span>
            <time className={`${classes.quiet} num`} dateTime={one.at}>
              {madridClock(one.at, language)}
            </time>
          </li>
        ))}
      </ul>
    </section>
  );
}
