import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import { useRequiredSession } from '@/shared/session';
import { Icon } from '@/shared/ui/Icon';
import { Note } from '@/shared/ui/Note';
import { smsSize } from '../sms';
import type { VideocallValues } from '../videocall-form';
import classes from './ClientPreview.module.css';

/** A link as long as the real one; the server makes the code. */
export const sampleLink = () => `${window.location.origin}/c/k7Pm3xQa2Z`;

/** What the other side will get: the message, then the first screen of the link. Source: LOOK.md "Forms". */
export function ClientPreview({ values }: { values: VideocallValues }) {
  const t = useT();
  const { user } = useRequiredSession();
  const company = user.company?.company ?? '';
  const adjuster = `${user.name} ${user.surname}`.trim();
  const first = values.contactPerson.trim().split(/\s+/)[0] ?? '';
  const car = values.type === 1;
  const hello = first
    ? t(car ? 'videocall.previewHello' : 'videocall.previewHelloOther', { name: first, user: adjuster })
    : t(car ? 'videocall.previewNobody' : 'videocall.previewNobodyOther', { user: adjuster });
  const text = values.smsText.trim();
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
          {values.channel === 'sms' ? t('videocall.previewSms', { count: segments }) : t('videocall.previewEmail')}
        </div>
        <div className={classes.bubble}>
          {values.channel === 'sms' ? text : <b>{t('videocall.previewSubject', { expedient })}</b>}{' '}
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
          <b>{company}</b>
        </div>
        <p className={classes.hello}>{hello}</p>
        <p className={classes.facts}>
          {t('videocall.previewExpedient')} <b className={`${classes.long} num`}>{expedient}</b>
          {car && values.carId.trim() && (
            <>
              {' · '}
              {t('videocall.previewPlate')} <b className="num">{values.carId.trim().toUpperCase()}</b>
            </>
          )}
          <br />
          {t('videocall.previewTime')}
        </p>
        <div className={classes.start} aria-hidden="true">
          {t('videocall.previewStart')}
        </div>
      </div>
      <Note text={t('videocall.previewThen')} />
    </aside>
  );
}
