import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Mark } from '@/rtc';
import { createEngine } from '@/rtc/engine';
import { FakeRoom } from '@/rtc/testing/fake-room';
import { details, item } from '@/test/conference';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import { CallRoom } from '../components/CallRoom';

const CLIENT = 'client:0a1b2c3d';
const COLLEAGUE = 'user:77';

const engines: Array<ReturnType<typeof createEngine>> = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose();
});

let frozen: { mediaId: string; by: string; at: string } | null;
let marks: Map<string, Mark>;
let revision: number;
let refuse: boolean;
let asked: ReturnType<typeof answerCalls>;
beforeEach(async () => {
  setViewport(1440, 900);
  await logIn();
  [frozen, marks, revision, refuse] = [null, new Map(), 0, false];
  const drawing = () => ({
    mediaId: 'm1',
    revision,
    marks: [...marks.values()],
    sha256: null,
    url: null,
    by: null,
    at: null,
  });
  asked = answerCalls((method, path, body) => {
    if (path.endsWith('/conference-drawings/conf1'))
      return { body: { frozen, drawings: revision > 0 ? [drawing()] : [] } };
    if (method === 'PUT' && path.endsWith('/conference-frozen/conf1')) {
      const { mediaId } = body as { mediaId: string | null };
      frozen = mediaId === null ? null : { mediaId, by: 'user:me', at: '2026-11-19T10:50:00Z' };
      return { body: { frozen } };
    }
    if (method === 'PUT' && path.endsWith('/media-drawing/m1')) {
      if (refuse) return { status: 422, body: { status: 422, code: 'INVALID_FIELDS', detail: 'Revise los datos.' } };
      const change = (body as { drawing: { add: Mark[]; remove: string[] } }).drawing;
      for (const id of change.remove) marks.delete(id);
      for (const mark of change.add) marks.set(mark.id, mark);
      revision += 1;
      return { body: { drawing: drawing() } };
    }
    return undefined;
  });
});

async function openRoom() {
  const room = new FakeRoom();
  const engine = createEngine(room, async () => ({ url: 'ws://x', token: 't' }));
  engines.push(engine);
  room.join(CLIENT, 'Carmen').publish('camera');
  room.join(COLLEAGUE, 'Jordi');
  await engine.session.start();
  await renderPage(
    <CallRoom
      engine={engine}
      begin={{ microphone: true, camera: true }}
      details={details}
      media={[item('m1')]}
      chat={[]}
      arrivedChat={[]}
      Preview={() => null}
    />,
  );
  await screen.findByText('Carmen Ortega Ruiz');
  return room;
}

