import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { Board, UNSTORED_MS } from './board';
import { DRAWS_A_SECOND, DrawReader, decodeDraw, encodeDraw } from './channel';
import { DrawingHand, TELL_EVERY_MS } from './hand';
import { History } from './history';
import { LINE_POINTS_MAX, type Mark, markOf, newMarkId, nextNumber } from './marks';
import { textSize } from './paint';
import { simplified } from './simplify';

const STAFF = 'user:1';
const mark = (id: string, changes: Partial<Mark> = {}): Mark => ({
  id,
  kind: 'arrow',
  tone: 1,
  points: [0, 0, 1, 1],
  ...changes,
});
const ids = (marks: readonly Mark[]) => marks.map(({ id }) => id);

// DRAW-4
describe('a mark', () => {
  const cases = JSON.parse(readFileSync(new URL('../../../../vectors/drawings.json', import.meta.url), 'utf8')) as {
    name: string;
    mark: unknown;
    ok: boolean;
    as?: unknown;
  }[];
  it.each(cases.map((one) => [one.name, one] as const))('is one to both sides or to none: %s', (_name, one) => {
    const read = markOf(one.mark);
    expect(read !== null).toBe(one.ok);
    if (one.as) expect(read).toEqual(one.as);
  });

  it.each([null, undefined, 7, 'mark', [], () => 1])('is not %s', (raw) => expect(markOf(raw)).toBeNull());

  it('has an id of its own, and numbers count on', () => {
    expect(markOf(mark(newMarkId()))).not.toBeNull();
    expect(newMarkId()).not.toBe(newMarkId());
    expect(nextNumber([])).toBe(1);
    expect(nextNumber([mark('a', { number: 3 }), mark('b', { number: 1 }), mark('c')])).toBe(4);
    expect(nextNumber([mark('a', { number: 99 })])).toBeNull();
  });
});

// DRAW-6
describe('a message of a hand', () => {
  const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  const drawn = { of: 'm1', mark: mark('abcdefgh') };

  it('is read as it was written', () => {
    expect(decodeDraw(encodeDraw(drawn))).toEqual(drawn);
    expect(decodeDraw(encodeDraw({ of: 'm1', erase: ['abcdefgh'] }))).toEqual({ of: 'm1', erase: ['abcdefgh'] });
    const longest = mark('abcdefgh', {
      kind: 'pen',
      points: Array.from({ length: LINE_POINTS_MAX * 2 }, () => 0.1234),
    });
    expect(decodeDraw(encodeDraw({ of: 'm'.repeat(36), mark: longest }))).not.toBeNull();
  });

  it.each<[string, unknown]>([
    ['garbage', '{{{'],
    ['nothing', ''],
    ['no picture', { mark: drawn.mark }],
    ['no mark', { of: 'm1' }],
    ['markup', { of: 'm1', svg: '<svg onload=alert(1)>' }],
    ['a mark with markup for an id', { of: 'm1', mark: mark('<svg>xxxxx') }],
    ['an eraser of everything', { of: 'm1', erase: Array.from({ length: 201 }, () => 'abcdefgh') }],
    ['an eraser of markup', { of: 'm1', erase: ['<b>'] }],
    ['something long', { ...drawn, note: 'x'.repeat(12_000) }],
  ])('is dropped: %s', (_name, value) => expect(decodeDraw(bytes(value))).toBeNull());

  it('counts from members of staff only', () => {
    const reader = new DrawReader(() => 0);
    for (const from of [undefined, '', 'client:0a1b2c3d', 'robot:1'])
      expect(reader.read(encodeDraw(drawn), from)).toBeNull();
    expect(reader.read(encodeDraw(drawn), STAFF)).toEqual(drawn);
  });

  it('is one of at most 40 a second of each sender; a flood holds nobody else up', () => {
    let now = 0;
    const reader = new DrawReader(() => now);
    let read = 0;
    for (let count = 0; count < 50_000; count += 1) {
      now = count / 50;
      if (reader.read(encodeDraw(drawn), STAFF)) read += 1;
    }
    expect(read).toBe(DRAWS_A_SECOND);
    expect(reader.read(encodeDraw(drawn), 'user:2')).not.toBeNull();
    now += 1_001;
    expect(reader.read(encodeDraw(drawn), STAFF)).not.toBeNull();
  });
});

// DRAW-8
describe('a line', () => {
  const circle = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const turn = (at / count) * 2 * Math.PI;
      return [0.5 + 0.3 * Math.cos(turn), 0.5 + 0.4 * Math.sin(turn)];
    }).flat();

  it('keeps its shape with far fewer points', () => {
    const line = simplified(circle(5_000), 4 / 3, LINE_POINTS_MAX);
    expect(line.length / 2).toBeLessThan(120);
    expect(line.length / 2).toBeGreaterThan(20);
    for (let at = 0; at < line.length; at += 2) {
      const far = Math.hypot(((line[at] ?? 0) - 0.5) / 0.3, ((line[at + 1] ?? 0) - 0.5) / 0.4);
      expect(Math.abs(far - 1)).toBeLessThan(0.01);
    }
    expect(line.slice(0, 2)).toEqual(circle(5_000).slice(0, 2));
  });

  it('has at most as many points as a mark may have, however it shakes', () => {
    let seed = 1;
    const random = () => {
      seed = (seed * 16_807) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    const shaken = Array.from({ length: 10_000 }, random);
    const line = simplified(shaken, 1.5, LINE_POINTS_MAX);
    expect(line.length / 2).toBeLessThanOrEqual(LINE_POINTS_MAX);
    expect(line.slice(-2)).toEqual(shaken.slice(-2));
  });

  it.each([[[]], [[0.1, 0.1]], [[0.1, 0.1, 0.1, 0.1]]])('of next to nothing stays: %s', (points) =>
    expect(simplified(points, 1, 500)).toEqual(points),
  );
});

