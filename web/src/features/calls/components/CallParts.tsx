import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type People, pendingStills, TrackAudio } from '@/rtc';
import { useT } from '@/shared/i18n';
import { requestFilesInput } from '@/shared/lib/file-requests';
import { openModal } from '@/shared/lib/modals';
import { paths } from '@/shared/routes/paths';
import type { Call } from '../hooks/use-call';
import { videos } from '../model';
import { networkBanner } from '../network';
import { doneCount, missingShots } from '../shots';
import { CallHeader } from './CallHeader';
import classes from './CallRoom.module.css';
import { CaseTab } from './CaseTab';
import { Chat } from './Chat';
import { Dock } from './Dock';
import { DocumentsTab } from './DocumentsTab';
import { DoorNotice } from './DoorNotice';
import { HangUpModal } from './HangUpModal';
import { LimitNotice } from './LimitNotice';
import { PhotoStrip } from './PhotoStrip';
import { PhotosTab } from './PhotosTab';
import { PositionPanel } from './PositionPanel';
import { SidePanel } from './SidePanel';
import { Stage } from './Stage';

// The parts of the call's screen, each bound to the call.

interface PartProps {
  call: Call;
}

export function CallHead({ call }: PartProps) {
  return (
    <CallHeader
      className={classes.head}
      conference={call.conference}
      clientName={call.client}
      connectedAt={call.connectedAt}
      recording={call.recording}
      recordingToldAt={call.recordingToldAt}
      recordingBusy={call.act.recording.isPending}
      onRecording={call.act.recording.mutate}
      verdict={call.verdict}
      frozen={call.frozen}
      connection={call.connection}
    />
  );
}

export function CallStage({ call }: PartProps) {
  const t = useT();
  const { people, status, phone, client, engine, state } = call;
  const remarks = [
    ...(call.still.busy && !call.still.item ? [{ icon: 'freeze' as const, text: t('call.freezing') }] : []),
    ...(call.frozen && state === null && !call.still.item
      ? [{ icon: 'pause' as const, text: t('call.frozen', { name: client }) }]
      : []),
    ...(call.silent ? [{ icon: 'micoff' as const, text: t(`call.silence_${call.silent}`, { name: client }) }] : []),
  ];
  return (
    <Stage
      people={people}
      status={status}
      state={state}
      pointing={engine.pointing}
      drawings={engine.drawing}
      frozen={call.still}
      canShoot={call.canShoot}
      caps={phone.state.caps}
      networkText={networkBanner(t, call.verdict, client)}
      remarks={remarks}
      channel={call.channel}
      onChoose={(identity) => engine.session.choose(identity)}
      audioAllowed={call.audioAllowed}
      notice={<LimitNotice billing={call.details.billing} connectedAt={call.connectedAt} />}
      clientName={call.conference.contactPerson}
      client={client}
      onStartAudio={() => void engine.session.startAudio()}
      onResend={() => call.act.resend.mutate()}
      onCopyLink={() => void call.act.copyLink()}
      resending={call.act.resend.isPending}
    />
  );
}

/** Who waits at the door of the call. */
export function CallDoor({ call }: PartProps) {
  const { admit } = call.act;
  return (
    <DoorNotice
      waiting={call.details.waiting}
      client={call.client}
      busy={admit.isPending ? admit.variables.identity : null}
      onDecide={(identity, decision) => admit.mutate({ identity, decision })}
    />
  );
}

export function CallPosition({ call, onClose }: PartProps & { onClose: () => void }) {
  return (
    <PositionPanel
      positions={call.positions}
      meaning={call.meaning}
      client={call.client}
      permission={call.positionPermission}
      onClose={onClose}
    />
  );
}

interface WithFilesProps extends PartProps {
  /** A file is to be shown over the whole window. */
  onOpen: (mediaId: string) => void;
}

