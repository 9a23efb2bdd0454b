/**
 * The page as a pure state machine: `step(state, event)` gives the next state and the effects to run.
 * Nothing here touches the network, the clock or a device, so that every path (CLIENT-12 to CLIENT-15) is a row of a
 * table in `machine.test.ts`.
 */
import {
  type Asked,
  DEVICES,
  type Device,
  type LinkInfo,
  NOTHING_ASKED,
  type Outcome,
  type Permission,
  type RefusalKind,
  refusalCode,
} from './model';
import { type Effect, type Event, type Screen, START, type State, type Step } from './states';

export {
  type BrowserProblem,
  type CodeError,
  type Effect,
  type Event,
  type Screen,
  START,
  type State,
  type Step,
} from './states';

const NOTICE: Screen = { at: 'notice', nudged: false, sending: null, failed: false };

function go(state: State, screen: Screen, ...effects: Effect[]): Step {
  return { state: { ...state, screen, told: false }, effects };
}

function explain(permission: Asked): Screen {
  return { at: 'permission', permission, phase: 'explain', refusal: null };
}

const pendingDevices = ({ outcomes }: State) => DEVICES.filter((device) => outcomes[device] === 'pending');

/** The next unanswered device, both in one prompt while both are open, else the call. */
function nextPermission(state: State): Step {
  const [first, second] = pendingDevices(state);
  const screen: Screen = first ? explain(second ? 'devices' : first) : { at: 'call' };
  return go(state, screen, { do: 'remember' });
}

function showNotice(state: State): Step {
  const legal = state.info?.legal;
  const data = legal
    ? { documentId: legal.documentId, version: legal.version, language: legal.language, sha256: legal.sha256 }
    : {};
  return go(state, NOTICE, { do: 'track', type: 'LEGAL_SHOWN', data, whenVisible: true }, { do: 'preloadCall' });
}

/** First screen of an open link, for a device that has (or has not) accepted before. */
function enter(state: State): Step {
  if (state.browserProblem) {
    const reason = state.browserProblem === 'inapp' ? 'IN_APP_BROWSER' : 'UNSUPPORTED_BROWSER';
    return go(
      state,
      { at: 'browser', kind: state.browserProblem },
      {
        do: 'track',
        type: 'PERMISSION_DENIED',
        data: { permission: 'camera', reason },
        tells: true,
        whenVisible: true,
      },
    );
  }
  if (!state.clientKey) return showNotice(state);
  if (!pendingDevices(state).length) return go(state, { at: 'resume', opening: false }, { do: 'preloadCall' });
  const step = nextPermission(state);
  return { ...step, effects: [...step.effects, { do: 'preloadCall' }] };
}

function loaded(state: State, info: LinkInfo): Step {
  const next = { ...state, info };
  const opened: Effect = { do: 'track', type: 'LINK_OPENED', data: {}, whenVisible: true };
  // The language was changed: stay on the screen; only the notice is another document.
  if (state.screen.at !== 'loading' && state.screen.at !== 'offline') {
    if (state.screen.at !== 'notice') return { state: next, effects: [] };
    const step = showNotice(next);
    return { ...step, effects: step.effects.filter((effect) => effect.do === 'track') };
  }
  if (info.state === 'expired') return go(next, { at: 'expired' }, opened);
  if (info.state === 'closed') return go(next, state.clientKey ? { at: 'ended' } : { at: 'closed' });
  if (info.state === 'declined' && !state.clientKey) return go(next, { at: 'declined' }, opened);
  // Whoever has an appointment reads of it before anything is asked (VISIT-7).
  const step = info.appointment ? go(next, { at: 'visit' }) : enter(next);
  return { ...step, effects: [opened, ...step.effects] };
}

function boot(event: Extract<Event, { type: 'BOOT' }>): Step {
  const state: State = {
    ...START,
    hash: event.hash,
    clientKey: event.clientKey,
    outcomes: event.outcomes ?? NOTHING_ASKED,
    browserProblem: event.browserProblem,
  };
  if (event.hash) return go(state, { at: 'loading' }, { do: 'load' });
  if (event.reason === 'unknown') return go(state, { at: 'unknown' });
  return go(state, { at: 'code', error: null, sending: false });
}

const granted = (permission: Permission): Effect => ({ do: 'track', type: 'PERMISSION_GRANTED', data: { permission } });

