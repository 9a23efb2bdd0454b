import type { ConferenceDetails } from '@/api/types';
import { useLanguage, useT } from '@/shared/i18n';
import { madridTime } from '@/shared/lib/dates';
import { isBad, trackText } from '@/shared/lib/tracks';
import { Icon, type IconName } from '@/shared/ui/Icon';
import classes from './details.module.css';
import { actorName, byDay, dayTitle, trackDetail } from './timeline';

/** The icon of a kind of event, by how its name begins. */
const ICONS: [string, IconName][] = [
  ['SMS', 'sms'],
  ['EMAIL', 'mail'],
  ['WHATSAPP', 'chat'],
  ['CHAT', 'chat'],
  ['LINK', 'link'],
  ['LEGAL', 'doc'],
  ['PERMISSION', 'lock'],
  ['GEO', 'pin'],
  ['CONNECTED', 'phone'],
  ['RECONNECTED', 'wifi'],
  ['DISCONNECTED', 'hang'],
  ['RECORDING', 'rec'],
  ['MEDIA_EXPIRED', 'clock'],
  ['MEDIA', 'img'],
  ['FILES', 'send'],
  ['FILE', 'ul'],
  ['CERTIFICATE', 'seal'],
  ['PARTICIPANT', 'userplus'],
  ['CONFERENCE_CLOSED', 'check'],
];
const iconOf = (type: string): IconName => ICONS.find(([start]) => type.startsWith(start))?.[1] ?? 'videoplus';

/** Everything that happened, in words, with its time in Madrid and who did it. */
export function Timeline({ details }: { details: ConferenceDetails }) {
  const t = useT();
  const language = useLanguage();
  return (
    <div className={classes.timeline}>
      {byDay(details.tracks).map(({ day, tracks }) => (
        <section key={day}>
          <h3>{dayTitle(day, language)}</h3>
          <ol>
            {tracks.map((track) => {
              const detail = trackDetail(t, track);
              return (
                <li key={track._id} data-bad={isBad(track) || undefined}>
                  <time className="num" dateTime={track.at}>
                    {madridTime(track.at, language)}
                  </time>
                  <span className={classes.mark}>
                    <Icon name={iconOf(track.type)} size={16} />
                  </span>
                  <span className={classes.event}>
                    <span>{trackText(t, track)}</span>
                    {detail && <span className={`${classes.detail} num`}>{detail}</span>}
                  </span>
                  <span className={classes.actor}>
                    {actorName(t, track.actor, details.conference, details.participants, details.people)}
                  </span>
                </li>
              );
            })}
          </ol>
        </section>
      ))}
    </div>
  );
}
