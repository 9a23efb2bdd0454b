import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Mark } from '../../src/rtc/drawing/marks';
import { FrozenBoard, FrozenPicture } from './FrozenPicture';
import { Frozen } from './frozen';
import { parseMessage } from './messages';
import { Pointing } from './pointing';
import type { View } from './view';

const mark = (id: string): Mark => ({ id, kind: 'arrow', tone: 1, points: [0, 0, 1, 1] });
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

interface State {
  mediaId: string;
  revision: number;
  marks: unknown[];
}
let state: State | null;
let asked: { path: string; key: string | null }[];
let shown: View['frozen'][];
let frozen: Frozen;
beforeEach(() => {
  [state, asked, shown] = [null, [], []];
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    asked.push({ path, key: new Headers(init.headers).get('x-client-key') });
    if (path.endsWith('/frozen')) return new Response(JSON.stringify({ frozen: state }));
    return new Response(new Blob(['jpeg']));
  });
  URL.createObjectURL = () => `blob:${asked.length}`;
  URL.revokeObjectURL = vi.fn();
  frozen = new Frozen('hash', 'key', (change) => shown.push(change.frozen ?? null));
});
afterEach(() => vi.unstubAllGlobals());

// DRAW-1, DRAW-2
describe('a frozen call on the client’s page', () => {
  it('costs one small question while nothing is frozen', async () => {
    await frozen.refresh();
    expect(asked).toEqual([{ path: '/api/v1/external/hash/frozen', key: 'key' }]);
    expect(shown).toEqual([]);
  });

  it('shows the picture with its marks, brings them up to date, and lets it live again', async () => {
    state = { mediaId: 'm1', revision: 1, marks: [mark('aaaaaaaa'), { id: '<svg onload=alert(1)>' }] };
    await frozen.refresh();
    expect(asked.at(-1)).toEqual({ path: '/api/v1/external/hash/frozen-picture', key: 'key' });
    const board = shown[0]?.board;
    expect(board?.marks.map(({ id }) => id)).toEqual(['aaaaaaaa']);
    state = { mediaId: 'm1', revision: 2, marks: [mark('bbbbbbbb')] };
    await frozen.refresh();
    expect([asked.length, shown.length]).toEqual([3, 1]);
    expect(board?.marks.map(({ id }) => id)).toEqual(['bbbbbbbb']);
    state = null;
    await frozen.refresh();
    expect(shown.at(-1)).toBeNull();
    expect(URL.revokeObjectURL).toHaveBeenCalledWith(board?.url);
  });

  it('loads a picture once, however often it is told meanwhile', async () => {
    state = { mediaId: 'm1', revision: 1, marks: [] };
    await Promise.all([frozen.refresh(), frozen.refresh(), frozen.refresh()]);
    expect(asked.filter(({ path }) => path.endsWith('frozen-picture')).length).toBe(1);
    expect(shown.length).toBe(1);
  });

  it('keeps what it shows while the network is down, and asks again', async () => {
    state = { mediaId: 'm1', revision: 1, marks: [] };
    await frozen.refresh();
    const works = fetch;
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    await frozen.refresh();
    expect(shown.length).toBe(1);
    vi.stubGlobal('fetch', works);
    state = null;
    await frozen.refresh();
    expect(shown.at(-1)).toBeNull();
  });

  // DRAW-6
  it('shows what members of staff draw, of this picture, and nobody else', async () => {
    state = { mediaId: 'm1', revision: 1, marks: [] };
    await frozen.refresh();
    const ids = () => shown[0]?.board.marks.map(({ id }) => id);
    frozen.drawn(bytes({ of: 'm1', mark: mark('aaaaaaaa') }), 'client:ffffffff');
    frozen.drawn(bytes({ of: 'm2', mark: mark('aaaaaaaa') }), 'user:1');
    frozen.drawn(bytes({ of: 'm1', mark: { ...mark('aaaaaaaa'), points: [0, 0, 1, 7] } }), 'user:1');
    frozen.drawn(bytes('<svg>'), 'user:1');
    expect(ids()).toEqual([]);
    frozen.drawn(bytes({ of: 'm1', mark: mark('aaaaaaaa') }), 'user:1');
    expect(ids()).toEqual(['aaaaaaaa']);
    frozen.drawn(bytes({ of: 'm1', erase: ['aaaaaaaa'] }), 'user:1');
    expect(ids()).toEqual([]);
  });

  it('is told by the server alone', () => {
    for (const t of ['frozen', 'drawing']) {
      expect(parseMessage(bytes({ t }), '', 'atalaya')).toEqual({ t: 'frozen' });
      for (const sender of ['user:1', 'client:1']) expect(parseMessage(bytes({ t }), sender, 'atalaya')).toBeNull();
    }
  });

  it('shows the picture whole and can be pointed at', () => {
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe() {}
        disconnect() {}
      },
    );
    const host = document.createElement('div');
    document.body.append(host);
    const pointing = new Pointing(
      () => undefined,
      () => undefined,
    );
    const board = new FrozenBoard('m1', 'blob:1');
    act(() =>
      render(<FrozenPicture board={board} label="Imagen" pointing={pointing} onScale={() => undefined} />, host),
    );
    expect(host.querySelector('img')?.getAttribute('src')).toBe('blob:1');
    expect(host.querySelector('canvas.at-sheet')).not.toBeNull();
    expect(pointing.picture).not.toBeNull();
    act(() => render(null, host));
    expect(pointing.picture).toBeNull();
    board.dispose();
    host.remove();
  });
});
