import { ActionIcon, Button, Tooltip } from '@mantine/core';
import type { OutboxMessage } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { Icon } from '@/shared/ui/Icon';
import { MessageStateTag } from '@/shared/ui/MessageStateTag';
import { linkOf, splitLinks } from '../model';
import classes from '../pages/OutboxPage.module.css';

/** One message: to whom, what it said, where it stands, and its link at hand. */
export function OutboxRow({ message }: { message: OutboxMessage }) {
  const t = useT();
  const language = useLanguage();
  const link = linkOf(message.text);
  const channel = message.channel === 'email' ? t('outbox.email') : t('outbox.sms');
  const date = new Date(message.createdAt);
  return (
    <li className={classes.row}>
      <span className={classes.channel}>
        <Icon name={message.channel === 'email' ? 'mail' : 'sms'} label={channel} />
      </span>
      <div className={classes.what}>
        <div className={classes.line}>
          <b className="num">{message.to}</b>
          <MessageStateTag state={message.state} />
          <time className={`${classes.time} num`} dateTime={message.createdAt}>
            {date.toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' })}
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
        {message.error && <p className={classes.error}>{message.error}</p>}
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
