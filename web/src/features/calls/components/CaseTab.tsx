import { Button } from '@mantine/core';
import type { Conference, Track } from '@/api/types';
import { isLive, type People } from '@/rtc';
import { useLanguage, useT } from '@/shared/i18n';
import { timeOfDay } from '@/shared/lib/format';
import { formatPhone } from '@/shared/lib/phone';
import { trackText } from '@/shared/lib/tracks';
import { FactList } from '@/shared/ui/FactList';
import { Icon } from '@/shared/ui/Icon';
import { IconAction } from '@/shared/ui/IconAction';
import { displayName } from '../people';
import classes from './SidePanel.module.css';

interface CaseTabProps {
  conference: Conference;
  tracks: Track[];
  people: People;
  onMute: (identity: string, trackSid: string) => void;
  /** Silences everybody else. */
  muteAll: { possible: boolean; busy: boolean; run: () => void };
  onRemove: (identity: string) => void;
  onCopyLink: () => void;
}

function Facts({ conference }: { conference: Conference }) {
  const t = useT();
  const address =
    conference.fullAddress ||
    [conference.address, conference.postalCode, conference.city, conference.cityRegion].filter(Boolean).join(', ');
  const rows: Array<[string, string | null]> = [
    [t('call.factCase'), conference.expedientNumber],
    [t('call.factType'), String(conference.type) === '1' ? t('videocall.type1') : t('videocall.type2')],
    [t('call.factContact'), conference.contactPerson],
    [t('call.factPhone'), conference.phoneNumber && formatPhone(conference.phoneNumber)],
    [t('call.factPlate'), conference.carId],
    [t('call.factAddress'), address],
    [t('call.factUser'), conference.userName],
  ];
  return <FactList className={classes.facts} facts={rows} />;
}

function PeopleList({ people, conference, onMute, onRemove }: CaseTabProps) {
  const t = useT();
  const everybody = people.me ? [people.me, ...people.others] : people.others;
  return (
    <ul>
      {everybody.map((one) => {
        const own = one.identity === people.me?.identity;
        const name = own ? t('call.you') : displayName(t, one, conference.contactPerson);
        const mic = one.microphone;
        return (
          <li key={one.identity} className={classes.person}>
            <Icon name={one.kind === 'client' ? 'phone' : 'user'} size={16} />
            <span className={classes.personText}>{name}</span>
            {!isLive(mic) && !own && <Icon name="micoff" size={16} label={t('call.micIsOff')} />}
            {!own && mic && !mic.muted && (
              <IconAction
                icon="mic"
                size={28}
                label={t('call.muteName', { name })}
                onClick={() => onMute(one.identity, mic.sid)}
              />
            )}
            {!own && (
              <IconAction
                icon="out"
                size={28}
                label={t('call.removeName', { name })}
                onClick={() => onRemove(one.identity)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

/** The case, who is in the call, and what has happened so far. */
export function CaseTab(props: CaseTabProps) {
  const t = useT();
  const language = useLanguage();
  const newestFirst = [...props.tracks].sort((a, b) => b.seq - a.seq);
  return (
    <>
      <section className={classes.section}>
        <h2>{t('call.caseData')}</h2>
        <Facts conference={props.conference} />
        <Button
          mt={12}
          size="xs"
          variant="default"
          leftSection={<Icon name="link" size={16} />}
          onClick={props.onCopyLink}
        >
          {t('call.copyLink')}
        </Button>
      </section>
      <section className={classes.section}>
        <h2>{t('call.participants')}</h2>
        <PeopleList {...props} />
        {props.people.others.length > 1 && (
          <Button
            mt={8}
            size="xs"
            variant="default"
            leftSection={<Icon name="micoff" size={16} />}
            disabled={!props.muteAll.possible}
            loading={props.muteAll.busy}
            aria-keyshortcuts="S"
            onClick={props.muteAll.run}
          >
            {t('call.muteAll')}
          </Button>
        )}
      </section>
      <section className={classes.section}>
        <h2>{t('call.history')}</h2>
        <ol>
          {newestFirst.map((track) => (
            <li key={track._id} className={classes.track}>
              <time className="num" dateTime={track.at}>
                {timeOfDay(track.at, language, true)}
              </time>
              <span>{trackText(t, track)}</span>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}
