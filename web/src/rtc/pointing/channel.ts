/**
 * The data message of the pointer: topic `atalaya.point`, UTF-8 JSON `{t: 'point', of, x, y, aspect}`, lossy, to everybody
 * in the room. The topic is its own so that a flood of it is dropped before it is read (CALL-47).
 */
import { senderOf } from '../core/messages';
import { objectOf, Rate } from '../core/received';
import type { Spot } from './place';

export const POINT_TOPIC = 'atalaya.point';

export interface PointMessage extends Spot {
  t: 'point';
  /** Identity of whose camera picture is pointed at. */
  of: string;
}

/** A point that arrived, checked. */
export interface Pointed extends Spot {
  of: string;
  /** Identity and name of who points, as the server tells them. */
  from: string;
  name: string;
}

/** Longest message that is read, bytes; a well-formed one has some 80. */
const MAX_BYTES = 300;
/** Messages of one sender that are read in any second. */
export const MAX_A_SECOND = 60;

/** Four decimals are a fifth of a pixel of 1,920. */
const short = (value: number): number => Math.round(value * 1e4) / 1e4;

export function encodePoint(of: string, { x, y, aspect }: Spot): Uint8Array<ArrayBuffer> {
  const message: PointMessage = { t: 'point', of, x: short(x), y: short(y), aspect: short(aspect) };
  return new TextEncoder().encode(JSON.stringify(message));
}

const isIn = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most;

/** Null for anything that is not a well-formed point within its frame. Never throws. */
export function decodePoint(payload: Uint8Array): PointMessage | null {
  const raw = objectOf(payload, MAX_BYTES);
  if (!raw) return null;
  const { t, of, x, y, aspect } = raw;
  if (t !== 'point' || typeof of !== 'string' || !isIn(x, 0, 1) || !isIn(y, 0, 1) || !isIn(aspect, 0.1, 10))
    return null;
  return { t, of, x, y, aspect };
}

/** What the channel needs of a media room; livekit's and the core's both have it. */
export interface PointRoom {
  readonly state: string;
  readonly localParticipant: {
    readonly identity: string;
    publishData(data: Uint8Array<ArrayBuffer>, options: { reliable: boolean; topic: string }): Promise<void>;
  };
  readonly remoteParticipants: ReadonlyMap<string, { readonly identity: string; readonly name?: string }>;
  on(event: string, handler: (...args: never[]) => void): unknown;
  off(event: string, handler: (...args: never[]) => void): unknown;
}

/** Sends points to a room and hands over those that arrive from people who are in it. */
export class PointChannel {
  private readonly rate = new Rate(MAX_A_SECOND);
  private readonly listeners = new Set<(pointed: Pointed) => void>();

  constructor(
    private readonly room: PointRoom,
    private readonly now: () => number = () => performance.now(),
  ) {
    room.on('dataReceived', this.arrived);
    room.on('participantDisconnected', this.left);
  }

  get me(): string {
    return this.room.localParticipant.identity;
  }

  /** Points at a spot of the camera picture of `of`. What cannot be sent now is not sent later: it would be out of date. */
  send(of: string, spot: Spot): void {
    if (this.room.state !== 'connected') return;
    const options = { reliable: false, topic: POINT_TOPIC };
    this.room.localParticipant.publishData(encodePoint(of, spot), options).catch(() => undefined);
  }

  onPoint(listener: (pointed: Pointed) => void): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  dispose(): void {
    this.room.off('dataReceived', this.arrived);
    this.room.off('participantDisconnected', this.left);
    this.listeners.clear();
  }

  private arrived = (payload: Uint8Array, sender?: { identity: string }, _kind?: unknown, topic?: string): void => {
    if (topic !== POINT_TOPIC || !sender) return;
    const person = this.room.remoteParticipants.get(sender.identity);
    const kind = person ? senderOf(person.identity) : null;
    if (!person || (kind !== 'staff' && kind !== 'client')) return;
    if (!this.rate.passes(person.identity, this.now())) return;
    const message = decodePoint(payload);
    // A client's device points at what it films itself.
    if (!message || (kind === 'client' && message.of !== person.identity)) return;
    const { of, x, y, aspect } = message;
    const pointed = { of, x, y, aspect, from: person.identity, name: person.name ?? '' };
    for (const listener of [...this.listeners]) listener(pointed);
  };

  private left = (person?: { identity: string }): void => {
    if (person) this.rate.forget(person.identity);
  };
}
