import { keyOf, type Notice } from './model';

export interface NoticesState {
  /** Of the panel; null while it is closed or still loading. */
  items: readonly Notice[] | null;
  /** Not yet seen, 0 or more. */
  count: number;
  /** Running changes by notice: what each did to the count, taken back when it fails. */
  pending: Readonly<Record<string, number>>;
  /** While "mark all" runs: what was unread and how many. */
  all: { unread: readonly string[]; count: number } | null;
}

export type NoticesEvent =
  /** The server's own number. */
  | { type: 'counted'; count: number }
  | { type: 'loaded'; items: readonly Notice[] }
  | { type: 'closed' }
  /** A new one came live. */
  | { type: 'arrived' }
  | { type: 'marking'; notice: Notice; readed: boolean }
  | { type: 'marked'; notice: Notice }
  | { type: 'refused'; notice: Notice }
  | { type: 'markingAll' }
  | { type: 'markedAll' }
  | { type: 'allRefused' };

export const START: NoticesState = { items: null, count: 0, pending: {}, all: null };

const setReaded = (items: NoticesState['items'], keys: readonly string[], readed: boolean) =>
  items?.map((item) => (keys.includes(keyOf(item)) ? { ...item, readed } : item)) ?? null;

const without = (pending: NoticesState['pending'], key: string) =>
  Object.fromEntries(Object.entries(pending).filter(([name]) => name !== key));

/**
 * Read state and count of unseen ones, told at once and taken back when the server refuses.
 * Notifications: one less on read (never below 0), one more on unread, 0 on all, one more on arrival.
 */
export function reduce(state: NoticesState, event: NoticesEvent): NoticesState {
  switch (event.type) {
    case 'counted':
      return { ...state, count: Math.max(0, event.count) };
    case 'loaded':
      return { ...state, items: keepPending(state, event.items) };
    case 'closed':
      return { ...state, items: null };
    case 'arrived':
      return { ...state, count: state.count + 1 };
    case 'marking':
      return marking(state, event.notice, event.readed);
    case 'marked':
      return { ...state, pending: without(state.pending, keyOf(event.notice)) };
    case 'refused':
      return refused(state, event.notice);
    case 'markingAll': {
      const unread = (state.items ?? []).filter(({ readed }) => !readed).map(keyOf);
      const items = setReaded(state.items, unread, true);
      return { ...state, items, count: 0, all: { unread, count: state.count } };
    }
    case 'markedAll':
      return { ...state, all: null };
    case 'allRefused': {
      if (!state.all) return state;
      const items = setReaded(state.items, state.all.unread, false);
      return { ...state, items, count: state.count + state.all.count, all: null };
    }
  }
}

function marking(state: NoticesState, notice: Notice, readed: boolean): NoticesState {
  const key = keyOf(notice);
  if (key in state.pending) return state;
  // Nothing below zero: what was not taken away must not come back either.
  const change = readed ? -Math.min(1, state.count) : 1;
  return {
    ...state,
    items: setReaded(state.items, [key], readed),
    count: state.count + change,
    pending: { ...state.pending, [key]: change },
  };
}

function refused(state: NoticesState, notice: Notice): NoticesState {
  const key = keyOf(notice);
  const change = state.pending[key];
  if (change === undefined) return state;
  return {
    ...state,
    items: setReaded(state.items, [key], notice.readed),
    count: Math.max(0, state.count - change),
    pending: without(state.pending, key),
  };
}

/** What is being changed right now looks as the person left it, not as the server had it when it answered. */
function keepPending({ items, pending }: NoticesState, loaded: readonly Notice[]): readonly Notice[] {
  const shown = new Map(items?.map((item) => [keyOf(item), item.readed]));
  return loaded.map((item) => {
    const readed = keyOf(item) in pending ? shown.get(keyOf(item)) : undefined;
    return readed === undefined ? item : { ...item, readed };
  });
}
