import { useMemo, useState } from 'react';
import type { ChatMessage, ConferenceDetails, MediaItem } from '@/api/types';
import { type CallEngine, useReadable } from '@/rtc';
import { useT } from '@/shared/i18n';
import { useRequiredSession } from '@/shared/session';
import type { BeginWith } from '../components/WaitingPreview';
import { useFrozen } from '../drawing/use-frozen';
import {
  allPositions,
  clientGone,
  connectedAt,
  documents,
  firstName,
  linkChannel,
  meaningOf,
  pictures,
} from '../model';
import { silence, stageState } from '../stage';
import { useCaseActions } from './use-case-actions';
import { useClientDevice } from './use-client-device';
import { useConnection } from './use-connection';
import { useMuteAll } from './use-mute-all';
import { useOwnDevices } from './use-own-devices';
import { useShots } from './use-shots';

export interface CallInput {
  engine: CallEngine;
  begin: BeginWith;
  details: ConferenceDetails;
  media: MediaItem[];
  chat: ChatMessage[];
  /** Of these, what came while this page was open. */
  arrivedChat: ChatMessage[];
}

/** Everything the screen of a call shows and does: the engine, the live conference and the case's actions as one. */
export function useCall({ engine, begin, details, media, chat, arrivedChat }: CallInput) {
  const t = useT();
  const { user } = useRequiredSession();
  const { conference, recording, progress } = details;
  const people = useReadable(engine.session.people);
  const status = useReadable(engine.session.status);
  const audioAllowed = useReadable(engine.session.audioAllowed);
  const verdict = useReadable(engine.health.verdict);
  const frozen = useReadable(engine.health.frozen);
  const connection = useConnection(engine, conference._id);
  const { stills } = useReadable(engine.client.state);

  const client = firstName(conference) ?? t('call.theClient');
  // Without a live camera the phone offers its own camera app for the picture.
  const canShoot = people.client !== null;
  const own = useOwnDevices(engine, canShoot, begin);
  const shots = useShots(conference._id, stills);
  const phone = useClientDevice(engine, `${user.name} ${user.surname}`.trim(), client, canShoot, shots.asked);
  const myName = `${user.name} ${user.surname}`.trim();
  const still = useFrozen({ conferenceId: conference._id, engine, media, stills, myName });
  const channel = linkChannel(details.messages);
  const act = useCaseActions(conference._id, details.link, channel);
  const muteAll = useMuteAll(conference._id, people);

  const shown = useMemo(() => ({ pictures: pictures(media), documents: documents(media) }), [media]);
  const positions = useMemo(
    () => allPositions(details.tracks, phone.state.positions),
    [details.tracks, phone.state.positions],
  );
  const recordingToldAt = useMemo(() => Date.now(), [recording]);
  const last = positions.at(-1);
  const state = stageState({ status, people, client: phone.state, progress, gone: clientGone(details.tracks) });
  const permissions = progress.steps.find((one) => one.step === 'permissions')?.detail;
  return {
    ...{ engine, details, conference, progress, people, status, audioAllowed, verdict, client, canShoot },
    ...{ own, shots, phone, act, media, chat, positions, recording, recordingToldAt, ...shown },
    ...{ connection, frozen, still, channel, state, muteAll },
    /** Why the client cannot be heard while the picture shows. */
    silent: silence({ people, progress }),
    /** What the newest position says about the insured place. */
    meaning: last ? meaningOf(details.positions, last) : null,
    me: people.me?.identity ?? `user:${user._id}`,
    connectedAt: connectedAt(details),
    positionPermission: permissions?.geolocation ?? 'pending',
    unread: useUnread(arrivedChat),
  };
}

export type Call = ReturnType<typeof useCall>;

/** How many words of the client nobody has seen yet. */
function useUnread(arrived: ChatMessage[]) {
  const [shown, setShown] = useState(false);
  const [read, setRead] = useState(arrived.length);
  return {
    count: shown ? 0 : arrived.slice(read).filter((one) => one.kind === 'client').length,
    onShown: (now: boolean) => {
      setShown(now);
      setRead(arrived.length);
    },
  };
}