/** The frozen picture, 4 : 3, 800 × 600 px on the screen. */
async function picture(): Promise<HTMLElement> {
  const still = await screen.findByAltText('Imagen congelada de Carmen');
  const frame = still.parentElement?.parentElement as HTMLElement;
  Object.defineProperties(still, { naturalWidth: { value: 4000 }, naturalHeight: { value: 3000 } });
  Object.defineProperties(frame, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
  frame.getBoundingClientRect = () => new DOMRect(0, 0, 800, 600);
  frame.setPointerCapture = () => undefined;
  return frame;
}

function drag(frame: HTMLElement, ...places: [number, number][]) {
  const at = ([clientX, clientY]: [number, number]) => ({
    pointerId: 1,
    pointerType: 'mouse',
    button: 0,
    clientX,
    clientY,
  });
  const [first, ...rest] = places;
  if (!first) return;
  fireEvent.pointerDown(frame, at(first));
  for (const place of rest) fireEvent.pointerMove(frame, at(place));
  fireEvent.pointerUp(frame, at(places.at(-1) ?? first));
}

const press = (key: string, held = {}) => fireEvent.keyDown(document.body, { key, ...held });
const stored = () => [...marks.values()];

// DRAW-1
describe('freezing', () => {
  it('takes a photo, freezes both sides at it, and lets the picture live again', async () => {
    const room = await openRoom();
    await userEvent.click(screen.getByRole('button', { name: /^Congelar/ }));
    const still = room.localParticipant.sent.find((one) => one.message.t === 'still');
    expect(still?.to).toEqual([CLIENT]);
    expect(screen.getByText('Congelando: llega la foto HD…')).toBeDefined();
    expect(screen.getByRole('button', { name: /^Congelar/ }).hasAttribute('disabled')).toBe(true);
    const id = String(still?.message.id);
    act(() => room.receive({ t: 'still-progress', id, state: 'done', percent: 100, mediaId: 'm1' }, CLIENT));
    expect(await screen.findByText('Imagen congelada: Carmen ve lo mismo que usted.')).toBeDefined();
    expect(screen.getByAltText('Imagen congelada de Carmen')).toBeDefined();
    expect(screen.queryByLabelText('Imagen de Carmen Ortega Ruiz')).toBeNull();
    expect(await seriousFindings()).toEqual([]);
    press('f');
    expect(await screen.findByLabelText('Imagen de Carmen Ortega Ruiz')).toBeDefined();
    expect(frozen).toBeNull();
  });

  it('says why when the phone takes no photo', async () => {
    const room = await openRoom();
    press('f');
    await waitFor(() => expect(room.localParticipant.sent.some((one) => one.message.t === 'still')).toBe(true));
    const id = String(room.localParticipant.sent.find((one) => one.message.t === 'still')?.message.id);
    act(() => room.receive({ t: 'still-progress', id, state: 'failed', percent: 0, reason: 'DECLINED' }, CLIENT));
    expect(await screen.findByText('No se ha podido congelar la imagen')).toBeDefined();
    expect(screen.getByRole('button', { name: /^Congelar/ }).hasAttribute('disabled')).toBe(false);
    expect(asked.some((one) => one.path.includes('conference-frozen'))).toBe(false);
  });
});

// DRAW-3, DRAW-6
describe('drawing', () => {
  beforeEach(() => {
    frozen = { mediaId: 'm1', by: 'user:me', at: '2026-11-19T10:50:00Z' };
  });

  it('draws with each tool by its key, undoes and redoes', async () => {
    const room = await openRoom();
    const frame = await picture();
    press('d');
    expect(await screen.findByRole('toolbar', { name: 'Herramientas de dibujo' })).toBeDefined();
    expect(await seriousFindings()).toEqual([]);
    drag(frame, [80, 60], [160, 60], [400, 60]);
    press('a');
    press('c');
    drag(frame, [0, 0], [400, 300]);
    press('e');
    drag(frame, [200, 150], [400, 450]);
    press('n');
    drag(frame, [400, 300]);
    drag(frame, [600, 300]);
    await waitFor(() => expect(stored().length).toBe(5));
    expect(stored().map(({ kind, tone, points, number }) => [kind, tone, points, number])).toEqual([
      ['pen', 1, [0.1, 0.1, 0.5, 0.1], undefined],
      ['arrow', 2, [0, 0, 0.5, 0.5], undefined],
      ['ellipse', 2, [0.25, 0.25, 0.5, 0.75], undefined],
      ['number', 2, [0.5, 0.5], 1],
      ['number', 2, [0.75, 0.5], 2],
    ]);
    expect(room.localParticipant.drawn.length).toBeGreaterThanOrEqual(5);
    press('z', { ctrlKey: true });
    await waitFor(() => expect(stored().length).toBe(4));
    expect(room.localParticipant.drawn.at(-1)).toMatchObject({ of: 'm1', erase: [expect.any(String)] });
    press('z', { ctrlKey: true, shiftKey: true });
    await waitFor(() => expect(stored().length).toBe(5));
    await userEvent.click(screen.getByRole('button', { name: 'Borrar todo' }));
    await waitFor(() => expect(stored().length).toBe(0));
    press('Escape');
    await waitFor(() => expect(screen.queryByRole('toolbar', { name: 'Herramientas de dibujo' })).toBeNull());
    // Without a tool a drag draws nothing.
    drag(frame, [0, 0], [400, 300]);
    expect(stored().length).toBe(0);
  });

  it('puts a text where it was pressed; its letters are no keys', async () => {
    await openRoom();
    const frame = await picture();
    press('d');
    await screen.findByRole('toolbar', { name: 'Herramientas de dibujo' });
    press('t');
    drag(frame, [200, 150]);
    const field = await screen.findByRole('textbox', { name: 'Texto de la marca' });
    await userEvent.type(field, 'Fecha <b>{Enter}');
    await waitFor(() => expect(stored()).toMatchObject([{ kind: 'text', points: [0.25, 0.25], text: 'Fecha <b>' }]));
    expect(screen.getByRole('button', { name: 'Texto' }).getAttribute('aria-pressed')).toBe('true');
  });

  it('shows what a colleague draws, and takes nothing from the client', async () => {
    const room = await openRoom();
    await picture();
    press('d');
    await screen.findByRole('toolbar', { name: 'Herramientas de dibujo' });
    const clear = screen.getByRole('button', { name: 'Borrar todo' });
    const mark = { id: 'aaaaaaaa', kind: 'arrow', tone: 1, points: [0, 0, 1, 1] };
    const send = (from: string) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ of: 'm1', mark }));
      act(() => room.emit('dataReceived', bytes, { identity: from }, 0, 'atalaya.draw'));
    };
    send(CLIENT);
    send('user:nobody');
    expect(clear.hasAttribute('disabled')).toBe(true);
    send(COLLEAGUE);
    await waitFor(() => expect(clear.hasAttribute('disabled')).toBe(false));
  });

  it('says that a drawing could not be saved, and takes it off', async () => {
    await openRoom();
    const frame = await picture();
    press('d');
    await screen.findByRole('toolbar', { name: 'Herramientas de dibujo' });
    refuse = true;
    drag(frame, [80, 60], [400, 60]);
    expect(await screen.findByText('No se ha podido guardar el dibujo')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Borrar todo' }).hasAttribute('disabled')).toBe(true);
  });

  it('lays the pointer down and is laid down by it', async () => {
    await openRoom();
    await picture();
    const [point, draw] = [
      screen.getByRole('button', { name: /^Señalar/ }),
      screen.getByRole('button', { name: /^Dibujar/ }),
    ];
    press('p');
    await waitFor(() => expect(point.getAttribute('aria-pressed')).toBe('true'));
    press('d');
    await waitFor(() => expect(draw.getAttribute('aria-pressed')).toBe('true'));
    expect(point.getAttribute('aria-pressed')).toBe('false');
    press('p');
    await waitFor(() => expect(draw.getAttribute('aria-pressed')).toBe('false'));
    expect(point.getAttribute('aria-pressed')).toBe('true');
  });
});
