import { useT } from '@/shared/i18n';
import { initials } from '@/shared/lib/initials';
import type { RequestFilesInput } from '@/shared/lib/modals';
import { useRequiredSession } from '@/shared/session';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { Icon } from '@/shared/ui/Icon';
import type { RequestForm } from '../hooks/use-request-form';
import { sampleLink } from './MessageFields';
import classes from './RequestFiles.module.css';

/** What the client will get: the message, then the page behind its link. */
export function WhatTheyGet({ form, input }: { form: RequestForm; input: RequestFilesInput }) {
  const t = useT();
  const { user } = useRequiredSession();
  const { values, asked, requested } = form;
  const company = user.company?.company ?? '';
  const sms = values.channel === 'sms';
  return (
    <div className={classes.preview}>
      <div className={classes.quiet}>{t(sms ? 'clientfiles.previewSms' : 'clientfiles.previewEmail')}</div>
      <div className={classes.bubble}>
        {!sms && <b className={classes.subject}>{values.emailTitle}</b>}
        <span className={classes.words}>{sms ? values.smsText.trim() : values.emailText.trim()}</span>{' '}
        <span className={classes.link}>{sampleLink().replace(/^https?:\/\//, '')}</span>
      </div>
      <div className={classes.quiet}>{t('clientfiles.previewPage')}</div>
      <div className={classes.phone}>
        <div className={classes.who}>
          <span className={classes.avatar}>{initials(company)}</span>
          <span>
            <b>{company}</b>
            <span className={classes.quiet}>
              {t('clientfiles.previewCase')} <CaseNumber number={input.expedientNumber} />
            </span>
          </span>
        </div>
        {!requested && <p className={classes.words}>{values.pageText.trim()}</p>}
        <ul className={classes.previewList}>
          {asked.map((thing) => (
            <li key={thing.id}>
              <Icon name="cam" size={16} />
              <span>
                {thing.label}
                {thing.hint && <span className={classes.hint}>{thing.hint}</span>}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}
