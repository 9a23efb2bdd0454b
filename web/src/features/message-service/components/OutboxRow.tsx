import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { OutboxMessage } from '@/api/types';
import { errorText, type T, useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { shortDateTime } from '@/shared/lib/dates';
import { Icon, type IconName } from '@/shared/ui/Icon';
import { MessageStateTag } from '@/shared/ui/MessageStateTag';
import { toast } from '@/shared/ui/toast';
import { downloadAttachment } from '../api';
import { type ChannelName, channelOf, linkOf, reasonOf, splitLinks } from '../model';
import classes from './Outbox.module.css';

const ICONS: Record<ChannelName, IconName> = { sms: 'sms', email: 'mail', whatsapp: 'chat' };

/** One message: to whom, what it said, where it stands, and its link at hand. */
export function OutboxRow({ message }: { message: OutboxMessage }) {
  const t = useT();
  const language = useLanguage();
  const link = linkOf(message.text);
  const channel = channelOf(message.channel);
  return (
    <li className={classes.row}>
      <span className={classes.channel}>
        <Icon name={ICONS[channel]} label={t(`outbox.${channel}`)} />
      </span>
      <div className={classes.what}>
        <div className={classes.line}>
          <b className="num">{message.to}</b>
          <MessageStateTag state={message.state} />
          <time className={`${classes.time} num`} dateTime={message.createdAt}>
            {shortDateTime(message.createdAt, language)}
          </time>
        </div>
        {message.subject && <div className={classes.subject}>{message.subject}</div>}
        <p className={classes.text}>
          {splitLinks(message.text).map((part) =>
            part.link ? (
              <a key={part.text} href={part.text} target="_blank" rel="noreferrer">
                {part.text}
              </a>
            ) : (
              part.text
            ),
          )}
        </p>
        {message.attachments.length > 0 && <Attachments files={message.attachments} />}
        <p className={`${classes.fate} num`}>{fateOf(t, language, message).join(' · ')}</p>
        {message.error && (
          <p className={classes.error}>
            {message.reason && `${t(`messageservice.reason_${reasonOf(message.reason)}`)}: `}
            {message.error}
          </p>
        )}
      </div>
      {link && (
        <div className={classes.actions}>
          <Button
            component="a"
            href={link}
            target="_blank"
            rel="noreferrer"
            size="xs"
            variant="default"
            leftSection={<Icon name="ext" size={16} />}
          >
            {t('outbox.open')}
          </Button>
          <Tooltip label={t('outbox.copyLink')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('outbox.copyLink')}
              onClick={() => void copyText(link)}
            >
              <Icon name="copy" size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      )}
    </li>
  );
}

/** What became of it, in words: by whom it went, when it arrived, how often it was tried. */
function fateOf(t: T, language: string, message: OutboxMessage): string[] {
  const { provider, deliveredAt, attempts, fallbackOf } = message;
  return [
    ...(provider ? [t('outbox.via', { provider: t(`messageservice.provider_${provider}` as never) })] : []),
    ...(deliveredAt ? [t('outbox.arrived', { when: shortDateTime(deliveredAt, language) })] : []),
    ...(attempts > 1 ? [t('outbox.attempts', { count: attempts })] : []),
    ...(fallbackOf ? [t('outbox.fallback')] : []),
  ];
}

function Attachments({ files }: { files: OutboxMessage['attachments'] }) {
  const t = useT();
  const save = (id: string, name: string) =>
    downloadAttachment(id, name).catch((error: unknown) =>
      toast.error({ title: t('outbox.attachmentFailed'), text: errorText(t, error) }),
    );
  return (
    <div className={classes.files}>
      {files.map(({ _id, name, kept }) => (
        <Tooltip key={_id} label={t('outbox.attachmentGone')} disabled={kept}>
          <Button
            variant="default"
            size="compact-xs"
            leftSection={<Icon name="clip" size={14} />}
            data-disabled={!kept || undefined}
            aria-disabled={!kept || undefined}
            onClick={() => kept && void save(_id, name)}
          >
            {name}
          </Button>
        </Tooltip>
      ))}
    </div>
  );
}
