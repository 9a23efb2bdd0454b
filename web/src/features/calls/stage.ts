import type { PermissionState, Progress } from '@/api/types';
import { type CallStatus, type ClientDeviceState, isLive, mainPicture, type ParticipantView, type People } from '@/rtc';

/** Whether the client can be heard: `off` muted, `none` without a microphone. */
export type Hearing = 'on' | 'off' | 'none';

/** What the stage has to say when it has no picture to show; null = show the picture. */
export type StageState =
  | { kind: 'joining' }
  | { kind: 'clientGone'; why: 'left' | 'removed' | 'lost' | 'noMedia' }
  | { kind: 'problem'; reason: string }
  | { kind: 'paused'; hearing: Hearing }
  | { kind: 'noPicture'; reason: string | null; hearing: Hearing };

interface StageFacts {
  status: CallStatus;
  people: People;
  client: Pick<ClientDeviceState, 'problem' | 'videoPaused'>;
  progress: Progress;
  /** Why the client is not there, when they are not. */
  gone: 'left' | 'removed' | 'lost';
}

/** Reasons that leave no usable picture although one may still be published. */
const NO_PICTURE: readonly string[] = ['PHONE_CALL', 'CAMERA_LOST', 'HIDDEN'];

const permissionsOf = (progress: Progress) => progress.steps.find((one) => one.step === 'permissions');

/** Whether this client can be heard. A microphone that was granted and is about to be published counts as one. */
export function hearingOf(client: ParticipantView, microphone: PermissionState | undefined): Hearing {
  if (client.microphone) return client.microphone.muted ? 'off' : 'on';
  return microphone === 'granted' || microphone === undefined ? 'on' : 'none';
}

/** What the stage says about the client's microphone while the picture shows. */
export function silence({ people, progress }: Pick<StageFacts, 'people' | 'progress'>): Exclude<Hearing, 'on'> | null {
  if (!people.client || !isLive(people.client.camera)) return null;
  const hearing = hearingOf(people.client, permissionsOf(progress)?.detail?.microphone);
  return hearing === 'on' ? null : hearing;
}

export function stageState({ status, people, client, progress, gone }: StageFacts): StageState | null {
  if (status.name === 'idle' || status.name === 'connecting') return { kind: 'joining' };
  const picture = mainPicture(people);
  if (picture?.screen) return null;
  // During our own cut the last picture stays; the banner says what happens.
  if (!people.client) {
    // Their network lets no media through: their page asks for pictures instead (RESCUE-3).
    const failed = progress.steps.some(({ step, reason }) => step === 'connected' && reason === 'CONNECTION_FAILED');
    return status.name === 'connected' ? { kind: 'clientGone', why: failed ? 'noMedia' : gone } : null;
  }
  if (client.problem && NO_PICTURE.includes(client.problem)) return { kind: 'problem', reason: client.problem };
  if (picture) return null;
  const permissions = permissionsOf(progress);
  const hearing = hearingOf(people.client, permissions?.detail?.microphone);
  if (client.videoPaused) return { kind: 'paused', hearing };
  const { camera, microphone } = permissions?.detail ?? {};
  // The phone is asking right now: that goes before what was refused earlier.
  const isAsked = camera === 'unanswered' || microphone === 'unanswered';
  if (isAsked) return { kind: 'noPicture', reason: 'PERMISSION_NO_ANSWER', hearing };
  const denied = camera === 'denied' || camera === 'skipped';
  return { kind: 'noPicture', reason: permissions?.reason ?? (denied ? 'CAMERA_DENIED' : null), hearing };
}
