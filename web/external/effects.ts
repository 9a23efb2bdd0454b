/** Runs the machine's effects: the only place between the pure machine and the world. */
import * as api from './api';
import { forgetKey, keepKey, makeKey } from './device-key';
import { blockedBefore, openCamera, openDevices, openMicrophone, Refused, release } from './devices';
import type { Effect, Event, State } from './machine';
import * as memory from './memory';
import type { Asked, Device, Language, LinkInfo, RefusalKind } from './model';

/** Milliseconds without an answer to a prompt before the hint, which never cancels the prompt (CLIENT-13). */
export const SLOW_AFTER = 8000;
const RETRY_WAITS = [2000, 4000, 8000, 15_000, 30_000];

export interface World {
  state: () => State;
  send: (event: Event) => void;
  language: () => Language;
  /** Fetches the call's code; called while the notice is read. */
  preloadCall: () => void;
}

function whenVisible(work: () => void): void {
  // A preview robot or a background tab must not count as "opened the link".
  if (document.visibilityState === 'visible') {
    work();
    return;
  }
  const listen = () => {
    if (document.visibilityState !== 'visible') return;
    document.removeEventListener('visibilitychange', listen);
    work();
  };
  document.addEventListener('visibilitychange', listen);
}

/** Each permission is asked of the browser once at a time, even if the person taps again while it waits. */
const asking = new Set<Asked>();

const kindOf = (error: unknown): RefusalKind => (error instanceof Refused ? error.kind : 'blocked');

const OPEN = { camera: openCamera, microphone: openMicrophone };

async function askOne(world: World, permission: Device): Promise<void> {
  try {
    await OPEN[permission]();
    world.send({ type: 'GRANTED', permission });
  } catch (error) {
    world.send({ type: 'REFUSED', permission, kind: kindOf(error) });
  }
}

/** One prompt for both; when it fails, single questions find out which of them it was (CLIENT-12). */
async function askBoth(world: World): Promise<void> {
  try {
    await openDevices();
    world.send({ type: 'GRANTED', permission: 'devices' });
  } catch (error) {
    const kind = kindOf(error);
    const blocked = kind === 'blocked' ? await blockedBefore() : null;
    // A person who has just said no to both is not asked again without a tap.
    if ((kind === 'blocked' || kind === 'unanswered') && blocked !== 'microphone') {
      world.send({ type: 'REFUSED', permission: 'camera', kind });
      return;
    }
    await askOne(world, 'camera');
    const { screen } = world.state();
    if (screen.at === 'permission' && screen.permission === 'microphone') await askOne(world, 'microphone');
  }
}

async function ask(world: World, permission: Asked): Promise<void> {
  const slow = setTimeout(() => world.send({ type: 'SLOW', permission }), SLOW_AFTER);
  if (asking.has(permission)) return;
  asking.add(permission);
  try {
    await (permission === 'devices' ? askBoth(world) : askOne(world, permission));
  } finally {
    asking.delete(permission);
    clearTimeout(slow);
  }
}

/** Milliseconds before its hour at which an agreed appointment no longer stands before the call. */
const EARLY = 15 * 60_000;

/** Whether the agreed hour has come: the link then opens as any other (VISIT-7). */
const isNow = ({ appointment }: LinkInfo): boolean =>
  appointment?.state === 'agreed' && Date.parse(appointment.at) - Date.now() <= EARLY;

async function load(world: World): Promise<void> {
  const { hash } = world.state();
  if (!hash) return;
  try {
    const info = await api.getLink(hash, world.language());
    world.send({ type: 'LOADED', info: isNow(info) ? { ...info, appointment: null } : info });
  } catch (error) {
    const unknown = error instanceof api.ApiError && (error.status === 404 || error.status === 400);
    world.send({ type: 'LOAD_FAILED', reason: unknown ? 'unknown' : 'network' });
  }
}

async function code(world: World, text: string): Promise<void> {
  try {
    const { hash } = await api.sendCode(text);
    world.send({ type: 'CODE_OK', hash, clientKey: memory.recallKey(hash), outcomes: memory.recallOutcomes(hash) });
  } catch (error) {
    const status = error instanceof api.ApiError ? error.status : 0;
    world.send({
      type: 'CODE_FAILED',
      reason: status === 429 ? 'tooMany' : status >= 400 && status < 500 ? 'invalid' : 'network',
    });
  }
}

async function legal(world: World, accept: boolean): Promise<void> {
  const { hash, info } = world.state();
  if (!hash || !info?.legal) {
    world.send({ type: 'LEGAL_FAILED', gone: false });
    return;
  }
  const { documentId, version, language } = info.legal;
  try {
    const own = accept ? await makeKey() : null;
    const answer = await api.sendLegal(hash, { accept, documentId, version, language, deviceKey: own?.publicKey });
    if (own && answer.conference) void keepKey(hash, { ...own, conference: answer.conference });
    if (!accept) world.send({ type: 'DECLINED' });
    else if (answer.clientKey) world.send({ type: 'ACCEPTED', clientKey: answer.clientKey });
    else world.send({ type: 'LEGAL_FAILED', gone: false });
  } catch (error) {
    const status = error instanceof api.ApiError ? error.status : 0;
    world.send({ type: 'LEGAL_FAILED', gone: [404, 409, 410, 422].includes(status) });
  }
}

async function reopen(world: World, permissions: Device[]): Promise<void> {
  const lost: { permission: Device; kind: RefusalKind }[] = [];
  for (const permission of permissions) {
    try {
      if (permission === 'camera') await openCamera();
      if (permission === 'microphone') await openMicrophone();
    } catch (error) {
      lost.push({ permission, kind: error instanceof Refused ? error.kind : 'blocked' });
    }
  }
  world.send({ type: 'REOPENED', lost });
}

function report(world: World, effect: Extract<Effect, { do: 'track' }>): void {
  const work = async () => {
    const { hash, clientKey, screen } = world.state();
    if (!hash) return;
    const told = await api.track(hash, clientKey, effect.type, effect.data);
    if (told && effect.tells && world.state().screen === screen) world.send({ type: 'TOLD' });
  };
  if (effect.whenVisible) whenVisible(() => void work());
  else void work();
}

let retry: ReturnType<typeof setTimeout> | undefined;

export function runEffect(world: World, effect: Effect): void {
  const { hash, clientKey, outcomes } = world.state();
  switch (effect.do) {
    case 'load':
      void load(world);
      break;
    case 'retryLater':
      clearTimeout(retry);
      retry = setTimeout(() => world.send({ type: 'RETRY' }), RETRY_WAITS[effect.tries - 1] ?? 30_000);
      break;
    case 'track':
      report(world, effect);
      break;
    case 'code':
      void code(world, effect.code);
      break;
    case 'address':
      history.replaceState(null, '', `/external/${effect.hash}`);
      break;
    case 'accept':
    case 'decline':
      void legal(world, effect.do === 'accept');
      break;
    case 'preloadCall':
      world.preloadCall();
      break;
    case 'ask':
      void ask(world, effect.permission);
      break;
    case 'remember':
      if (hash) memory.remember(hash, clientKey, outcomes);
      break;
    case 'forget':
      if (hash) {
        memory.forget(hash);
        void forgetKey(hash);
      }
      break;
    case 'reopen':
      void reopen(world, effect.permissions);
      break;
    case 'release':
      release(effect.permission);
      break;
    case 'leave':
      release('camera');
      release('microphone');
      // The call's own screen leaves the room first; this only tells the server that it was on purpose.
      if (hash && clientKey) setTimeout(() => api.leave(hash, clientKey).catch(() => undefined), 300);
      break;
  }
}
