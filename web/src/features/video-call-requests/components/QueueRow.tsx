import { ActionIcon, Button, Menu } from '@mantine/core';
import type { CSSProperties } from 'react';
import { useLanguage, useT } from '@/shared/i18n';
import { localClock } from '@/shared/lib/format';
import { formatPhone } from '@/shared/lib/phone';
import { CaseNumber } from '@/shared/ui/CaseNumber';
import { Icon } from '@/shared/ui/Icon';
import { Plate } from '@/shared/ui/Plate';
import { Tag } from '@/shared/ui/Tag';
import { isRinging, progress, remainingMs, ringsSince, type VideoCallRequest } from '../model';
import { agreedText, running, typeIcon, typeText } from '../words';
import classes from './Queue.module.css';

interface QueueRowProps {
  request: VideoCallRequest;
  now: number;
  /** The one to take next: the longest wait. */
  first: boolean;
  /** Whether the reader may answer (2, 3 of the customer). */
  mayAnswer: boolean;
  /** Whether the reader may refuse for everybody (principal). */
  mayRefuseAll: boolean;
  busy: boolean;
  attending: boolean;
  onAttend: () => void;
  onRefuse: (all: boolean) => void;
}

/** One open request: how long it rings, who, what, and the answer. Source: look/11-requests. */
export function QueueRow(props: QueueRowProps) {
  const { request, now, first, mayAnswer, busy, attending, onAttend } = props;
  const t = useT();
  const ringing = isRinging(request, now);
  return (
    <article className={classes.row} data-ringing={ringing || undefined} aria-label={request.starterCompany}>
      <Time request={request} now={now} ringing={ringing} />
      <div className={classes.who}>
        <div className={classes.name}>
          <h2>{request.starterCompany}</h2>
          <Tag icon={typeIcon(request.type)}>{typeText(t, request.type)}</Tag>
          {request.refusals > 0 && <Tag icon="x">{t('videocallrequests.rejected', { count: request.refusals })}</Tag>}
        </div>
        <span className={classes.second}>
          {request.starterName}
          {request.starterPhone && (
            <>
              {' · '}
              <a className="num" href={`tel:${request.starterPhone}`}>
                {formatPhone(request.starterPhone)}
              </a>
            </>
          )}
        </span>
      </div>
      <div className={classes.case}>
        <span className={`${classes.numbers} num`}>
          <b>
            <CaseNumber number={request.expedient} />
          </b>
          {request.plate && <Plate plate={request.plate} />}
        </span>
        <span className={classes.second}>
          {[request.region, request.insuranceCompanyName].filter(Boolean).join(' · ')}
        </span>
      </div>
      {mayAnswer && (
        <div className={classes.actions}>
          <Button
            size={ringing ? 'md' : 'sm'}
            variant={first ? 'filled' : 'default'}
            aria-label={t('videocallrequests.attendAt', { name: request.starterCompany })}
            leftSection={<Icon name="video" />}
            disabled={busy && !attending}
            loading={attending}
            onClick={onAttend}
          >
            {t('videocallrequests.attend')}
          </Button>
          <More {...props} />
        </div>
      )}
    </article>
  );
}

function Time({ request, now, ringing }: { request: VideoCallRequest; now: number; ringing: boolean }) {
  const t = useT();
  const language = useLanguage();
  if (!ringing) {
    const at = request.callbackAt ?? request.createdAt;
    return (
      <div className={classes.time}>
        <b className="num">{localClock(at, language)}</b>
        <span className="num">{agreedText(t, language, at, now)}</span>
      </div>
    );
  }
  const left = remainingMs(request, now);
  return (
    <div className={classes.time}>
      <b className="num">{running(now - ringsSince(request))}</b>
      <span className="num">
        {request.state === 'scheduled' && `${t('videocallrequests.dueNow')} · `}
        {left > 0 ? t('videocallrequests.expiresIn', { time: running(left) }) : t('videocallrequests.expiresNow')}
      </span>
      <i className={classes.bar} style={{ '--part': progress(request, now) } as CSSProperties} aria-hidden="true" />
    </div>
  );
}

function More({ request, mayRefuseAll, onRefuse }: QueueRowProps) {
  const t = useT();
  const name = request.starterCompany;
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" c="inherit" size={36} aria-label={`${t('common.more')}: ${name}`}>
          <Icon name="dots" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {request.starterPhone && (
          <Menu.Item component="a" href={`tel:${request.starterPhone}`} leftSection={<Icon name="phone" size={16} />}>
            {t('videocallrequests.callPhone', { name: request.starterName })}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Icon name="x" size={16} />} onClick={() => onRefuse(false)}>
          {t('videocallrequests.refuseMine')}
        </Menu.Item>
        {mayRefuseAll && (
          <Menu.Item color="red" leftSection={<Icon name="x" size={16} />} onClick={() => onRefuse(true)}>
            {t('videocallrequests.refuseAll')}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

/** One that nobody has to answer any more. */
export function GoneRow({ request, by }: { request: VideoCallRequest; by: string | null }) {
  const t = useT();
  const language = useLanguage();
  const words = {
    accepted: {
      icon: 'check',
      text: by ? t('videocallrequests.takenBy', { name: by }) : t('videocallrequests.takenBySomebody'),
    },
    refused: { icon: 'x', text: t('videocallrequests.goneRefused') },
    withdrawn: { icon: 'undo', text: t('videocallrequests.goneWithdrawn') },
    expired: { icon: 'clock', text: t('videocallrequests.goneExpired') },
  } as const;
  const state = request.state === 'waiting' || request.state === 'scheduled' ? 'expired' : request.state;
  const { icon, text } = words[state];
  const missed = state === 'expired' && request.starterPhone;
  return (
    <article className={classes.gone}>
      <span className="num">{localClock(request.createdAt, language)}</span>
      <span>
        {request.starterCompany} · <CaseNumber number={request.expedient} />
      </span>
      <span className={classes.how}>
        <Icon name={icon} size={16} />
        {text}
      </span>
      <span className={classes.end}>
        {missed && <a href={`tel:${request.starterPhone}`}>{t('videocallrequests.callBack')}</a>}
      </span>
    </article>
  );
}
