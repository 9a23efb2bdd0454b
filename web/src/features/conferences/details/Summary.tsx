import type { ConferenceDetails, Message, Observation } from '@/api/types';
import { type T, useLanguage, useT } from '@/shared/i18n';
import { durationState, observationText, placeText } from '@/shared/lib/conferences';
import { longDateTime, shortDateTime } from '@/shared/lib/dates';
import { formatPhone } from '@/shared/lib/phone';
import { clock } from '@/shared/lib/time';
import { DurationTag } from '@/shared/ui/ConferenceTags';
import { FactList } from '@/shared/ui/FactList';
import { Icon } from '@/shared/ui/Icon';
import { MessageStateTag } from '@/shared/ui/MessageStateTag';
import { Plate } from '@/shared/ui/Plate';
import classes from './details.module.css';
import { actorName } from './timeline';

/** The case, who was there and what was sent. */
export function Summary({ details }: { details: ConferenceDetails }) {
  return (
    <div className={classes.summary}>
      <Facts details={details} />
      <People details={details} />
      <Messages messages={details.messages} />
    </div>
  );
}

/** Who closed a conference that the client never came to, or that its link ran out; null for every other one. */
function endOf(t: T, { conference, tracks, participants, people }: ConferenceDetails): [string, string] | null {
  if (!conference.closed || conference.sid) return null;
  const closing = tracks.find(({ type }) => type === 'CONFERENCE_CLOSED');
  if (!closing) return null;
  if (!closing.actor.startsWith('user:')) return [t('conferences.ended'), t('conferences.linkExpired')];
  return [t('conferences.cancelledBy'), actorName(t, closing.actor, conference, participants, people)];
}

function Facts({ details }: { details: ConferenceDetails }) {
  const { conference } = details;
  const t = useT();
  const language = useLanguage();
  const duration = { ...conference, durationState: durationState(conference, new Date()) };
  const ended = endOf(t, details);
  const facts: [string, React.ReactNode][] = [
    [t('conferences.date'), longDateTime(conference.createdAt, language)],
    [t('conferences.duration'), <DurationTag key="duration" row={duration as never} />],
    [
      t('conferences.observations'),
      conference.observation && observationText(t, conference.observation as Observation),
    ],
    ...(ended ? [ended] : []),
    [t('conferences.user'), conference.userName],
    [t('conferences.customer'), conference.customerName],
    [t('conferences.contact'), conference.contactPerson],
    [t('conferences.phone'), conference.phoneNumber && formatPhone(conference.phoneNumber)],
    [t('conferences.address'), placeText(conference)],
    [t('conferences.plate'), conference.carId && <Plate key="plate" plate={conference.carId} />],
  ];
  return <FactList className={classes.facts} facts={facts} />;
}

function People({ details: { participants } }: { details: ConferenceDetails }) {
  const t = useT();
  return (
    <section>
      <h3>{t('conferences.participants')}</h3>
      {participants.length === 0 && <p className={classes.nothing}>{t('conferences.noParticipants')}</p>}
      <ul className={classes.people}>
        {participants.map((one) => (
          <li key={one.identity}>
            <Icon name={one.kind === 'client' ? 'phone' : 'user'} size={16} />
            <span className={classes.name}>{one.name}</span>
            <span className={classes.quiet}>{one.kind === 'client' ? t('call.sideClient') : t('call.sideStaff')}</span>
            <span className={`${classes.quiet} num`}>
              {one.leftAt
                ? clock(Date.parse(one.leftAt) - Date.parse(one.joinedAt))
                : one.connected && t('conferences.inRoom')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Messages({ messages }: { messages: Message[] }) {
  const t = useT();
  const language = useLanguage();
  if (messages.length === 0) return null;
  return (
    <section>
      <h3>{t('conferences.messages')}</h3>
      <ul className={classes.messages}>
        {messages.map((message) => (
          <li key={message._id}>
            <div className={classes.messageHead}>
              <Icon name={message.channel === 'email' ? 'mail' : 'sms'} size={16} />
              <span className="num">{message.to}</span>
              <MessageStateTag state={message.state} />
              <time className="num" dateTime={message.createdAt}>
                {shortDateTime(message.sentAt ?? message.createdAt, language)}
              </time>
            </div>
            {message.subject && <b>{message.subject}</b>}
            <p>{message.text}</p>
            {message.error && <p className={classes.wrong}>{message.error}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
