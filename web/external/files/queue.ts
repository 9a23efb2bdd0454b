/**
 * The files on their way: a pure state machine. Nothing here waits, stores or sends; `sending.ts` does that with what
 * this says. A file leaves only by being accepted, refused or taken away by the person.
 */

export type EntryState = 'waiting' | 'sending' | 'accepted' | 'refused';

export interface Entry {
  /** The client's own id: the server makes one upload of it however often it is asked (`uploadKey`). */
  key: string;
  itemId: string;
  name: string;
  /** MIME type as the phone says; the server looks for itself. */
  type: string;
  size: number;
  /** RFC 3339, UTC, by the phone's clock. */
  capturedAt: string;
  /** Pixels as seen; 0 when the phone cannot decode it. */
  width: number;
  height: number;
  /** Whether it outlives this page. */
  kept: boolean;
  state: EntryState;
  /** Bytes that the server has. */
  sent: number;
  /** Where its bytes go, once the server has said so. */
  url: string | null;
  code: string | null;
  mediaId: string | null;
  /** Failed tries since the last progress. */
  tries: number;
  /** Milliseconds since 1970 of the next try. */
  retryAt: number;
  /** Milliseconds since 1970. */
  storedAt: number;
}

export interface Queue {
  entries: readonly Entry[];
  online: boolean;
}

export type QueueEvent =
  | { type: 'ADD'; entry: Entry }
  | { type: 'KEPT'; key: string }
  | { type: 'STARTED'; key: string }
  | { type: 'URL'; key: string; url: string | null }
  | { type: 'SENT'; key: string; bytes: number }
  | { type: 'DONE'; key: string; mediaId: string | null }
  | { type: 'REFUSED'; key: string; code: string }
  | { type: 'CUT'; key: string; now: number }
  | { type: 'FORGET'; key: string }
  | { type: 'ONLINE' }
  | { type: 'OFFLINE' };

export const EMPTY: Queue = { entries: [], online: true };

/** Milliseconds before the next try: 1 s, 2 s, 4 s … at most 30 s. */
export function backOff(tries: number): number {
  return Math.min(30_000, 1000 * 2 ** Math.min(tries, 10));
}

function change(queue: Queue, key: string, how: (entry: Entry) => Partial<Entry>): Queue {
  const entries = queue.entries.map((entry) => (entry.key === key ? { ...entry, ...how(entry) } : entry));
  return { ...queue, entries };
}

const settled = (entry: Entry) => entry.state === 'accepted' || entry.state === 'refused';

/** A settled file never changes again; late events of an abandoned try are ignored. */
export function advance(queue: Queue, event: QueueEvent): Queue {
  if (event.type === 'ONLINE') {
    const entries = queue.entries.map((entry) => (settled(entry) ? entry : { ...entry, retryAt: 0, tries: 0 }));
    return { entries, online: true };
  }
  if (event.type === 'OFFLINE') return { ...queue, online: false };
  if (event.type === 'ADD') {
    const known = queue.entries.some((entry) => entry.key === event.entry.key);
    return known ? queue : { ...queue, entries: [...queue.entries, event.entry] };
  }
  if (event.type === 'FORGET') return { ...queue, entries: queue.entries.filter((entry) => entry.key !== event.key) };
  return change(queue, event.key, (entry) => (settled(entry) ? {} : moved(entry, event)));
}

type FileEvent = Exclude<QueueEvent, { type: 'ADD' | 'FORGET' | 'ONLINE' | 'OFFLINE' }>;

function moved(entry: Entry, event: FileEvent): Partial<Entry> {
  switch (event.type) {
    case 'KEPT':
      return { kept: true };
    case 'STARTED':
      return { state: 'sending' };
    case 'URL':
      // Another upload on the server starts at its first byte.
      return event.url === entry.url ? {} : { url: event.url, sent: 0 };
    case 'SENT': {
      const sent = Math.min(entry.size, Math.max(0, event.bytes));
      return sent > entry.sent ? { sent, tries: 0 } : { sent };
    }
    case 'DONE':
      return { state: 'accepted', sent: entry.size, mediaId: event.mediaId };
    case 'REFUSED':
      return { state: 'refused', code: event.code };
    case 'CUT':
      return { state: 'waiting', tries: entry.tries + 1, retryAt: event.now + backOff(entry.tries) };
  }
}

const open = (queue: Queue) => queue.entries.filter((entry) => !settled(entry));

/** The file to send now: one at a time, the oldest that is not waiting for its next try. */
export function nextToSend(queue: Queue, now: number): Entry | null {
  if (!queue.online || queue.entries.some((entry) => entry.state === 'sending')) return null;
  return open(queue).find((entry) => entry.retryAt <= now) ?? null;
}

/** Milliseconds until `nextToSend` can answer; null when only an event can change that. */
export function waitFor(queue: Queue, now: number): number | null {
  if (!queue.online) return null;
  const times = open(queue).map((entry) => Math.max(0, entry.retryAt - now));
  return times.length ? Math.min(...times) : null;
}

export interface Progress {
  pending: number;
  /** Of the bytes still in the queue, 0 to 99. */
  percent: number;
  /** Pending files that would be lost with this page. */
  fleeting: number;
  /** The last try failed. */
  stuck: boolean;
}

export function progressOf(queue: Queue): Progress {
  const pending = open(queue);
  const total = pending.reduce((sum, entry) => sum + entry.size, 0);
  const sent = pending.reduce((sum, entry) => sum + entry.sent, 0);
  return {
    pending: pending.length,
    percent: total ? Math.min(99, Math.floor((sent / total) * 100)) : 0,
    fleeting: pending.filter((entry) => !entry.kept).length,
    stuck: pending.length > 0 && (!queue.online || pending.every((entry) => entry.tries > 0)),
  };
}

/** What an answer means for the file: `again` later, `anew` from its first byte, `closed` for the whole request. */
export type Fate = 'again' | 'anew' | 'closed' | 'refused';

const CLOSED = new Set(['LINK_EXPIRED', 'LINK_UNKNOWN', 'MEDIA_ERASED', 'FILE_REQUEST_CANCELLED', 'LINK_CLOSED']);

/** Codes about one HTTP request, not about the file. */
const PASSING = new Set(['UPLOAD_OFFSET', 'UPLOAD_CHECKSUM', 'BODY_UNREADABLE', 'TOO_MANY_REQUESTS']);

/** `status` 0: no answer came. `code`: the server's stable code; empty when somebody else answered (a proxy). */
export function fateOf(status: number, code: string): Fate {
  if (PASSING.has(code)) return 'again';
  if (code === 'UPLOAD_NOT_FOUND') return 'anew';
  if (CLOSED.has(code) || status === 410) return 'closed';
  if (status === 0 || status === 408 || status === 409 || status === 423 || status === 425 || status === 429)
    return code && status === 409 ? 'refused' : 'again';
  if (status >= 500 || status < 400) return 'again';
  // The login page of a hotel's network is no refusal by our server (FILES-27).
  return code ? 'refused' : 'again';
}