// DRAW-6
describe('a drawing hand', () => {
  let now: number;
  let told: Mark[];
  let done: Mark[];
  let dropped: string[];
  let hand: DrawingHand;
  beforeEach(() => {
    [now, told, done, dropped] = [0, [], [], []];
    hand = new DrawingHand(
      {
        drawing: (one, tell) => tell && told.push(one),
        done: (one) => done.push(one),
        dropped: (id) => dropped.push(id),
      },
      () => now,
      () => 'abcdefgh',
    );
  });
  const at = (x: number, y: number, tool: 'pen' | 'arrow' = 'pen') => hand.at({ x, y, aspect: 1.5 }, tool, 2);

  it('tells what it draws 20 times a second at most, and its end whole', () => {
    for (let step = 0; step <= 1_000; step += 1) {
      now = step;
      at(step / 1_000, 0.5);
    }
    hand.lift();
    expect(told.length).toBeLessThanOrEqual(1_000 / TELL_EVERY_MS + 1);
    expect(told.length).toBeGreaterThan(15);
    for (const one of told) expect(markOf(one)).not.toBeNull();
    expect(done).toEqual([{ id: 'abcdefgh', kind: 'pen', tone: 2, points: [0, 0.5, 1, 0.5] }]);
  });

  it('draws an arrow from where it began to where it is', () => {
    at(0.1, 0.1, 'arrow');
    at(0.4, 0.9, 'arrow');
    at(0.2, 0.3, 'arrow');
    hand.lift();
    expect(done[0]?.points).toEqual([0.1, 0.1, 0.2, 0.3]);
  });

  it('draws nothing by a slip or when the tool is laid down', () => {
    at(0.1, 0.1);
    at(0.101, 0.101);
    hand.lift();
    at(0.1, 0.1);
    at(0.9, 0.9);
    hand.drop();
    expect(done).toEqual([]);
    expect(dropped).toEqual(['abcdefgh', 'abcdefgh']);
  });
});

// DRAW-3
describe('undo and redo', () => {
  it('go back and forth, and something new ends what was undone', () => {
    const history = new History();
    const [first, second] = [
      { add: [mark('aaaaaaaa')], remove: [] },
      { add: [], remove: [mark('aaaaaaaa')] },
    ];
    history.did(first);
    history.did(second);
    expect(history.undo()).toEqual(first);
    expect(history.undo()).toEqual(second);
    expect(history.undo()).toBeNull();
    expect([history.canUndo, history.canRedo]).toEqual([false, true]);
    expect(history.redo()).toEqual(first);
    history.did({ add: [mark('bbbbbbbb')], remove: [] });
    expect(history.canRedo).toBe(false);
    expect(history.redo()).toBeNull();
  });
});

// DRAW-3, DRAW-6
describe('a board', () => {
  const [a, b, c] = [mark('aaaaaaaa'), mark('bbbbbbbb'), mark('cccccccc')];

  it('shows what is stored, and what hands do meanwhile', () => {
    const board = new Board();
    board.load(1, [a, b]);
    board.put(c, 0);
    board.erase([a.id], 0);
    expect(ids(board.shown())).toEqual([b.id, c.id]);
    // An answer from before the eraser and the new mark.
    board.load(1, [a, b]);
    expect(ids(board.shown())).toEqual([b.id, c.id]);
    board.load(2, [b, c]);
    expect(ids(board.shown())).toEqual([b.id, c.id]);
    expect(board.load(1, [a])).toBe(false);
    expect(ids(board.shown())).toEqual([b.id, c.id]);
  });

  it('forgets what nobody stored', () => {
    const board = new Board();
    board.load(1, [a]);
    board.put(b, 0);
    board.erase([a.id], 0);
    expect(board.sweep(UNSTORED_MS)).toBe(false);
    expect(board.sweep(UNSTORED_MS + 1)).toBe(true);
    expect(ids(board.shown())).toEqual([a.id]);
    board.put(b, 0);
    board.forget([b.id]);
    expect(ids(board.shown())).toEqual([a.id]);
  });

  it('takes a mark that comes back', () => {
    const board = new Board();
    board.load(1, [a]);
    board.erase([a.id], 0);
    board.put(a, 0);
    expect(ids(board.shown())).toEqual([a.id]);
  });

  it('holds a flood of marks', () => {
    const board = new Board();
    for (let count = 0; count < 5_000; count += 1) board.put(mark(`mark${String(count).padStart(6, '0')}`), 0);
    expect(board.shown().length).toBe(200);
  });
});

// DRAW-5
it.each([
  [5, 800, 34],
  [50, 800, 26.7],
  [80, 800, 16.7],
  [80, 300, 14],
])('a text of %i letters with room for %i thousandths is as large as the server draws it', (letters, room, size) =>
  expect(textSize('ñ'.repeat(letters), room)).toBeCloseTo(size, 1),
);
