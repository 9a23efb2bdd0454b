import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useState } from 'react';
import type { ConferenceDetails } from '@/api/types';
import { type T, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { requestFilesInput } from '@/shared/lib/file-requests';
import { openModal } from '@/shared/lib/modals';
import { clock } from '@/shared/lib/time';
import { Icon, type IconName } from '@/shared/ui/Icon';
import type { FeedStatus } from '../feed/feed';
import { type LinkChannel, linkChannel } from '../model';
import { Appointment } from './Appointment';
import { AppointmentModal } from './AppointmentModal';
import { AtOnce } from './AtOnce';
import { CaseFacts } from './CaseFacts';
import { isAtOnce, lastMessage, type StepView, stepViews, type WayOut, waitingSince } from './progress-view';
import { Step } from './Step';
import type { WaitingActions } from './use-waiting-actions';
import classes from './WaitingPanel.module.css';
import { CancelModal, CodeModal, EmailModal, NumberModal, QrModal } from './WayOutModals';

interface WaitingPanelProps {
  details: ConferenceDetails;
  status: FeedStatus;
  /** Of `useWaitingActions(conferenceId)`. */
  actions: WaitingActions;
  /** The adjuster's own picture and equipment, on top of the right column. */
  preview?: ReactNode;
}

type Dialog = Exclude<WayOut, 'files' | 'call' | 'resend' | 'copy' | 'new'> | 'cancel';

/** The adjuster waits and sees the client's progress; a failed step opens in place. */
export function WaitingPanel({ details, status, actions, preview }: WaitingPanelProps) {
  const t = useT();
  const [dialog, setDialog] = useState<Dialog | null>(null);
  const steps = stepViews(details);
  const message = lastMessage(details);
  const channel = linkChannel(details.messages);
  const name = details.conference.contactPerson || t('videocall.w_client');
  const closed = details.conference.closed;

  const takeWay = (way: WayOut) => {
    if (way === 'resend') void actions.resend(channel);
    else if (way === 'copy') void copyText(details.link);
    else if (way === 'new') actions.openNew();
    else if (way === 'files') openModal('request-files', requestFilesInput(details.conference));
    else if (way === 'call') window.location.assign(`tel:${details.conference.phoneNumber}`);
    else setDialog(way);
  };
  const label = (way: WayOut) => wayLabel(t, way, channel);
  const bar: WayOut[] = ['resend', 'email', 'number', 'qr', 'code', 'copy', 'visit'];

  return (
    <div className={classes.root}>
      <section className={classes.main}>
        <Head {...{ details, steps, name, status }} />
        <Appointment details={details} name={name} onOther={() => setDialog('visit')} />
        {isAtOnce(details) && <AtOnce link={details.link} actions={actions} />}
        <ol className={classes.steps} aria-label={t('videocall.w_progress')}>
          {steps.map((step, index) => (
            <Step key={step.step} {...{ step, details, name, previousAt: steps[index - 1]?.at ?? null }}>
              {step.trouble?.ways.map((way, position) => (
                <Button
                  key={way}
                  size="xs"
                  variant={position === 0 ? 'filled' : 'default'}
                  leftSection={<Icon name={wayIcon[way]} size={16} />}
                  loading={way === 'resend' && actions.sending}
                  onClick={() => takeWay(way)}
                >
                  {label(way)}
                </Button>
              ))}
            </Step>
          ))}
        </ol>
        {!closed && (
          <div className={classes.bar}>
            {bar.map((way) => (
              <Button
                key={way}
                data-way={way}
                size="xs"
                variant="default"
                leftSection={<Icon name={wayIcon[way]} size={16} />}
                loading={way === 'resend' && actions.sending}
                onClick={() => takeWay(way)}
              >
                {way === 'qr' ? t('videocall.w_qrShort') : label(way)}
              </Button>
            ))}
            <Button
              size="xs"
              variant="subtle"
              data-tone="bad"
              className={classes.cancel}
              onClick={() => setDialog('cancel')}
            >
              {t('videocall.w_cancel')}
            </Button>
          </div>
        )}
      </section>
      <aside className={classes.aside}>
        {preview}
        <CaseFacts details={details} message={message} />
      </aside>
      <EmailModal opened={dialog === 'email'} onClose={() => setDialog(null)} actions={actions} />
      <NumberModal opened={dialog === 'number'} onClose={() => setDialog(null)} actions={actions} />
      <QrModal opened={dialog === 'qr'} onClose={() => setDialog(null)} link={details.link} />
      <CodeModal opened={dialog === 'code'} onClose={() => setDialog(null)} actions={actions} link={details.link} />
      <AppointmentModal
        opened={dialog === 'visit'}
        onClose={() => setDialog(null)}
        conferenceId={details.conference._id}
      />
      <CancelModal opened={dialog === 'cancel'} onClose={() => setDialog(null)} actions={actions} />
    </div>
  );
}

const wayIcon: Record<WayOut, IconName> = {
  files: 'cam',
  call: 'phone',
  resend: 'refresh',
  email: 'mail',
  number: 'phone',
  qr: 'qr',
  code: 'key',
  copy: 'link',
  new: 'videoplus',
  visit: 'cal',
};

const RESEND = {
  sms: 'videocall.w_resendSms',
  whatsapp: 'videocall.w_resendWhatsapp',
  email: 'videocall.w_resendEmail',
} as const;

function wayLabel(t: T, way: WayOut, channel: LinkChannel): string {
  const labels: Record<WayOut, string> = {
    files: t('videocall.w_askPhotos'),
    call: t('videocall.w_phone'),
    resend: t(RESEND[channel]),
    email: t('videocall.w_byEmail'),
    number: t('videocall.w_otherNumber'),
    qr: t('videocall.w_qr'),
    code: t('videocall.w_code'),
    copy: t('videocall.w_copy'),
    new: t('videocall.w_newCall'),
    visit: t('videocall.w_visit'),
  };
  return labels[way];
}

interface HeadProps {
  details: ConferenceDetails;
  steps: StepView[];
  name: string;
  status: FeedStatus;
}

function Head({ details, steps, name, status }: HeadProps) {
  const t = useT();
  const since = waitingSince(details);
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const stale = status === 'retrying' || status === 'connecting';
  return (
    <header className={classes.head}>
      <div className={classes.headText}>
        <h1>{t('videocall.waiting')}</h1>
        <p role="status">{stateSentence(t, details, steps, name)}</p>
      </div>
      <div className={classes.clock}>
        <div className={`${classes.elapsed} num`} role="timer">
          {clock(now - since)}
        </div>
        <div className={classes.since}>{t('videocall.w_since')}</div>
        <div className={classes.live} data-stale={stale || undefined}>
          {stale ? t('videocall.w_retrying') : t('videocall.w_live')}
        </div>
      </div>
    </header>
  );
}

/** Where the client is, in one sentence. */
function stateSentence(t: T, details: ConferenceDetails, steps: StepView[], name: string): string {
  if (details.conference.closed) return t('videocall.w_now_closed');
  const trouble = steps.find((step) => step.trouble)?.trouble;
  if (trouble) {
    if (trouble.reason === 'permission_no_answer') return `${t('call.problem_permission_no_answer', { name })}.`;
    const reason = t(`videocall.w_r_${trouble.reason}`);
    const onTheLink = steps.some((step) => step.step === 'opened' && step.state === 'done');
    if (!onTheLink) return `${reason}.`;
    return t('videocall.w_now_blocked', { name, reason: reason.charAt(0).toLowerCase() + reason.slice(1) });
  }
  const current = details.progress.current;
  return current ? t(`videocall.w_now_${current}`, { name }) : t('videocall.w_ready');
}
