import { useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { ChatMessage, ConferenceDetails, MediaItem } from '@/api/types';
import { paths } from '@/app/paths';
import { PreviewModal } from '@/features/media/components/PreviewModal';
import { doneCount, missingShots } from '@/features/shots/model';
import { type CallEngine, pendingStills, TrackAudio, useReadable } from '@/rtc';
import { useT } from '@/shared/i18n';
import { requestFilesInput } from '@/shared/lib/file-requests';
import { openModal } from '@/shared/lib/modals';
import { useRequiredSession } from '@/shared/session';
import { useCaseActions } from '../hooks/use-case-actions';
import { useClientDevice } from '../hooks/use-client-device';
import { useOwnDevices } from '../hooks/use-own-devices';
import { useShots } from '../hooks/use-shots';
import { allPositions, connectedAt, documents, firstName, pictures, videos } from '../model';
import { networkBanner } from '../network';
import { stageState } from '../stage';
import { CallHeader } from './CallHeader';
import classes from './CallRoom.module.css';
import { CaseTab } from './CaseTab';
import { Chat } from './Chat';
import { Dock } from './Dock';
import { DocumentsTab } from './DocumentsTab';
import { HangUpModal } from './HangUpModal';
import { LimitNotice } from './LimitNotice';
import { PhotoStrip } from './PhotoStrip';
import { PhotosTab } from './PhotosTab';
import { PositionPanel } from './PositionPanel';
import { SidePanel } from './SidePanel';
import { Stage } from './Stage';
import type { BeginWith } from './WaitingPreview';

interface CallRoomProps {
  engine: CallEngine;
  begin: BeginWith;
  details: ConferenceDetails;
  media: MediaItem[];
  chat: ChatMessage[];
  /** Of these, what came while this page was open. */
  arrivedChat: ChatMessage[];
}

/** The call: header, picture, strip, dock and panel, bound to the engine and the live conference. */
export function CallRoom({ engine, begin, details, media, chat, arrivedChat }: CallRoomProps) {
  const t = useT();
  const navigate = useNavigate();
  const { user } = useRequiredSession();
  const { conference, recording, progress } = details;
  const [hangingUp, setHangingUp] = useState(false);
  const [positionOpen, setPositionOpen] = useState(false);
  const [chatShown, setChatShown] = useState(false);
  const [read, setRead] = useState(arrivedChat.length);
  const [preview, setPreview] = useState<string | null>(null);

  const people = useReadable(engine.session.people);
  const status = useReadable(engine.session.status);
  const audioAllowed = useReadable(engine.session.audioAllowed);
  const verdict = useReadable(engine.health.verdict);
  const client = firstName(conference) ?? t('call.theClient');
  const own = useOwnDevices(engine, people.client !== null, begin);
  // Without a live camera the phone offers its own camera app for the picture.
  const canShoot = people.client !== null;
  const { stills } = useReadable(engine.client.state);
  const list = useShots(conference._id, stills);
  const phone = useClientDevice(engine, `${user.name} ${user.surname}`.trim(), client, canShoot, list.asked);
  const act = useCaseActions(conference._id, details.link);

  const shots = useMemo(() => pictures(media), [media]);
  const papers = useMemo(() => documents(media), [media]);
  const arrived = useMemo(() => new Set(media.map((one) => one._id)), [media]);
  const positions = useMemo(
    () => allPositions(details.tracks, phone.state.positions),
    [details.tracks, phone.state.positions],
  );
  const recordingToldAt = useMemo(() => Date.now(), [recording]);
  const permissions = progress.steps.find((one) => one.step === 'permissions')?.detail;
  const geoDenied = permissions?.geolocation === 'denied' || permissions?.geolocation === 'skipped';
  const mediaPath = paths.conferenceMedia(conference._id);
  const leave = async (to: string) => {
    await engine.session.leave();
    await navigate({ href: to });
  };
  const open = (item: MediaItem) => setPreview(item._id);
  const showChat = (shown: boolean) => {
    setChatShown(shown);
    setRead(arrivedChat.length);
  };
  const unread = chatShown ? 0 : arrivedChat.slice(read).filter((one) => one.kind === 'client').length;
  return (
    <div className={classes.call}>
      <CallHeader
        className={classes.head}
        conference={conference}
        clientName={client}
        connectedAt={connectedAt(details)}
        recording={recording}
        recordingToldAt={recordingToldAt}
        recordingBusy={act.recording.isPending}
        onRecording={act.recording.mutate}
        verdict={verdict}
      />
      <div className={classes.stage}>
        <Stage
          people={people}
          status={status}
          state={stageState({ status, people, client: phone.state, progress })}
          caps={phone.state.caps}
          networkText={networkBanner(t, verdict, client)}
          audioAllowed={audioAllowed}
          notice={<LimitNotice billing={details.billing} connectedAt={connectedAt(details)} />}
          clientName={conference.contactPerson}
          client={client}
          onStartAudio={() => void engine.session.startAudio()}
          onResend={() => act.resend.mutate()}
          onCopyLink={() => void act.copyLink()}
          resending={act.resend.isPending}
        />
        {positionOpen && (
          <PositionPanel
            positions={positions}
            client={client}
            denied={geoDenied}
            onClose={() => setPositionOpen(false)}
          />
        )}
      </div>
      <PhotoStrip
        className={classes.strip}
        pictures={shots}
        videoCount={videos(media).length}
        stills={pendingStills(phone.state.stills, arrived)}
        onOpen={open}
        onDismiss={phone.dismiss}
        onSeeAll={() => window.open(mediaPath, '_blank', 'noopener')}
      />
      <Dock
        className={classes.dock}
        devices={own.state}
        caps={phone.state.caps}
        recording={recording}
        recordingBusy={act.recording.isPending}
        canRecord={details.capabilities.recording}
        photoBlocked={canShoot ? null : t('call.commandNoClient')}
        positionOpen={positionOpen}
        onMicrophone={() => void own.microphone()}
        onCamera={() => void own.camera()}
        onScreen={() => void own.screen()}
        onTorch={(on) => void phone.torch(on)}
        onZoom={(value) => void phone.zoom(value)}
        onSwitchCamera={() => void phone.next()}
        onPhoto={() => void phone.photo()}
        onRecording={act.recording.mutate}
        onPosition={() => setPositionOpen((before) => !before)}
        onDevicesOpen={own.refresh}
        onDevice={(kind, id) => void own.choose(kind, id)}
        onHangUp={() => setHangingUp(true)}
      />
      <SidePanel
        className={classes.panel}
        photos={<PhotosTab pictures={shots} shots={list} onOpen={open} />}
        photoCount={list.list.length > 0 ? `${doneCount(list.list)}/${list.list.length}` : shots.length}
        caseData={
          <CaseTab
            conference={conference}
            tracks={details.tracks}
            people={people}
            onMute={(identity, trackSid) => act.mute.mutate({ identity, trackSid })}
            onRemove={act.remove.mutate}
            onCopyLink={() => void act.copyLink()}
          />
        }
        documents={
          <DocumentsTab
            documents={papers}
            uploading={act.upload.isPending}
            onUpload={(files) => files.length > 0 && act.upload.mutate(files)}
          />
        }
        documentCount={papers.length}
        chat={
          <Chat
            messages={chat}
            me={people.me?.identity ?? `user:${user._id}`}
            client={client}
            disabled={conference.closed}
            sending={act.chatSending}
            onSend={act.sendChat}
          />
        }
        unread={unread}
        onChatShown={showChat}
      />
      <div className={classes.audio}>
        {people.others.map(
          (one) => one.microphone?.track && <TrackAudio key={one.microphone.sid} track={one.microphone.track} />,
        )}
        {people.others.map(
          (one) => one.screenAudio?.track && <TrackAudio key={one.screenAudio.sid} track={one.screenAudio.track} />,
        )}
      </div>
      <HangUpModal
        conferenceId={conference._id}
        opened={hangingUp}
        client={client}
        recording={recording.state !== 'idle'}
        onClose={() => setHangingUp(false)}
        onLeave={() => void leave(paths.newVideocall())}
        missing={missingShots(list.list)}
        connectedAt={connectedAt(details)}
        onEnded={async (request) => {
          await leave(mediaPath);
          if (request) openModal('request-files', requestFilesInput(conference));
        }}
      />
      <PreviewModal items={media} openId={preview} onOpen={setPreview} onClose={() => setPreview(null)} />
    </div>
  );
}
