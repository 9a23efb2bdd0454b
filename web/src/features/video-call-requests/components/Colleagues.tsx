import { Tooltip } from '@mantine/core';
import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { useRequiredSession } from '@/shared/session';
import type { Colleague } from '../api';
import classes from './Colleagues.module.css';

/** Who of the company could answer now, and who is in a call. Those away are not shown: they are most at night. */
export function Colleagues({ people }: { people: Colleague[] }) {
  const t = useT();
  const { user } = useRequiredSession();
  const free = people.filter(({ state }) => state === 'free');
  const calling = people.filter(({ state }) => state === 'call');
  const named = ({ _id, name }: Colleague) => (_id === user._id ? `${name} (${t('videocallrequests.you')})` : name);
  const faces = (some: Colleague[], state: string) => (
    <span className={classes.faces}>
      {some.map((one) => (
        <Tooltip key={one._id} label={`${named(one)}: ${state}`}>
          <span
            className={classes.face}
            data-calling={one.state === 'call' || undefined}
            role="img"
            aria-label={named(one)}
          >
            {initials(one.name)}
          </span>
        </Tooltip>
      ))}
    </span>
  );
  return (
    <section className={classes.root} aria-label={t('videocallrequests.colleagues')}>
      {free.length > 0 ? (
        <>
          <span>{t('videocallrequests.availableNow')}</span>
          {faces(free, t('videocallrequests.free'))}
        </>
      ) : (
        <span>{t('videocallrequests.nobodyAvailable')}</span>
      )}
      {calling.length > 0 && (
        <>
          <span>· {t('videocallrequests.inCall')}</span>
          {faces(calling, t('videocallrequests.call'))}
        </>
      )}
    </section>
  );
}
