/**
 * Data messages of the media room: topic `atalaya`, UTF-8 JSON `{t: …}` (CALL-19). The pointer's has a topic of its own
 * (`rtc/pointing/channel.ts`).
 * Reading is total: whatever arrives, `decode` answers a checked message or null, never throws.
 */

import { FAILURES, type Failure, WAYS, type Way } from '../path/diagnosis';
import { objectOf } from './received';

export const TOPIC = 'atalaya';

/** Longest message that is read, bytes. */
const MAX_BYTES = 64 * 1024;

export type Facing = 'environment' | 'user';
export type StillState = 'capturing' | 'uploading' | 'done' | 'failed';

export interface ZoomRange {
  min: number;
  max: number;
  step: number;
  value: number;
}

/** What the client's current camera can do. `torch` null or false = no control is shown. */
export interface Caps {
  facing: Facing | null;
  torch: boolean;
  torchOn: boolean;
  zoom: ZoomRange | null;
  cameras: number;
  label: string;
  takePhoto: boolean;
  userAgent: { browser: string; os: string; model: string };
}

export interface Position {
  latitude: number;
  longitude: number;
  /** Metres; null when the device did not say. */
  accuracy: number | null;
  /** RFC 3339. */
  at: string;
}

export type StaffMessage =
  | { t: 'still'; id: string; by: string }
  | { t: 'camera'; facing: Facing | 'next' }
  | { t: 'torch'; on: boolean }
  | { t: 'zoom'; value: number }
  | { t: 'caps?' };

export type ClientMessage =
  | ({ t: 'caps' } & Caps)
  | {
      t: 'still-progress';
      id: string;
      state: StillState;
      percent: number;
      reason?: string;
      mediaId?: string;
      method?: string;
    }
  | ({ t: 'position' } & Position)
  | { t: 'problem'; reason: string }
  | { t: 'back' }
  | { t: 'pause-video'; on: boolean }
  | { t: 'path'; way: Way | null; failed: Failure[] };

export type ServerMessage =
  | { t: 'recording'; body: Record<string, unknown> }
  | { t: 'chat'; body: Record<string, unknown> }
  | { t: 'media'; body: Record<string, unknown> }
  | { t: 'closed' };

export type RoomMessage = StaffMessage | ClientMessage | ServerMessage;
export type Sender = 'staff' | 'client' | 'server';

/** Identities are `user:{id}` for staff and `client:{8 hex}` for the client; the server has none. */
export function senderOf(identity: string | undefined): Sender | null {
  if (identity === undefined || identity === '') return 'server';
  if (identity.startsWith('user:')) return 'staff';
  if (identity.startsWith('client:')) return 'client';
  return null;
}

type Fields = Record<string, unknown>;
const isText = (value: unknown, max = 200): value is string => typeof value === 'string' && value.length <= max;
const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
const text = (value: unknown, max = 200): string => (typeof value === 'string' ? value.slice(0, max) : '');

function zoomOf(value: unknown): ZoomRange | null {
  if (typeof value !== 'object' || value === null) return null;
  const { min, max, step, value: now } = value as Fields;
  if (!isNumber(min) || !isNumber(max) || max <= min) return null;
  return { min, max, step: isNumber(step) && step > 0 ? step : 0.1, value: isNumber(now) ? now : min };
}

function capsOf(raw: Fields): Caps {
  const agent = (typeof raw.userAgent === 'object' && raw.userAgent !== null ? raw.userAgent : {}) as Fields;
  return {
    facing: raw.facing === 'environment' || raw.facing === 'user' ? raw.facing : null,
    torch: raw.torch === true,
    torchOn: raw.torchOn === true,
    zoom: zoomOf(raw.zoom),
    cameras: isNumber(raw.cameras) ? Math.max(0, Math.trunc(raw.cameras)) : 1,
    label: text(raw.label),
    takePhoto: raw.takePhoto === true,
    userAgent: { browser: text(agent.browser), os: text(agent.os), model: text(agent.model) },
  };
}

