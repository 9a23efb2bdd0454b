import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import type { ChatMessage, ConferenceDetails, MediaItem } from '@/api/types';
import { type CallEngine, useCallEngine, useReadable } from '@/rtc';
import type { Preview } from '@/shared/conference/preview';
import { errorText, useT } from '@/shared/i18n';
import { usePage } from '@/shared/lib/page';
import { paths } from '@/shared/routes/paths';
import { useRequiredSession } from '@/shared/session';
import { StateView } from '@/shared/ui/StateView';
import { joinTicket } from '../api';
import { CallOver } from '../components/CallOver';
import { CallRoom } from '../components/CallRoom';
import { CallSkeleton } from '../components/CallSkeleton';
import { type BeginWith, WaitingPreview } from '../components/WaitingPreview';
import type { FeedStatus } from '../feed/events';
import { useArrivalSound } from '../hooks/use-arrival-sound';
import { useRoomData } from '../hooks/use-room-data';
import { connectedAt } from '../model';
import { useWaitingActions } from '../waiting/use-waiting-actions';
import { WaitingPanel } from '../waiting/WaitingPanel';

/** The page inside the shell, with its title; the call itself (`immersive`) hides the shell. */
function Framed({ title, immersive, children }: { title: string; immersive?: boolean; children: ReactNode }) {
  const t = useT();
  usePage({ title, immersive, crumb: { label: t('videocall.formTitle'), href: paths.newVideocall() } });
  return children;
}

interface ActiveCallProps {
  Preview: Preview;
  engine: CallEngine;
  feedStatus: FeedStatus;
  details: ConferenceDetails;
  media: MediaItem[];
  chat: ChatMessage[];
  arrivedChat: ChatMessage[];
}

/** Before the client is in: the waiting panel inside the shell. From then on: the call, over the whole window. */
function ActiveCall({ engine, feedStatus, details, media, chat, arrivedChat, Preview }: ActiveCallProps) {
  const { user } = useRequiredSession();
  const status = useReadable(engine.session.status);
  const people = useReadable(engine.session.people);
  const { conference } = details;
  const actions = useWaitingActions(conference._id);
  const sound = useArrivalSound(people.client !== null);
  const [begin, setBegin] = useState<BeginWith>({ microphone: true, camera: true });

  useEffect(
    () =>
      engine.commands.onMessage(({ message }) => {
        if (message.t === 'closed') void engine.session.closedByServer();
      }),
    [engine],
  );

  if (status.name === 'disconnected') {
    return (
      <Framed title={conference.expedientNumber}>
        <CallOver
          conference={conference}
          reason={status.reason}
          code={status.code}
          onRejoin={() => void engine.session.start()}
        />
      </Framed>
    );
  }
  const inside = people.client !== null || connectedAt(details) !== null;
  return (
    <Framed title={conference.expedientNumber} immersive={inside}>
      {inside ? (
        <CallRoom {...{ engine, begin, details, media, chat, arrivedChat, Preview }} />
      ) : (
        <WaitingPanel
          details={details}
          status={feedStatus}
          actions={actions}
          preview={
            <WaitingPreview
              name={`${user.name} ${user.surname}`.trim()}
              begin={begin}
              onBegin={setBegin}
              sound={sound}
              status={status}
            />
          }
        />
      )}
    </Framed>
  );
}

/** One conference, followed live. */
function ConferenceView({ conferenceId, Preview }: { conferenceId: string; Preview: Preview }) {
  const t = useT();
  const { feed, media, chat } = useRoomData(conferenceId);
  const { details } = feed;
  const open = details !== null && !details.conference.closed;
  const engine = useCallEngine(conferenceId, open, joinTicket);

  if (details?.conference.closed) {
    return (
      <Framed title={details.conference.expedientNumber}>
        <CallOver conference={details.conference} reason="closed" />
      </Framed>
    );
  }
  if (!details && feed.status === 'failed') {
    return (
      <Framed title={t('call.title')}>
        <StateView
          icon="warn"
          tone="bad"
          title={t('call.loadFailed')}
          text={errorText(t, feed.error)}
          action={{ label: t('common.retry'), run: feed.retry, icon: 'refresh' }}
        />
      </Framed>
    );
  }
  if (!details || !engine) {
    return (
      <Framed title={details?.conference.expedientNumber ?? t('call.title')}>
        <CallSkeleton />
      </Framed>
    );
  }
  return (
    <ActiveCall
      engine={engine}
      feedStatus={feed.status}
      details={details}
      media={media}
      chat={chat}
      arrivedChat={feed.chat}
      Preview={Preview}
    />
  );
}

/** Route `/conference/{conferenceId}`: the adjuster's room . */
export function ConferencePage({ Preview }: { Preview: Preview }) {
  const { conferenceId } = useParams({ strict: false }) as { conferenceId: string };
  return <ConferenceView key={conferenceId} conferenceId={conferenceId} Preview={Preview} />;
}
