import { useQuery } from '@tanstack/react-query';
import { limits } from '@/api/generated/limits';
import { useT } from '@/shared/i18n';
import { companyRetention } from '../api';
import { keptDays } from '../model';
import classes from './privacy.module.css';

/** From this many whole days on the files are gone. */
const STANDARD_DAYS = limits.mediaExpiredDays;

/** What stays how long, and what happens then. `company` `0`: the rule that holds without an own contract. */
export function Retention({ company }: { company: string }) {
  const t = useT();
  const own = useQuery({ ...companyRetention(company), enabled: company !== '0' });
  const days = keptDays(STANDARD_DAYS, own.data);
  const longer = days > STANDARD_DAYS;
  const rows = [
    [
      t('privacy.rMedia'),
      t('privacy.days', { count: days }),
      longer ? t('privacy.rMediaLonger') : t('privacy.rMediaThen'),
    ],
    [t('privacy.rRequest'), t('privacy.days', { count: limits.mediaRequestDays }), t('privacy.rRequestThen')],
    [t('privacy.rLink'), t('privacy.rLinkTime'), t('privacy.rLinkThen')],
    [t('privacy.rErased'), t('privacy.rErasedTime'), t('privacy.rErasedThen')],
  ];
  return (
    <>
      <p className={classes.lead}>
        {longer ? t('privacy.retentionOwn', { count: days }) : t('privacy.retentionStandard')}
      </p>
      <dl className={`${classes.panel} ${classes.kept}`}>
        {rows.map(([what, time, then]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              <b className="num">{time}</b>
              <span>{then}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={classes.quiet}>{t('privacy.controller')}</p>
    </>
  );
}
