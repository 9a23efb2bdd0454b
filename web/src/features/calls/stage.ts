import type { Progress } from '@/api/types';
import { type CallStatus, type ClientDeviceState, mainPicture, type People } from '@/rtc';

/** What the stage has to say when it has no picture to show; null = show the picture. */
export type StageState =
  | { kind: 'joining' }
  | { kind: 'clientLost' }
  | { kind: 'problem'; reason: string }
  | { kind: 'paused' }
  | { kind: 'voiceOnly'; reason: string | null };

interface StageFacts {
  status: CallStatus;
  people: People;
  client: Pick<ClientDeviceState, 'problem' | 'videoPaused'>;
  progress: Progress;
}

/** Reasons that leave no usable picture although one may still be published. */
const NO_PICTURE: readonly string[] = ['PHONE_CALL', 'CAMERA_LOST', 'HIDDEN'];

export function stageState({ status, people, client, progress }: StageFacts): StageState | null {
  if (status.name === 'idle' || status.name === 'connecting') return { kind: 'joining' };
  const picture = mainPicture(people);
  if (picture?.screen) return null;
  // During our own cut the last picture stays; the banner says what happens.
  if (!people.client) return status.name === 'connected' ? { kind: 'clientLost' } : null;
  if (client.problem && NO_PICTURE.includes(client.problem)) return { kind: 'problem', reason: client.problem };
  if (picture) return null;
  if (client.videoPaused) return { kind: 'paused' };
  const permissions = progress.steps.find((one) => one.step === 'permissions');
  const denied = permissions?.detail?.camera === 'denied' || permissions?.detail?.camera === 'skipped';
  return { kind: 'voiceOnly', reason: permissions?.reason ?? (denied ? 'CAMERA_DENIED' : null) };
}
