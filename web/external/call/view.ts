/** What the call's screen shows: one plain object, replaced on each change. */
import type { RemoteVideoTrack } from 'livekit-client';
import type { Failure } from '../../src/rtc/path/diagnosis';
import type { Key, Translate, Values } from '../i18n';
import type { ChatMessage, RecordingState } from '../model';
import type { FrozenBoard, FrozenPicture } from './FrozenPicture';
import type { AskPosition } from './first-position';
import type { Interruption } from './watch';

export type Link = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'elsewhere' | 'removed' | 'door' | 'refused';

export interface Toast {
  key: Key;
  values?: Values;
  action?: 'torchOff';
  tone: 'plain' | 'bad';
}

export interface View {
  link: Link;
  /** Name of the first member of staff in the room; null when nobody is there yet. */
  staff: string | null;
  recording: { state: RecordingState['state']; elapsedMs: number; since: number };
  chat: ChatMessage[];
  /** The track on the screen; a new object each time the lens changes. */
  camera: MediaStreamTrack | null;
  cameraPaused: boolean;
  /** The front lens is shown as in a mirror, as people expect. */
  mirrored: boolean;
  torch: boolean;
  torchOn: boolean;
  canFlip: boolean;
  flipping: boolean;
  microphone: boolean;
  muted: boolean;
  face: RemoteVideoTrack | null;
  screen: RemoteVideoTrack | null;
  soundBlocked: boolean;
  /** Why the phone's own devices stand still; null while they work. */
  interrupted: Interruption;
  weak: boolean;
  /** What fails on the way, the most urgent; null while all is well. */
  failing: Failure | null;
  toast: Toast | null;
  still: { state: 'capturing' | 'uploading' | 'done' | 'failed'; percent: number } | null;
  /** No video passes: pictures are taken instead, until the person goes back to the call. */
  pictures: boolean;
  /** The adjuster's request that only the phone's own camera app can fulfil. */
  askPhoto: string | null;
  /** The question about the position, at the first picture. */
  askPosition: AskPosition;
  /** The picture that the call is frozen at, with what shows it. */
  frozen: { board: FrozenBoard; Picture: typeof FrozenPicture } | null;
}

export const EMPTY: View = {
  link: 'connecting',
  staff: null,
  recording: { state: 'idle', elapsedMs: 0, since: 0 },
  chat: [],
  camera: null,
  cameraPaused: false,
  mirrored: false,
  torch: false,
  torchOn: false,
  canFlip: false,
  flipping: false,
  microphone: false,
  muted: false,
  face: null,
  screen: null,
  soundBlocked: false,
  interrupted: null,
  weak: false,
  failing: null,
  toast: null,
  still: null,
  pictures: false,
  askPhoto: null,
  askPosition: null,
  frozen: null,
};

/** What is said where the own picture would be. It never claims that somebody is heard whose microphone is off. */
export function withoutPicture({
  cameraPaused,
  microphone,
  muted,
}: Pick<View, 'cameraPaused' | 'microphone' | 'muted'>): { title: Key; text: Key | null } {
  const heard = microphone && !muted;
  if (cameraPaused) return { title: 'call_paused_picture', text: heard ? null : 'call_not_heard' };
  if (!microphone) return { title: 'call_no_devices', text: 'call_no_devices_text' };
  return { title: 'call_no_camera', text: heard ? 'call_no_camera_text' : 'call_not_heard' };
}

/** Adds messages, each once, oldest first. */
export function mergeChat(known: readonly ChatMessage[], more: readonly ChatMessage[]): ChatMessage[] {
  const byId = new Map(known.map((message) => [message._id, message]));
  for (const message of more) byId.set(message._id, message);
  return [...byId.values()].sort((a, b) => a.at.localeCompare(b.at));
}

/** The adjuster's last words, which stay on the picture. */
export function lastWords(chat: readonly ChatMessage[]): ChatMessage | null {
  return [...chat].reverse().find((message) => message.kind !== 'client') ?? null;
}

const PHRASES: Record<string, Key> = { closer: 'phrase_closer', still: 'phrase_still', side: 'phrase_side' };

/** A ready phrase in the language of this page; everything else as it was written. */
export function wordsOf(t: Translate, { text, phrase }: ChatMessage): string {
  const key = phrase ? PHRASES[phrase] : undefined;
  return key ? t(key) : text;
}

/** Milliseconds recorded by now, pauses left out; `now` and `since` from the same clock. */
export function recordedMs(recording: View['recording'], now: number): number {
  return recording.elapsedMs + (recording.state === 'recording' ? Math.max(0, now - recording.since) : 0);
}

/** `m:ss`, or `h:mm:ss` from one hour on. */
export function clockText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${two(minutes)}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}
