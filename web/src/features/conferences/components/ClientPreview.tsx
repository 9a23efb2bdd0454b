import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { foldAccents, smsSize } from '@/shared/lib/sms';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import type { VideocallValues } from '../videocall-form';
import classes from './ClientPreview.module.css';

/** A link as long as the real one; the server makes the code. */
export const sampleLink = () => `${window.location.origin}/c/k7Pm3xQa2Z`;

/** What the other side will get: the message, then the gist of the link's first screen. */
export function ClientPreview({ values, fold }: { values: VideocallValues; fold: boolean }) {
  const t = useT();
  const { user } = useRequiredSession();
  const company = user.company?.company ?? '';
  const adjuster = `${user.name} ${user.surname}`.trim();
  const car = values.type === 1;
  const written = values.smsText.trim();
  const text = fold ? foldAccents(written) : written;
  const segments = smsSize(`${text} ${sampleLink()}`).segments;
  const expedient = values.expedientNumber.trim() || '–';
  return (
    <aside className={classes.root} aria-label={t('videocall.preview')}>
      <div className={classes.head}>
        <h2>{t('videocall.preview')}</h2>
        <span>{t('videocall.previewTag')}</span>
      </div>
      <div>
        <div className={classes.caption}>
          {values.channel === 'sms' && t('videocall.previewSms', { count: segments })}
          {values.channel === 'email' && t('videocall.previewEmail')}
          {values.channel === 'none' && t('videocall.previewNone')}
        </div>
        <div className={classes.bubble}>
          {values.channel === 'sms' && text}
          {values.channel === 'email' && <b>{t('videocall.previewSubject', { expedient })}</b>}{' '}
          <span className={classes.link}>{sampleLink().replace(/^https?:\/\//, '')}</span>
        </div>
      </div>
      <div className={classes.then}>
        <Icon name="down" size={16} />
        {t('videocall.previewOpen')}
      </div>
      <div className={classes.phone}>
        <div className={classes.who}>
          <span className={classes.avatar}>{initials(company)}</span>
          <span>
            <b>{company}</b>
            <span className={classes.adjuster}>{adjuster}</span>
          </span>
        </div>
        <p className={classes.hello}>{t('client.before')}</p>
        <p className={classes.facts}>
          {t('client.case')} <b className={`${classes.long} num`}>{expedient}</b>
          {car && values.carId.trim() && (
            <>
              {' · '}
              {t('client.plate')} <b className="num">{values.carId.trim().toUpperCase()}</b>
            </>
          )}
        </p>
        <ul className={classes.legal}>
          {t('videocall.previewLegal', { company, expedient })
            .split('\n')
            .map((point) => (
              <li key={point}>{point}</li>
            ))}
        </ul>
        <div className={classes.answers} aria-hidden="true">
          <span>{t('client.accept')}</span>
          <span>{t('client.reject')}</span>
        </div>
      </div>
      <Note text={t('videocall.previewThen')} />
    </aside>
  );
}
