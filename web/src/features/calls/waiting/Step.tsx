import type { ReactNode } from 'react';
import type { ConferenceDetails, PermissionDetail, StepName } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { localeOf } from '@/shared/i18n/languages';
import { timeOfDay } from '@/shared/lib/time';
import { Icon, type IconName } from '@/shared/ui/Icon';
import {
  acceptedLegal,
  clientDevice,
  clientPlatform,
  lastMessage,
  permissionsIn,
  type StepView,
  secondsBetween,
} from './progress-view';
import classes from './WaitingPanel.module.css';

interface StepProps {
  step: StepView;
  details: ConferenceDetails;
  name: string;
  /** When the step before happened, for "delivered in 3 s". */
  previousAt: string | null;
  /** The ways out, for a step in trouble. */
  children?: ReactNode;
}

const waitingIcon: Record<StepName, IconName> = {
  sent: 'send',
  delivered: 'sms',
  opened: 'link',
  legal: 'doc',
  permissions: 'cam',
  connected: 'video',
};

/** One of the six steps: its node, its words, its time; opened in place when it is in trouble. */
export function Step({ step, details, name, previousAt, children }: StepProps) {
  const t = useT();
  const language = useLanguage();
  const { trouble } = step;
  const look = trouble && !trouble.failed ? 'warn' : step.state;
  const hint = detailOf(t, step, details, previousAt, language);
  return (
    <li className={classes.step} data-state={look} aria-current={step.state === 'active' ? 'step' : undefined}>
      <span className={classes.node}>
        <Icon name={nodeIcon(step, look)} size={look === 'done' || look === 'failed' ? 20 : 16} />
      </span>
      <div className={classes.stepText}>
        <b>{trouble?.failed ? t(`videocall.w_r_${trouble.reason}`) : titleOf(t, step, details)}</b>{' '}
        {hint && <span className={`${classes.hint} num`}>{hint}</span>}
      </div>
      <time className={`${classes.at} num`} dateTime={step.at ?? undefined}>
        {timeOfDay(step.at) || '–'}
      </time>
      {trouble && (
        <div className={classes.fix}>
          {!trouble.failed && <b>{t(`videocall.w_r_${trouble.reason}`)}</b>}
          <p>
            {t(`videocall.w_x_${trouble.reason}`, { name })}
            {(trouble.reason === 'camera_denied' || trouble.reason === 'microphone_denied') && (
              <span className={classes.howto}>{t(`videocall.w_steps_${clientPlatform(details.tracks)}`)}</span>
            )}
          </p>
          <div className={classes.ways}>{children}</div>
        </div>
      )}
    </li>
  );
}

function nodeIcon(step: StepView, look: string): IconName {
  if (look === 'failed') return 'x';
  if (look === 'warn') return 'warn';
  if (look === 'done') return 'check';
  return waitingIcon[step.step];
}

function titleOf(t: T, { step, state, reason }: StepView, details: ConferenceDetails): string {
  if (step === 'sent') {
    const email = lastMessage(details)?.channel === 'email';
    if (reason === 'NO_SMS_PROVIDER') return email ? t('videocall.w_s_kept_email') : t('videocall.w_s_kept_sms');
    if (state === 'skipped') return t('videocall.w_s_sent_skipped');
    if (state !== 'done') return t('videocall.w_s_sent_pending');
    return email ? t('videocall.w_s_sent_email') : t('videocall.w_s_sent_sms');
  }
  if (step === 'delivered' && state === 'skipped') return t('videocall.w_s_delivered_skipped');
  return state === 'done' ? t(`videocall.w_s_${step}`) : t(`videocall.w_p_${step}`);
}

function detailOf(t: T, view: StepView, details: ConferenceDetails, previousAt: string | null, language: string) {
  if (view.step === 'sent') {
    const to = lastMessage(details)?.to;
    return to ? t('videocall.w_to', { to }) : '';
  }
  if (view.step === 'permissions') return permissionText(t, view, language);
  if (view.state !== 'done') return '';
  if (view.step === 'delivered') {
    const seconds = secondsBetween(previousAt, view.at);
    return seconds === null ? '' : t('videocall.w_in', { time: t('videocall.w_seconds', { n: seconds }) });
  }
  if (view.step === 'opened') return clientDevice(details.tracks);
  if (view.step === 'legal') {
    const legal = acceptedLegal(details.tracks);
    if (!legal) return '';
    const spoken = new Intl.DisplayNames(localeOf(language), { type: 'language' }).of(legal.language);
    return t('videocall.w_version', { version: legal.version, language: spoken });
  }
  return '';
}

/** "permitido: cámara y micrófono · denegado: ubicación", while and after the permissions are asked. */
function permissionText(t: T, { detail, state }: StepView, language: string): string {
  if (state === 'pending' || !detail) return '';
  const list = new Intl.ListFormat(localeOf(language), { type: 'conjunction' });
  const names = (wanted: PermissionDetail['camera']) =>
    list.format(permissionsIn(detail, wanted).map((name) => t(`videocall.w_${name}`)));
  const parts: string[] = [];
  const [granted, denied, skipped, pending] = [names('granted'), names('denied'), names('skipped'), names('pending')];
  const unanswered = names('unanswered');
  if (granted) parts.push(t('videocall.w_granted', { list: granted }));
  if (denied) parts.push(t('videocall.w_denied', { list: denied }));
  if (unanswered) parts.push(t('videocall.w_unanswered', { list: unanswered }));
  if (skipped) parts.push(t('videocall.w_skipped', { list: skipped }));
  if (pending && state === 'active') parts.push(t('videocall.w_waitingPermission', { list: pending }));
  return parts.join(' · ');
}
