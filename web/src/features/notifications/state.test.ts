import { describe, expect, it } from 'vitest';
import type { Notice } from './model';
import { type NoticesEvent, type NoticesState, reduce, START } from './state';

const notice = (_id: string, readed = false): Notice => ({
  _id,
  category: 'personal',
  readed,
  notificationTextId: null,
  text: _id,
  updatedAt: null,
  startAt: null,
  type: 0,
  targetValue: null,
});
const a = notice('a');
const b = notice('b');
const read = notice('c', true);
const open: NoticesState = { ...START, items: [a, b, read], count: 2 };

/** What a person sees: the ids of the unread ones, and the number on the bell. */
const seen = ({ items, count }: NoticesState) =>
  `${(items ?? []).flatMap((item) => (item.readed ? [] : [item._id])).join('') || '-'} ${count}`;
const after = (state: NoticesState, ...events: NoticesEvent[]) => seen(events.reduce(reduce, state));

const marking = (one: Notice, readed: boolean): NoticesEvent => ({ type: 'marking', notice: one, readed });
const marked = (one: Notice): NoticesEvent => ({ type: 'marked', notice: one });
const refused = (one: Notice): NoticesEvent => ({ type: 'refused', notice: one });
const arrived: NoticesEvent = { type: 'arrived' };

describe('state of notifications', () => {
  it.each<[string, NoticesState, NoticesEvent[], string]>([
    ['the server counts', START, [{ type: 'counted', count: 7 }], '- 7'],
    ['a number below zero is none', START, [{ type: 'counted', count: -1 }], '- 0'],
    ['one arrives', open, [arrived], 'ab 3'],
    ['one arrives while the panel is closed', START, [arrived, arrived], '- 2'],
    ['read at once', open, [marking(a, true)], 'b 1'],
    ['read and confirmed', open, [marking(a, true), marked(a)], 'b 1'],
    ['read refused: unread again', open, [marking(a, true), refused(a)], 'ab 2'],
    ['unread at once', open, [marking(read, false)], 'abc 3'],
    ['unread refused: read again', open, [marking(read, false), refused(read)], 'ab 2'],
    ['never below zero', { ...open, count: 0 }, [marking(a, true)], 'b 0'],
    ['and what was not taken does not come back', { ...open, count: 0 }, [marking(a, true), refused(a)], 'ab 0'],
    ['two at once, one refused', open, [marking(a, true), marking(b, true), refused(a), marked(b)], 'a 1'],
    ['one that is being changed waits', open, [marking(a, true), marking(a, false)], 'b 1'],
    ['arrival between change and refusal', open, [marking(a, true), arrived, refused(a)], 'ab 3'],
    ['all', open, [{ type: 'markingAll' }], '- 0'],
    ['all confirmed', open, [{ type: 'markingAll' }, { type: 'markedAll' }], '- 0'],
    ['all refused', open, [{ type: 'markingAll' }, { type: 'allRefused' }], 'ab 2'],
    ['all refused, one arrived meanwhile', open, [{ type: 'markingAll' }, arrived, { type: 'allRefused' }], 'ab 3'],
    ['a refusal of nothing', open, [refused(a), { type: 'allRefused' }], 'ab 2'],
    ['loaded again', open, [{ type: 'loaded', items: [notice('d'), a] }], 'da 2'],
    ['loaded while one changes', open, [marking(a, true), { type: 'loaded', items: [notice('d'), a] }], 'd 1'],
    ['closed', open, [{ type: 'closed' }], '- 2'],
    ['marked while the panel is closed', { ...START, count: 1 }, [marking(a, true), marked(a)], '- 0'],
  ])('%s', (_name, state, events, shown) => {
    expect(after(state, ...events)).toBe(shown);
  });
});
