import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock, settle } from '../testing/fake-room';
import type { DrawMessage } from './channel';
import { DrawingDesk, SAVE_AFTER_MS, type Saving, type Stored } from './desk';
import type { Mark } from './marks';

const mark = (id: string, points = [0, 0, 1, 1]): Mark => ({ id, kind: 'pen', tone: 1, points });
const [a, b, c] = [mark('aaaaaaaa'), mark('bbbbbbbb'), mark('cccccccc')];

let clock: FakeClock;
let told: DrawMessage[];
let saved: Saving[];
let failures: unknown[];
let answer: (change: Saving) => Promise<Stored>;
let server: Map<string, Mark>;
let desk: DrawingDesk;
beforeEach(() => {
  clock = new FakeClock();
  [told, saved, failures, server] = [[], [], [], new Map()];
  answer = async ({ add, remove }) => {
    for (const id of remove) server.delete(id);
    for (const one of add) server.set(one.id, one);
    return { revision: saved.length, marks: [...server.values()] };
  };
  desk = new DrawingDesk({
    of: 'm1',
    tell: (message) => told.push(message),
    save: (change) => {
      saved.push(change);
      return answer(change);
    },
    isPassing: (error) => error === 'offline',
    failed: (error) => failures.push(error),
    clock,
  });
});
const shown = () => desk.state.get().marks.map(({ id }) => id);

// DRAW-3, DRAW-6
describe('the desk of a drawing', () => {
  it('shows and tells at once, and stores what was drawn together', async () => {
    desk.done(a);
    desk.done(b);
    expect(shown()).toEqual([a.id, b.id]);
    expect(told).toEqual([
      { of: 'm1', mark: a },
      { of: 'm1', mark: b },
    ]);
    expect(saved).toEqual([]);
    await clock.pass(SAVE_AFTER_MS);
    expect(saved).toEqual([{ add: [a, b], remove: [] }]);
    expect(shown()).toEqual([a.id, b.id]);
  });

  it('undoes and redoes its own steps, and leaves what others draw', async () => {
    desk.done(a);
    desk.take({ of: 'm1', mark: c });
    desk.take({ of: 'another', mark: b });
    desk.undo();
    expect(shown()).toEqual([c.id]);
    expect(desk.state.get()).toMatchObject({ canUndo: false, canRedo: true });
    desk.redo();
    expect(shown()).toEqual([c.id, a.id]);
    desk.clear();
    expect(shown()).toEqual([]);
    desk.undo();
    expect(shown().sort()).toEqual([a.id, c.id]);
    await clock.pass(SAVE_AFTER_MS);
    expect(saved.at(-1)).toEqual({ add: [c, a], remove: [] });
  });

  it('waits for a line that is down, and tries again', async () => {
    const works = answer;
    answer = () => Promise.reject('offline');
    desk.done(a);
    await clock.pass(20_000);
    expect(shown()).toEqual([a.id]);
    expect(failures).toEqual([]);
    answer = works;
    await clock.pass(3_000);
    expect([...server.keys()]).toEqual([a.id]);
    const count = saved.length;
    await clock.pass(10_000);
    expect(saved.length).toBe(count);
  });

  it('takes off what the server refuses, and says so', async () => {
    answer = () => Promise.reject('INVALID_FIELDS');
    desk.done(a);
    await clock.pass(SAVE_AFTER_MS);
    expect(failures).toEqual(['INVALID_FIELDS']);
    expect(shown()).toEqual([]);
    expect(desk.state.get().canUndo).toBe(false);
  });

  // DRAW-4
  it('has room for so much and no more', () => {
    for (let count = 0; count < 201; count += 1) desk.done(mark(`mark${String(count).padStart(6, '0')}`));
    expect(shown().length).toBe(200);
    expect(failures).toEqual(['FULL']);
    expect(told.at(-1)).toEqual({ of: 'm1', erase: ['mark000200'] });
  });

  it('stores what is left when it is closed', async () => {
    desk.done(a);
    desk.dispose();
    await settle();
    expect(saved).toEqual([{ add: [a], remove: [] }]);
    await clock.pass(60_000);
    expect(saved.length).toBe(1);
  });
});
