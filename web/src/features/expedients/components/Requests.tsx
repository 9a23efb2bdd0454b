import { Button } from '@mantine/core';
import type { FileRequest, ItemState } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { shortDateTime } from '@/shared/lib/dates';
import { openModal } from '@/shared/lib/modals';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { Tag } from '@/shared/ui/Tag';
import classes from './expedient.module.css';
import { Section } from './Section';

const TONES = {
  sent: 'quiet',
  opened: 'acc',
  partial: 'acc',
  complete: 'ok',
  expired: 'bad',
  cancelled: 'quiet',
} as const;

const MARKS: Record<ItemState, IconName> = {
  asked: 'clock',
  received: 'dl',
  approved: 'check',
  rejected: 'undo',
};

/** What was asked of the client and what came of it. */
export function Requests({ requests }: { requests: FileRequest[] }) {
  const t = useT();
  const language = useLanguage();
  if (requests.length === 0) return null;
  return (
    <Section title={t('expedients.requests')} count={requests.length}>
      <ul className={classes.rows}>
        {requests.map((request) => (
          <li key={request._id} className={classes.request}>
            <div className={classes.requestHead}>
              <Icon name={request.contactType === 1 ? 'sms' : 'mail'} size={16} />
              <b className="num">{request.to}</b>
              <Tag tone={TONES[request.state]}>{t(`clientfiles.state_${request.state}`)}</Tag>
              <span className={`${classes.quiet} num`}>
                {shortDateTime(request.createdAt, language)} · {request.userName}
              </span>
              <Button
                size="xs"
                variant="subtle"
                onClick={() => openModal('file-requests', { conferenceId: request.conferenceId })}
              >
                {t('expedients.openRequests')}
              </Button>
            </div>
            <ul className={classes.items}>
              {request.items.map((item) => (
                <li key={item._id} data-state={item.state}>
                  <Icon name={MARKS[item.state]} size={14} />
                  {item.label}
                  <span className={classes.quiet}>{t(`clientfiles.item_${item.state}`)}</span>
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ul>
    </Section>
  );
}