function denied(permission: Permission, reason: string, tells = false): Effect {
  return { do: 'track', type: 'PERMISSION_DENIED', data: { permission, reason }, ...(tells && { tells }) };
}

const partsOf = (asked: Asked): readonly Device[] => (asked === 'devices' ? DEVICES : [asked]);

function settle(state: State, permissions: readonly Permission[], outcome: Outcome): State {
  const outcomes = { ...state.outcomes };
  for (const permission of permissions) outcomes[permission] = outcome;
  return { ...state, outcomes };
}

type PermissionScreen = Extract<Screen, { at: 'permission' }>;

function grantedStep(state: State, here: PermissionScreen | null, asked: Asked): Step {
  const parts = partsOf(asked);
  // The prompt was answered after the person had gone on into the call.
  if (!here) return { state, effects: parts.map((permission) => ({ do: 'release', permission })) };
  const next = settle(state, parts, 'granted');
  const tracks = parts.map(granted);
  const [open] = partsOf(here.permission).filter((permission) => next.outcomes[permission] === 'pending');
  if (!open) {
    const step = nextPermission(next);
    return { ...step, effects: [...tracks, ...step.effects] };
  }
  // One of the two is open; the other is being asked for on its own.
  const screen: Screen = here.permission === 'devices' ? { ...here, permission: open, phase: 'asking' } : here;
  return { state: { ...next, screen }, effects: [...tracks, { do: 'remember' }] };
}

function refusedStep(state: State, here: PermissionScreen | null, permission: Device, kind: RefusalKind): Step | null {
  if (!here || !partsOf(here.permission).includes(permission)) return null;
  const screen: Screen = { ...here, permission, phase: 'refused', refusal: kind };
  return go(state, screen, denied(permission, refusalCode(permission, kind), true));
}

function skipStep(state: State, here: PermissionScreen): Step {
  // Both together were too much: from here on one by one.
  if (here.permission === 'devices') return go(state, explain('camera'));
  const refused = here.phase === 'refused' && here.refusal !== 'unanswered';
  const step = nextPermission(settle(state, [here.permission], refused ? 'denied' : 'skipped'));
  return refused ? step : { ...step, effects: [denied(here.permission, 'SKIPPED'), ...step.effects] };
}

/** The answer to the question of the first picture, on the call's own screen. */
function positionStep(state: State, { outcome, kind }: Extract<Event, { type: 'POSITION' }>): Step {
  const track =
    outcome === 'granted'
      ? granted('geolocation')
      : denied('geolocation', kind ? refusalCode('geolocation', kind) : 'SKIPPED');
  return { state: settle(state, ['geolocation'], outcome), effects: [track, { do: 'remember' }] };
}

function permissionStep(state: State, event: Event): Step | null {
  const here = state.screen.at === 'permission' ? state.screen : null;
  switch (event.type) {
    case 'ASK':
      if (!here || here.phase === 'asking' || here.phase === 'slow') return null;
      return go(state, { ...here, phase: 'asking', refusal: null }, { do: 'ask', permission: here.permission });
    case 'SLOW': {
      if (!here || here.permission !== event.permission || here.phase !== 'asking') return null;
      const [first] = partsOf(event.permission);
      const tell = first ? [denied(first, 'PERMISSION_NO_ANSWER', true)] : [];
      return go(state, { ...here, phase: 'slow' }, ...tell);
    }
    case 'GRANTED':
      return grantedStep(state, here, event.permission);
    case 'REFUSED':
      return refusedStep(state, here, event.permission, event.kind);
    case 'SKIP':
      return here && skipStep(state, here);
    case 'POSITION':
      return positionStep(state, event);
    default:
      return null;
  }
}