export function CallStrip({ call, onOpen }: WithFilesProps) {
  const { media, phone, conference } = call;
  const arrived = useMemo(() => new Set(media.map((one) => one._id)), [media]);
  return (
    <PhotoStrip
      className={classes.strip}
      pictures={call.pictures}
      videoCount={videos(media).length}
      stills={pendingStills(phone.state.stills, arrived)}
      onOpen={(item) => onOpen(item._id)}
      onDismiss={phone.dismiss}
      onSeeAll={() => window.open(paths.conferenceMedia(conference._id), '_blank', 'noopener')}
    />
  );
}

interface CallDockProps extends PartProps {
  positionOpen: boolean;
  onPosition: () => void;
  onHangUp: () => void;
}

export function CallDock({ call, ...rest }: CallDockProps) {
  const t = useT();
  const { own, phone, act } = call;
  return (
    <Dock
      className={classes.dock}
      devices={own.state}
      caps={phone.state.caps}
      recording={call.recording}
      recordingBusy={act.recording.isPending}
      canRecord={call.details.capabilities.recording}
      photoBlocked={call.canShoot ? null : t('call.commandNoClient')}
      onMicrophone={() => void own.microphone()}
      onCamera={() => void own.camera()}
      onScreen={() => void own.screen()}
      onTorch={(on) => void phone.torch(on)}
      onZoom={(value) => void phone.zoom(value)}
      onSwitchCamera={() => void phone.next()}
      onPhoto={() => void phone.photo()}
      onRecording={act.recording.mutate}
      onDevicesOpen={own.refresh}
      onDevice={(kind, id) => void own.choose(kind, id)}
      {...rest}
    />
  );
}

export function CallPanel({ call, onOpen }: WithFilesProps) {
  const { act, shots, unread } = call;
  const { list } = shots;
  return (
    <SidePanel
      className={classes.panel}
      photos={<PhotosTab pictures={call.pictures} shots={shots} onOpen={(item) => onOpen(item._id)} />}
      photoCount={list.length > 0 ? `${doneCount(list)}/${list.length}` : call.pictures.length}
      caseData={
        <CaseTab
          conference={call.conference}
          tracks={call.details.tracks}
          people={call.people}
          onMute={(identity, trackSid) => act.mute.mutate({ identity, trackSid })}
          muteAll={call.muteAll}
          onRemove={act.remove.mutate}
          onCopyLink={() => void act.copyLink()}
        />
      }
      documents={
        <DocumentsTab
          documents={call.documents}
          uploading={act.upload.isPending}
          onUpload={(files) => files.length > 0 && act.upload.mutate(files)}
        />
      }
      documentCount={call.documents.length}
      chat={
        <Chat
          messages={call.chat}
          me={call.me}
          client={call.client}
          disabled={call.conference.closed}
          sending={act.chatSending}
          onSend={act.sendChat}
        />
      }
      unread={unread.count}
      onChatShown={unread.onShown}
    />
  );
}

/** What the others say, and the sound of what they share. */
export function CallVoices({ people }: { people: People }) {
  const tracks = people.others.flatMap(({ microphone, screenAudio }) => [microphone, screenAudio]);
  return (
    <div className={classes.audio}>
      {tracks.map((one) => one?.track && <TrackAudio key={one.sid} track={one.track} />)}
    </div>
  );
}

interface CallEndProps extends PartProps {
  opened: boolean;
  onClose: () => void;
}

export function CallEnd({ call, opened, onClose }: CallEndProps) {
  const navigate = useNavigate();
  const { conference } = call;
  const leave = async (to: string) => {
    await call.engine.session.leave();
    await navigate({ href: to });
  };
  return (
    <HangUpModal
      conferenceId={conference._id}
      opened={opened}
      client={call.client}
      recording={call.recording.state !== 'idle'}
      onClose={onClose}
      onLeave={() => void leave(paths.newVideocall())}
      missing={missingShots(call.shots.list)}
      connectedAt={call.connectedAt}
      onEnded={async (request) => {
        await leave(paths.conferenceMedia(conference._id));
        if (request) openModal('request-files', requestFilesInput(conference));
      }}
    />
  );
}