function positionOf(raw: Fields): Position | null {
  const { latitude, longitude, accuracy, at } = raw;
  if (!isNumber(latitude) || !isNumber(longitude) || !isText(at, 40)) return null;
  if (Math.abs(latitude) > 90 || Math.abs(longitude) > 180) return null;
  return { latitude, longitude, accuracy: isNumber(accuracy) && accuracy >= 0 ? accuracy : null, at };
}

const STILL_STATES: readonly string[] = ['capturing', 'uploading', 'done', 'failed'];

function stillOf(raw: Fields): ClientMessage | null {
  const { id, state, percent } = raw;
  if (!isText(id, 64) || typeof state !== 'string' || !STILL_STATES.includes(state)) return null;
  return {
    t: 'still-progress',
    id,
    state: state as StillState,
    percent: isNumber(percent) ? Math.min(100, Math.max(0, percent)) : 0,
    reason: isText(raw.reason, 80) ? raw.reason : undefined,
    mediaId: isText(raw.mediaId, 64) ? raw.mediaId : undefined,
    method: isText(raw.method, 20) ? raw.method : undefined,
  };
}

function pathOf({ way, failed }: Fields): ClientMessage | null {
  const isWay = way === null || (typeof way === 'string' && WAYS.includes(way));
  if (!isWay || !Array.isArray(failed) || failed.length > FAILURES.length) return null;
  const known = failed.filter((one): one is Failure => typeof one === 'string' && FAILURES.includes(one));
  return { t: 'path', way: way as Way | null, failed: known };
}

function staffOf(raw: Fields): StaffMessage | null {
  switch (raw.t) {
    case 'still':
      return isText(raw.id, 64) && raw.id !== '' ? { t: 'still', id: raw.id, by: text(raw.by) } : null;
    case 'camera':
      return raw.facing === 'environment' || raw.facing === 'user' || raw.facing === 'next'
        ? { t: 'camera', facing: raw.facing }
        : null;
    case 'torch':
      return typeof raw.on === 'boolean' ? { t: 'torch', on: raw.on } : null;
    case 'zoom':
      return isNumber(raw.value) ? { t: 'zoom', value: raw.value } : null;
    case 'caps?':
      return { t: 'caps?' };
    default:
      return null;
  }
}

function clientOf(raw: Fields): ClientMessage | null {
  switch (raw.t) {
    case 'caps':
      return { t: 'caps', ...capsOf(raw) };
    case 'still-progress':
      return stillOf(raw);
    case 'position': {
      const position = positionOf(raw);
      return position && { t: 'position', ...position };
    }
    case 'problem':
      return isText(raw.reason, 80) && raw.reason !== '' ? { t: 'problem', reason: raw.reason } : null;
    case 'back':
      return { t: 'back' };
    case 'pause-video':
      return typeof raw.on === 'boolean' ? { t: 'pause-video', on: raw.on } : null;
    case 'path':
      return pathOf(raw);
    default:
      return null;
  }
}

function serverOf(raw: Fields): ServerMessage | null {
  if (raw.t === 'closed') return { t: 'closed' };
  if (raw.t !== 'recording' && raw.t !== 'chat' && raw.t !== 'media') return null;
  const { t, ...body } = raw;
  return { t: raw.t, body };
}

export function encode(message: StaffMessage | ClientMessage): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(message));
}

/**
 * A message from `sender`, or null when it is not JSON, not known, malformed, or not that sender's to send: a
 * client cannot command a camera, nobody but the server announces a recording.
 */
export function decode(payload: Uint8Array, sender: Sender | null): RoomMessage | null {
  const raw = sender && objectOf(payload, MAX_BYTES);
  if (!raw) return null;
  if (sender === 'staff') return staffOf(raw);
  if (sender === 'client') return clientOf(raw);
  return serverOf(raw);
}
