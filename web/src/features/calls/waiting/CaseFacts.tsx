import { ActionIcon, Tooltip } from '@mantine/core';
import type { ConferenceDetails, Message } from '@/api/types';
import { useT } from '@/shared/i18n';
import { copyText } from '@/shared/lib/clipboard';
import { formatPhone } from '@/shared/lib/phone';
import { FactList } from '@/shared/ui/FactList';
import { Icon } from '@/shared/ui/Icon';
import { MessageStateTag } from '@/shared/ui/MessageStateTag';
import classes from './CaseFacts.module.css';

interface CaseFactsProps {
  details: ConferenceDetails;
  message: Message | null;
}

/** The case at a glance, what was sent, and the link. */
export function CaseFacts({ details, message }: CaseFactsProps) {
  const t = useT();
  const { conference, link } = details;
  const facts: [string, string | null][] = [
    [t('videocall.w_number'), conference.expedientNumber],
    [t('videocall.w_type'), Number(conference.type) === 1 ? t('videocall.type1') : t('videocall.type2')],
    [t('videocall.w_contact'), conference.contactPerson],
    [t('videocall.w_phone'), formatPhone(conference.phoneNumber)],
    [t('videocall.w_plate'), conference.carId],
    [t('videocall.w_address'), conference.fullAddress || conference.address],
  ];
  return (
    <div className={classes.root}>
      <section>
        <h2>{t('videocall.w_case')}</h2>
        <FactList className={classes.facts} facts={facts} />
      </section>
      {message && (
        <section className={classes.block}>
          <div className={classes.row}>
            <h2>{t('videocall.w_message')}</h2>
            <MessageStateTag state={message.state} />
          </div>
          <p className={classes.bubble}>{message.subject ?? message.text}</p>
        </section>
      )}
      <section className={classes.block}>
        <h2>{t('videocall.w_link')}</h2>
        <div className={classes.link}>
          <span className="num">{link.replace(/^https?:\/\//, '')}</span>
          <Tooltip label={t('videocall.w_copy')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={28}
              aria-label={t('videocall.w_copy')}
              onClick={() => void copyText(link)}
            >
              <Icon name="copy" size={16} />
            </ActionIcon>
          </Tooltip>
        </div>
      </section>
    </div>
  );
}
