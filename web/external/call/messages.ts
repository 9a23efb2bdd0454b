/**
 * Data messages of the media room: topic `atalaya`, UTF-8 JSON `{t: …}`.
 * Commands are obeyed only when a member of staff sent them (CLIENT-26); the server's own messages have no sender.
 */
import type { ChatMessage, RecordingState } from '../model';

export const TOPIC = 'atalaya';

export type Facing = 'environment' | 'user' | 'next';

export type Command =
  | { t: 'still'; id: string; by: string | null }
  | { t: 'camera'; facing: Facing }
  | { t: 'torch'; on: boolean }
  | { t: 'zoom'; value: number }
  | { t: 'caps?' };

export type ServerMessage =
  | ({ t: 'recording' } & RecordingState)
  | { t: 'chat'; message: ChatMessage }
  | { t: 'media' }
  /** What is frozen or drawn has changed. */
  | { t: 'frozen' }
  | { t: 'closed' };

export type Incoming = Command | ServerMessage;

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function command(m: Record<string, unknown>): Command | null {
  switch (m.t) {
    case 'still':
      if (typeof m.id !== 'string' || !m.id || m.id.length > 100) return null;
      return { t: 'still', id: m.id, by: typeof m.by === 'string' ? m.by : null };
    case 'camera':
      return m.facing === 'environment' || m.facing === 'user' || m.facing === 'next'
        ? { t: 'camera', facing: m.facing }
        : null;
    case 'torch':
      return typeof m.on === 'boolean' ? { t: 'torch', on: m.on } : null;
    case 'zoom':
      return typeof m.value === 'number' && Number.isFinite(m.value) ? { t: 'zoom', value: m.value } : null;
    case 'caps?':
      return { t: 'caps?' };
    default:
      return null;
  }
}

function isRecording(m: Record<string, unknown>): boolean {
  return m.state === 'idle' || m.state === 'recording' || m.state === 'paused';
}

function isChat(m: unknown): m is ChatMessage {
  return isRecord(m) && typeof m._id === 'string' && typeof m.text === 'string';
}

function fromServer(m: Record<string, unknown>): ServerMessage | null {
  switch (m.t) {
    case 'recording':
      return isRecording(m) ? (m as unknown as ServerMessage) : null;
    case 'chat':
      return isChat(m.message) ? { t: 'chat', message: m.message } : null;
    case 'media':
      return { t: 'media' };
    case 'frozen':
    case 'drawing':
      return { t: 'frozen' };
    case 'closed':
      return { t: 'closed' };
    default:
      return null;
  }
}

/** Null for anything that is not a well-formed message from someone entitled to send it. `sender`: the identity on the packet. */
export function parseMessage(
  payload: Uint8Array,
  sender: string | undefined,
  topic: string | undefined,
): Incoming | null {
  if (topic !== undefined && topic !== TOPIC) return null;
  let message: unknown;
  try {
    message = JSON.parse(new TextDecoder().decode(payload));
  } catch {
    return null;
  }
  if (!isRecord(message)) return null;
  if (!sender) return fromServer(message);
  return sender.startsWith('user:') ? command(message) : null;
}

export function encodeMessage(message: Record<string, unknown> & { t: string }): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(message));
}
