// Rules of video-call requests as both sides see them, pure; time is passed in.

import type { components } from '@/api/generated/schema';
import type { Present } from '@/api/types';

/** 1 Autos, 2 Diversos. */
export type ConferenceType = 1 | 2;

type Schemas = components['schemas'];
export type RequestState = Schemas['VideoCallRequestState'];
export type VideoCallRequest = Omit<Present<Schemas['VideoCallRequest']>, 'type'> & { type: ConferenceType };
/** A customer to ask, as the starter sees it. */
export type Customer = Schemas['InsuranceCustomer'];

/** A request waits ten minutes. */
export const WAIT_MS = 10 * 60_000;
/** A call-back is agreed for at least 5 minutes and at most 14 days ahead. */
export const CALLBACK_MIN_MS = 5 * 60_000;
export const CALLBACK_MAX_MS = 14 * 24 * 3_600_000;

const time = (iso: string) => new Date(iso).getTime();

/** An agreed call whose time has come: it rings as a waiting one does. */
export const isDue = (request: VideoCallRequest, now: number) =>
  request.state === 'scheduled' && request.callbackAt !== null && time(request.callbackAt) <= now;

/** Rings at the customer's. */
export const isRinging = (request: VideoCallRequest, now: number) => request.state === 'waiting' || isDue(request, now);

/** Since when a request rings, in ms since the epoch. */
export const ringsSince = (request: VideoCallRequest) =>
  time(request.state === 'scheduled' && request.callbackAt ? request.callbackAt : request.createdAt);

/** Ms until nobody may answer any more, from 0. */
export const remainingMs = (request: VideoCallRequest, now: number) => Math.max(0, time(request.expiresAt) - now);

/** What of the wait has passed, 0–1. */
export function progress(request: VideoCallRequest, now: number): number {
  const whole = time(request.expiresAt) - ringsSince(request);
  if (whole <= 0) return 1;
  return Math.min(1, Math.max(0, (now - ringsSince(request)) / whole));
}

/** The customer's queue: ringing ones first, the longest wait on top; then agreed ones by their time. */
export function queueOf(requests: VideoCallRequest[], now: number) {
  const open = requests.filter(({ state }) => state === 'waiting' || state === 'scheduled');
  const ringing = open.filter((one) => isRinging(one, now)).sort((a, b) => ringsSince(a) - ringsSince(b));
  const agreed = open.filter((one) => !isRinging(one, now)).sort((a, b) => ringsSince(a) - ringsSince(b));
  return { ringing, agreed };
}

const endedAt = (request: VideoCallRequest) => time(request.endedAt ?? request.createdAt);

/** What was answered, and how: a request may be answered twice, when a call-back follows a refusal. */
export const answerOf = ({ _id, state, expiresAt }: VideoCallRequest) => `${_id}:${state}:${expiresAt}`;

/** Those of the last hour that nobody has to answer any more, newest first. */
export const answeredOf = (requests: VideoCallRequest[], customerId: string) =>
  requests
    .filter((one) => one.customerId === customerId && one.state !== 'waiting' && one.state !== 'scheduled')
    .sort((a, b) => endedAt(b) - endedAt(a));

export type Shown =
  | { kind: 'form'; lately: VideoCallRequest | null; agreed: VideoCallRequest[] }
  | { kind: 'waiting' | 'accepted' | 'refused' | 'expired'; request: VideoCallRequest };

/**
 * What the starter's page shows: the request that waits, else the newest answer that was not seen to yet (`done`), else
 * the form with the agreed calls. A reload therefore keeps the wait.
 */
export function shownOf(requests: VideoCallRequest[], starterId: string, done: readonly string[], now: number): Shown {
  const own = requests.filter((one) => one.starterId === starterId).sort((a, b) => endedAt(b) - endedAt(a));
  const waiting = own.find((one) => isRinging(one, now));
  if (waiting) return { kind: 'waiting', request: waiting };
  const accepted = own.find((one) => one.state === 'accepted' && one.url !== null && !done.includes(answerOf(one)));
  if (accepted) return { kind: 'accepted', request: accepted };
  // An answer that something newer followed was dealt with.
  const last = own.find(({ state }) => state !== 'scheduled');
  if ((last?.state === 'refused' || last?.state === 'expired') && !done.includes(answerOf(last)))
    return { kind: last.state, request: last };
  const { agreed } = queueOf(own, now);
  const lately = own.find((one) => one.state === 'accepted' && one.url !== null) ?? null;
  return { kind: 'form', lately, agreed };
}

const PRESENCE = { free: 0, call: 1, away: 2 };

/** Free ones first, then the region's own, then by name. */
export function inOrder(customers: Customer[], region: string): Customer[] {
  const near = (one: Customer) => (region !== '' && one.region === region ? 0 : 1);
  const names = new Intl.Collator('es');
  return [...customers].sort(
    (a, b) => PRESENCE[a.state] - PRESENCE[b.state] || near(a) - near(b) || names.compare(a.company, b.company),
  );
}

const plain = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Those whose name or region holds every word of the search. */
export function matching(customers: Customer[], search: string): Customer[] {
  const words = plain(search).split(/\s+/).filter(Boolean);
  return customers.filter((one) => words.every((word) => plain(`${one.company} ${one.region}`).includes(word)));
}

type CallbackProblem = 'empty' | 'soon' | 'far';

/** What is wrong with an agreed time, a local date and time as a field gives it. */
export function callbackProblem(local: string, now: number): CallbackProblem | null {
  const chosen = new Date(local).getTime();
  if (local === '' || Number.isNaN(chosen)) return 'empty';
  if (chosen < now + CALLBACK_MIN_MS) return 'soon';
  return chosen > now + CALLBACK_MAX_MS ? 'far' : null;
}

/** A moment as a date-and-time field takes it, in the device's own zone. */
export function localValue(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The next full minute at least `minutes` ahead. */
export const minutesAhead = (minutes: number, now: number) => Math.ceil((now + minutes * 60_000) / 60_000) * 60_000;

/** Nine in the morning of the next day. */
export function tomorrowAtNine(now: number): number {
  const day = new Date(now);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1, 9).getTime();
}

/** Where the starter stands in a call: the client's page of our own server, marked with the way back; else `null`. */
export function roomHref(url: string | null, origin: string): string | null {
  if (!url) return null;
  const address = URL.canParse(url, origin) ? new URL(url, origin) : null;
  if (!address?.pathname.startsWith('/external/')) return null;
  return `${address.pathname}?from=request`;
}
