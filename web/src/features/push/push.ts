import { readPreference, writePreference } from '@/shared/lib/preferences';
import { scriptAddress } from '@/shared/lib/trusted';
import { forgetEndpoint, openRequests, pushKey, registerDevice } from './api';
import { bytesOf, pushFacts, type Support, sameBytes, supportOf } from './browser';

const WORKER = '/sw.js';

/** Whether this person wants notices in this browser; another one who logs in here is asked anew. */
const choiceKey = (userId: string) => `${userId}.push`;

export interface Person {
  _id: string;
  parent: string;
}

/** How things stand in this browser. */
export interface DeviceState {
  support: Support;
  permission: NotificationPermission;
  /** Its subscription, once there is one that the person wanted. */
  subscription: PushSubscriptionJSON | null;
}

/** Installs the service worker, or a newer one. It also shows the page for when there is no network. */
export async function registerWorker(): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  // Refused in some private windows, and behind a certificate that was clicked away: then there are no notices.
  await navigator.serviceWorker
    .register(scriptAddress(WORKER), { scope: '/', updateViaCache: 'none' })
    .catch(() => undefined);
}

/** `ready` never comes where the worker could not be installed. */
async function manager(): Promise<PushManager | undefined> {
  if (supportOf(pushFacts()) !== 'ok') return undefined;
  const registration = await navigator.serviceWorker.getRegistration('/');
  return registration?.pushManager;
}

const permission = (): NotificationPermission => ('Notification' in window ? Notification.permission : 'denied');

export async function deviceState(userId: string): Promise<DeviceState> {
  const support = supportOf(pushFacts());
  const wanted = (await readPreference(choiceKey(userId))) === true;
  const held = wanted ? await (await manager())?.getSubscription() : null;
  return { support, permission: permission(), subscription: held?.toJSON() ?? null };
}

/** The browser's subscription to this server: the one it has, or a new one where it has none or one of an older key. */
async function subscription(push: PushManager): Promise<PushSubscription> {
  const key = bytesOf(await pushKey());
  const held = await push.getSubscription();
  if (held && sameBytes(held.options.applicationServerKey, key)) return held;
  await held?.unsubscribe();
  return push.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** Why notices could not be turned on. */
export type Refusal = 'denied' | 'dismissed' | 'unreachable';
export class PushRefused extends Error {
  constructor(readonly reason: Refusal) {
    super(reason);
  }
}

/**
 * Asks the browser's permission, subscribes and tells the server. To be called from a click.
 * Throws `PushRefused` (denied, dismissed: the person's answer; unreachable: the push service) and `ApiError`.
 */
export async function turnOn(person: Person): Promise<void> {
  const answer = await Notification.requestPermission();
  if (answer !== 'granted') throw new PushRefused(answer === 'denied' ? 'denied' : 'dismissed');
  await registerWorker();
  // Installed moments ago, it may not be active yet, and only an active one can subscribe.
  const { pushManager } = await navigator.serviceWorker.ready;
  await subscribeAndTell(pushManager, person);
  await writePreference(choiceKey(person._id), true);
}

async function subscribeAndTell(push: PushManager, { _id, parent }: Person): Promise<void> {
  const made = await subscription(push).catch((error: unknown) => {
    // The browser's own push service cannot be reached, or is switched off in it.
    throw error instanceof DOMException ? new PushRefused('unreachable') : error;
  });
  await registerDevice(_id, parent, made.toJSON());
}

/**
 * At each page load: tells the server the current subscription, renews a lost one, and ends one that belongs to
 * somebody else who used this browser before.
 */
export async function synchronise(person: Person): Promise<void> {
  const push = await manager();
  if (!push) return;
  const wanted = (await readPreference(choiceKey(person._id))) === true;
  if (!wanted) await (await push.getSubscription())?.unsubscribe();
  else if (permission() === 'granted') await subscribeAndTell(push, person);
}

/** Ends notices here. The browser forgets first: whatever the server hears, this device stays silent. */
export async function turnOff(userId: string): Promise<void> {
  await writePreference(choiceKey(userId), false);
  await leave();
}

/** At a logout: as `turnOff`, but the person's wish is kept for the next log-in. Never throws for a failed call. */
export async function leave(): Promise<void> {
  const held = await (await manager())?.getSubscription();
  if (!held) return;
  const { endpoint } = held;
  await Promise.allSettled([held.unsubscribe(), forgetEndpoint(endpoint)]);
}

/** Takes away the notices about requests that are over; a notice's tag is its request's id. */
export async function closeNotices(isOver: (request: string) => boolean): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration('/');
  const shown = (await registration?.getNotifications()) ?? [];
  for (const notice of shown) if (notice.data?.kind === 'request' && isOver(notice.tag)) notice.close();
}

/** After a sweep or somebody's "not me": only what no longer waits goes. Nothing goes when that cannot be asked. */
export async function closeLapsedNotices(parent: string): Promise<void> {
  const open = await openRequests(parent).catch(() => null);
  if (open) await closeNotices((request) => !open.includes(request));
}
