/** What the page's state machine speaks of: screens, state, events, effects. */
import type { Asked, Device, LinkInfo, Outcome, Outcomes, RefusalKind } from './model';
import { NOTHING_ASKED } from './model';

export type BrowserProblem = 'inapp' | 'unsupported';
export type CodeError = 'invalid' | 'tooMany' | 'network';

export type Screen =
  | { at: 'loading' }
  | { at: 'code'; error: CodeError | null; sending: boolean }
  | { at: 'unknown' }
  | { at: 'offline'; tries: number }
  | { at: 'expired' }
  | { at: 'closed' }
  | { at: 'browser'; kind: BrowserProblem }
  | { at: 'notice'; nudged: boolean; sending: 'accept' | 'decline' | null; failed: boolean }
  | { at: 'declined' }
  | {
      at: 'permission';
      permission: Asked;
      phase: 'explain' | 'asking' | 'slow' | 'refused';
      refusal: RefusalKind | null;
    }
  | { at: 'resume'; opening: boolean }
  | { at: 'call' }
  | { at: 'left' }
  | { at: 'ended' }
  | { at: 'visit' };

export interface State {
  screen: Screen;
  hash: string | null;
  clientKey: string | null;
  info: LinkInfo | null;
  browserProblem: BrowserProblem | null;
  outcomes: Outcomes;
  /** The person ticked "I have read". Never set by us. */
  read: boolean;
  /** The report reached the server, so the adjuster knows. */
  told: boolean;
}

export type Event =
  | {
      type: 'BOOT';
      hash: string | null;
      reason: string | null;
      clientKey: string | null;
      outcomes: Outcomes | null;
      browserProblem: BrowserProblem | null;
    }
  | { type: 'LOADED'; info: LinkInfo }
  | { type: 'LOAD_FAILED'; reason: 'unknown' | 'network' }
  | { type: 'RETRY' }
  | { type: 'RELOAD' }
  | { type: 'ASK_CODE' }
  | { type: 'CODE'; code: string }
  | { type: 'CODE_OK'; hash: string; clientKey: string | null; outcomes: Outcomes | null }
  | { type: 'CODE_FAILED'; reason: CodeError }
  | { type: 'READ'; on: boolean }
  | { type: 'ACCEPT' }
  | { type: 'ACCEPTED'; clientKey: string }
  | { type: 'DECLINE' }
  | { type: 'DECLINED' }
  | { type: 'LEGAL_FAILED'; gone: boolean }
  | { type: 'RECONSIDER' }
  | { type: 'WITHOUT_DEVICES' }
  | { type: 'ASK' }
  | { type: 'SLOW'; permission: Asked }
  | { type: 'GRANTED'; permission: Asked }
  | { type: 'REFUSED'; permission: Device; kind: RefusalKind }
  | { type: 'SKIP' }
  | { type: 'POSITION'; outcome: Exclude<Outcome, 'pending'>; kind: RefusalKind | null }
  | { type: 'TOLD' }
  | { type: 'RESUME' }
  | { type: 'REOPENED'; lost: { permission: Device; kind: RefusalKind }[] }
  | { type: 'KEY_INVALID' }
  | { type: 'HANG_UP' }
  | { type: 'COME_BACK' }
  | { type: 'CLOSED' }
  /** Another day and hour is wanted. */
  | { type: 'VISIT' }
  | { type: 'NAMED'; appointment: LinkInfo['appointment'] }
  /** In, whatever the appointment says. */
  | { type: 'ENTER' };

export type Effect =
  | { do: 'load' }
  | { do: 'retryLater'; tries: number }
  | { do: 'track'; type: string; data: Record<string, unknown>; tells?: boolean; whenVisible?: boolean }
  | { do: 'code'; code: string }
  | { do: 'address'; hash: string }
  | { do: 'accept' }
  | { do: 'decline' }
  | { do: 'preloadCall' }
  | { do: 'ask'; permission: Asked }
  | { do: 'remember' }
  | { do: 'forget' }
  | { do: 'reopen'; permissions: Device[] }
  | { do: 'release'; permission: Device }
  | { do: 'leave' };

export interface Step {
  state: State;
  effects: Effect[];
}

export const START: State = {
  screen: { at: 'loading' },
  hash: null,
  clientKey: null,
  info: null,
  browserProblem: null,
  outcomes: NOTHING_ASKED,
  read: false,
  told: false,
};