function legalStep(state: State, event: Event): Step | null {
  const here = state.screen.at === 'notice' ? state.screen : null;
  switch (event.type) {
    case 'READ':
      if (!here) return null;
      return { state: { ...state, read: event.on, screen: { ...here, nudged: false } }, effects: [] };
    case 'ACCEPT':
      if (!here || here.sending) return null;
      if (!state.read) return go(state, { ...here, nudged: true });
      return go(state, { ...here, nudged: false, failed: false, sending: 'accept' }, { do: 'accept' });
    case 'DECLINE':
      if (!here || here.sending) return null;
      return go(state, { ...here, nudged: false, failed: false, sending: 'decline' }, { do: 'decline' });
    case 'ACCEPTED':
      return nextPermission({ ...state, clientKey: event.clientKey });
    case 'DECLINED':
      return go({ ...state, read: false }, { at: 'declined' });
    case 'LEGAL_FAILED':
      if (event.gone) return go(state, { at: 'loading' }, { do: 'load' });
      return here ? go(state, { ...here, sending: null, failed: true }) : null;
    case 'RECONSIDER':
      return showNotice({ ...state, read: false });
    case 'WITHOUT_DEVICES':
      // Hearing, writing and photos by the phone's own camera app need no device permission.
      return enter({
        ...state,
        browserProblem: null,
        outcomes: { ...state.outcomes, camera: 'denied', microphone: 'denied' },
      });
    default:
      return null;
  }
}

function callStep(state: State, event: Event): Step | null {
  switch (event.type) {
    case 'RESUME': {
      if (state.screen.at !== 'resume' || state.screen.opening) return null;
      const permissions = (['camera', 'microphone'] as const).filter((p) => state.outcomes[p] === 'granted');
      return go(state, { at: 'resume', opening: true }, { do: 'reopen', permissions: [...permissions] });
    }
    case 'REOPENED': {
      const first = event.lost[0];
      if (!first) return go(state, { at: 'call' });
      const outcomes = { ...state.outcomes };
      for (const { permission } of event.lost) outcomes[permission] = 'pending';
      return go(
        { ...state, outcomes },
        { at: 'permission', permission: first.permission, phase: 'refused', refusal: first.kind },
        {
          do: 'track',
          type: 'PERMISSION_DENIED',
          data: { permission: first.permission, reason: refusalCode(first.permission, first.kind) },
          tells: true,
        },
      );
    }
    case 'KEY_INVALID': {
      const step = go({ ...state, clientKey: null, read: false, outcomes: NOTHING_ASKED }, { at: 'loading' });
      return { ...step, effects: [{ do: 'forget' }, { do: 'load' }] };
    }
    case 'HANG_UP':
      return go(state, { at: 'left' }, { do: 'leave' });
    case 'COME_BACK':
      return go(state, { at: 'resume', opening: false });
    case 'CLOSED':
      return go(state, { at: 'ended' });
    case 'VISIT':
      return go(state, { at: 'visit' });
    case 'NAMED':
      return {
        state: state.info ? { ...state, info: { ...state.info, appointment: event.appointment } } : state,
        effects: [],
      };
    case 'ENTER':
      return enter(state);
    default:
      return null;
  }
}

function linkStep(state: State, event: Event): Step | null {
  switch (event.type) {
    case 'BOOT':
      return boot(event);
    case 'LOADED':
      return loaded(state, event.info);
    case 'LOAD_FAILED': {
      if (event.reason === 'unknown') return go(state, { at: 'unknown' });
      if (state.screen.at !== 'loading' && state.screen.at !== 'offline') return null;
      const tries = state.screen.at === 'offline' ? state.screen.tries + 1 : 1;
      return go(state, { at: 'offline', tries }, { do: 'retryLater', tries });
    }
    case 'RETRY':
      return state.screen.at === 'offline' ? { state, effects: [{ do: 'load' }] } : null;
    case 'RELOAD':
      return go(state, { at: 'loading' }, { do: 'load' });
    case 'ASK_CODE':
      return go(state, { at: 'code', error: null, sending: false });
    case 'CODE':
      if (state.screen.at !== 'code' || state.screen.sending) return null;
      return go(state, { at: 'code', error: null, sending: true }, { do: 'code', code: event.code });
    case 'CODE_OK': {
      const { hash, clientKey } = event;
      const next = { ...state, hash, clientKey, outcomes: event.outcomes ?? NOTHING_ASKED };
      return go(next, { at: 'loading' }, { do: 'address', hash }, { do: 'load' });
    }
    case 'CODE_FAILED':
      return go(state, { at: 'code', error: event.reason, sending: false });
    case 'TOLD':
      return { state: { ...state, told: true }, effects: [] };
    default:
      return null;
  }
}

/** Answers the next state and its effects. An event that does not fit the screen changes nothing. */
export function step(state: State, event: Event): Step {
  return (
    linkStep(state, event) ??
    legalStep(state, event) ??
    permissionStep(state, event) ??
    callStep(state, event) ?? { state, effects: [] }
  );
}
