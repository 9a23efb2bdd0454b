import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConferenceDetails, Message } from '@/api/types';
import { createEngine } from '@/rtc/engine';
import { FakeRoom } from '@/rtc/testing/fake-room';
import { details, item } from '@/test/conference';
import { answerCalls, logIn, renderPage, seriousFindings, setViewport } from '@/test/render';
import { CallRoom } from './CallRoom';

const CLIENT = 'client:0a1b2c3d';
const CAPS = {
  t: 'caps',
  facing: 'environment',
  torch: true,
  torchOn: false,
  zoom: { min: 1, max: 4, step: 0.1, value: 1 },
  cameras: 2,
  userAgent: { browser: 'Safari', os: 'iOS', model: 'iPhone 15' },
};

const engines: Array<ReturnType<typeof createEngine>> = [];
afterEach(() => {
  for (const engine of engines.splice(0)) engine.dispose();
});

async function openRoom(changes: Partial<ConferenceDetails> = {}) {
  const room = new FakeRoom();
  const engine = createEngine(room, async () => ({ url: 'ws://x', token: 't' }));
  engines.push(engine);
  const client = room.join(CLIENT, 'Carmen');
  const camera = client.publish('camera');
  client.publish('microphone');
  await engine.session.start();
  const media = [item('m1'), item('d1', { type: 'DOCUMENT', originalFileName: 'parte.pdf', thumbnail: null })];
  const view = await renderPage(
    <CallRoom
      engine={engine}
      begin={{ microphone: true, camera: true }}
      details={{ ...details, ...changes }}
      media={media}
      chat={[]}
      arrivedChat={[]}
      Preview={() => null}
    />,
  );
  await screen.findByText('Carmen Ortega Ruiz');
  return { room, engine, client, camera, ...view };
}

describe('CallRoom', () => {
  let asked: ReturnType<typeof answerCalls>;
  beforeEach(async () => {
    setViewport(1440, 900);
    await logIn();
    asked = answerCalls((method, path) => {
      if (path.endsWith('/conference-recording/conf1')) {
        return { status: 503, body: { status: 503, code: 'RECORDING_UNAVAILABLE', detail: 'No se puede grabar.' } };
      }
      if (path.endsWith('/conference-chat/conf1') && method === 'POST') {
        const message = {
          _id: 'k1',
          from: 'user:me',
          name: 'Nuria',
          kind: 'staff',
          text: 'Más cerca',
          at: '2026-11-19T10:50:00Z',
        };
        return { body: { message } };
      }
      if (path.endsWith('/conference-mute/conf1')) return { status: 204 };
      if (path.endsWith('/conference-close/conf1')) return { body: { conference: details.conference } };
      return undefined;
    });
  });

  it('has no serious accessibility findings and shows only controls the phone has', async () => {
    const { room } = await openRoom();
    expect(screen.queryByRole('button', { name: 'Linterna' })).toBeNull();
    act(() => room.receive(CAPS, CLIENT));
    expect(await screen.findByRole('button', { name: 'Linterna' })).toBeDefined();
    expect(screen.getByText('iPhone 15 · cámara trasera')).toBeDefined();
    expect(await seriousFindings()).toEqual([]);
  });

  it('turns microphone and camera on when the client is in', async () => {
    await openRoom();
    await waitFor(() => {
      expect(screen.getByRole('button', { name: 'Micrófono' }).getAttribute('aria-pressed')).toBe('true');
      expect(screen.getByRole('button', { name: 'Cámara' }).getAttribute('aria-pressed')).toBe('true');
    });
  });

  it('sends torch and lens commands to the client', async () => {
    const { room } = await openRoom();
    act(() => room.receive(CAPS, CLIENT));
    await userEvent.click(await screen.findByRole('button', { name: 'Linterna' }));
    await userEvent.click(screen.getByRole('button', { name: 'Girar cámara' }));
    const sent = room.localParticipant.sent.map((one) => one.message);
    expect(sent).toContainEqual({ t: 'torch', on: true });
    expect(sent).toContainEqual({ t: 'camera', facing: 'next' });
  });

  it('takes a picture with the space bar, but not while somebody types, and shows its progress', async () => {
    const { room } = await openRoom();
    const stills = () => room.localParticipant.sent.filter((one) => one.message.t === 'still');
    fireEvent.keyDown(screen.getByPlaceholderText('Escriba a Carmen'), { code: 'Space' });
    expect(stills()).toHaveLength(0);
    fireEvent.keyDown(document.body, { code: 'Space' });
    await waitFor(() => expect(stills()).toHaveLength(1));
    expect(stills()[0]?.message.by).toBe('Nuria Ferrer');
    const id = String(stills()[0]?.message.id);
    act(() => room.receive({ t: 'still-progress', id, state: 'uploading', percent: 43 }, CLIENT));
    expect(await screen.findByText('HD 43 %')).toBeDefined();
    act(() => room.receive({ t: 'still-progress', id, state: 'failed', percent: 43, reason: 'DECLINED' }, CLIENT));
    expect(await screen.findByText('Rechazada')).toBeDefined();
  });

  it('tells why there is no picture; a photo by hand stays possible', async () => {
    const { room, camera } = await openRoom();
    act(() => room.receive({ t: 'problem', reason: 'PHONE_CALL' }, CLIENT));
    expect(await screen.findByText('Carmen tiene una llamada de teléfono')).toBeDefined();
    act(() => room.receive({ t: 'back' }, CLIENT));
    await waitFor(() => expect(screen.queryByText('Carmen tiene una llamada de teléfono')).toBeNull());
    act(() => {
      camera.isMuted = true;
      room.emit('trackMuted');
    });
    expect(await screen.findByText('Carmen está solo con voz')).toBeDefined();
    expect(screen.getByRole('button', { name: /Foto HD/ }).hasAttribute('disabled')).toBe(false);
  });

  it('offers the link again when the client is lost', async () => {
    const { room } = await openRoom();
    act(() => room.part(CLIENT));
    expect(await screen.findByText('Carmen ha perdido la conexión')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Reenviar SMS' })).toBeDefined();
    expect(screen.getByRole('button', { name: /Foto HD/ }).hasAttribute('disabled')).toBe(true);
  });

  // CALL-40
  it('does not say that a client who hung up lost the connection', async () => {
    const gone = {
      _id: 't9',
      seq: 9,
      type: 'DISCONNECTED',
      actor: 'client',
      at: '2026-11-19T10:49:00.000Z',
      data: { reason: 'left' },
    };
    const { room } = await openRoom({ tracks: [...details.tracks, gone] });
    act(() => room.part(CLIENT));
    expect(await screen.findByText('Carmen ha salido de la llamada')).toBeDefined();
  });

  // CASE-40
  it('sends the link again by the channel that was used', async () => {
    const email = {
      _id: 'm1',
      channel: 'email',
      to: 'c•••@example.com',
      createdAt: '2026-11-19T10:39:00.000Z',
    } as Message;
    const { room } = await openRoom({ messages: [email] });
    act(() => room.part(CLIENT));
    await userEvent.click(await screen.findByRole('button', { name: 'Reenviar correo' }));
    expect(asked.at(-1)).toMatchObject({ path: '/api/v1/conference-resend/conf1', body: { channel: 'email' } });
  });

  // CLIENT-42
  it('decides about a device at the door', async () => {
    const waiting = [{ identity: 'client:ffffffff', device: 'iPhone · Safari', since: '2026-11-19T10:49:00.000Z' }];
    await openRoom({ waiting });
    expect(screen.getByRole('alert').textContent).toContain('iPhone · Safari espera con el mismo enlace');
    expect(await seriousFindings()).toEqual([]);
    for (const [name, decision] of [
      ['Admitir a los dos', 'admit'],
      ['Cambiar a este', 'replace'],
      ['No dejar entrar', 'refuse'],
    ] as const) {
      await userEvent.click(screen.getByRole('button', { name }));
      await waitFor(() =>
        expect(asked.at(-1)).toMatchObject({
          path: '/api/v1/conference-admit/conf1',
          body: { identity: 'client:ffffffff', decision },
        }),
      );
    }
  });

  // CALL-42
  it('names the device on each picture and asks only the chosen one for a photo', async () => {
    const { room, client } = await openRoom();
    client.metadata = JSON.stringify({ device: 'Android · Chrome' });
    await act(async () => {
      const other = room.join('client:ffffffff', 'Carmen');
      other.metadata = JSON.stringify({ device: 'iPhone · Safari' });
      other.publish('camera');
      room.emit('trackPublished');
    });
    expect(await screen.findByText('Android · Chrome')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Ver y usar iPhone · Safari' }));
    await userEvent.click(screen.getByRole('button', { name: /Foto HD/ }));
    const stills = room.localParticipant.sent.filter((one) => one.message.t === 'still');
    expect(stills.map((one) => one.to)).toEqual([['client:ffffffff']]);
  });

  // CALL-41
  it('names a muted client on the stage', async () => {
    const { room, client } = await openRoom();
    act(() => {
      for (const one of client.trackPublications.values()) one.isMuted = one.source === 'microphone';
      room.emit('trackMuted');
    });
    expect(await screen.findByText('Carmen tiene el micrófono silenciado: no puede oírle.')).toBeDefined();
  });

  // CALL-49
  it('switches the pointer by its key, but not while somebody types, and lists the keys', async () => {
    const { room } = await openRoom();
    const tool = screen.getByRole('button', { name: /^Señalar/ });
    fireEvent.keyDown(screen.getByPlaceholderText('Escriba a Carmen'), { key: 'p' });
    expect(tool.getAttribute('aria-pressed')).toBe('false');
    fireEvent.keyDown(document.body, { key: 'P' });
    expect(tool.getAttribute('aria-pressed')).toBe('true');
    expect(await seriousFindings()).toEqual([]);
    fireEvent.keyDown(document.body, { key: 'Escape' });
    expect(tool.getAttribute('aria-pressed')).toBe('false');
    fireEvent.keyDown(document.body, { key: '?' });
    expect(await screen.findByRole('dialog', { name: 'Teclas de la llamada' })).toBeDefined();
    fireEvent.keyDown(document.body, { key: 'p' });
    expect(tool.getAttribute('aria-pressed')).toBe('false');
    // Without a picture there is nothing to point at.
    act(() => room.receive({ t: 'problem', reason: 'PHONE_CALL' }, CLIENT));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Señalar/ })).toBeNull());
  });

  // CALL-46, CALL-47
  it('points at the picture on the stage, and shows who of the others does', async () => {
    const { room } = await openRoom();
    const video = screen.getByLabelText('Imagen de Carmen Ortega Ruiz');
    const frame = document.querySelector('[data-zoomed]') as HTMLElement;
    Object.defineProperties(video, { videoWidth: { value: 640 }, videoHeight: { value: 480 } });
    Object.defineProperties(frame, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
    frame.getBoundingClientRect = () => new DOMRect(0, 0, 800, 600);
    fireEvent.keyDown(document.body, { key: 'p' });
    fireEvent.pointerMove(frame, { pointerId: 1, pointerType: 'mouse', clientX: 200, clientY: 300 });
    expect(room.localParticipant.lossy).toEqual([{ t: 'point', of: CLIENT, x: 0.25, y: 0.5, aspect: 1.3333 }]);
    const pointAt = (of: string) => {
      const bytes = new TextEncoder().encode(JSON.stringify({ t: 'point', of, x: 0.5, y: 0.5, aspect: 1.3333 }));
      act(() => room.emit('dataReceived', bytes, { identity: CLIENT }, 1, 'atalaya.point'));
    };
    pointAt('client:ffffffff');
    expect(screen.queryByText('Carmen señala en la imagen')).toBeNull();
    pointAt(CLIENT);
    expect(await screen.findByText('Carmen señala en la imagen')).toBeDefined();
  });

  // CALL-48
  it('says how far the picture is enlarged, and shows it whole again', async () => {
    await openRoom();
    const video = screen.getByLabelText('Imagen de Carmen Ortega Ruiz');
    const frame = document.querySelector('[data-zoomed]') as HTMLElement;
    Object.defineProperties(video, { videoWidth: { value: 640 }, videoHeight: { value: 480 } });
    Object.defineProperties(frame, { clientWidth: { value: 800 }, clientHeight: { value: 600 } });
    for (const _ of [1, 2, 3]) fireEvent.keyDown(document.body, { key: '+' });
    await userEvent.click(await screen.findByRole('button', { name: '×2,0: ver la imagen entera' }));
    expect(screen.queryByRole('button', { name: /ver la imagen entera/ })).toBeNull();
  });

  // CALL-44
  it('keeps the space bar for the picture after a click on the dock', async () => {
    const { room } = await openRoom();
    const microphone = screen.getByRole('button', { name: 'Micrófono' });
    await waitFor(() => expect(microphone.getAttribute('aria-pressed')).toBe('true'));
    await userEvent.click(microphone);
    await waitFor(() => expect(microphone.getAttribute('aria-pressed')).toBe('false'));
    await userEvent.keyboard(' ');
    await waitFor(() => expect(room.localParticipant.sent.filter((one) => one.message.t === 'still')).toHaveLength(1));
    expect(microphone.getAttribute('aria-pressed')).toBe('false');
  });

  it('says that we are reconnecting and that sound is blocked', async () => {
    const { room } = await openRoom();
    act(() => {
      room.emit('signalReconnecting');
      room.canPlaybackAudio = false;
      room.emit('audioPlaybackChanged');
    });
    expect(await screen.findByText(/Reconectando; su sitio está reservado/)).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Activar sonido' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Activar sonido' })).toBeNull());
  });

  it('tells a refused recording by its code, and hides the button where nothing can record', async () => {
    await openRoom();
    await userEvent.click(screen.getByRole('button', { name: 'Grabar' }));
    expect(await screen.findByText('No se ha podido cambiar la grabación')).toBeDefined();
    expect(asked.some((one) => one.path.includes('conference-recording'))).toBe(true);
  });

  it('has no recording button without the capability', async () => {
    await openRoom({ capabilities: { recording: false, engine: 'livekit' } });
    expect(screen.queryByRole('button', { name: 'Grabar' })).toBeNull();
  });

  it('pauses and stops what is recording', async () => {
    await openRoom({
      recording: { state: 'recording', recordingId: 'r', startedAt: null, elapsedMs: 320_000, by: 'user:me' },
    });
    expect(screen.getByText('05:20')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Pausar la grabación' }));
    expect(asked.at(-1)?.body).toEqual({ action: 'pause' });
  });

  it('sends a quick phrase', async () => {
    await openRoom();
    await userEvent.click(screen.getByRole('button', { name: 'Más cerca' }));
    await waitFor(() =>
      expect(asked.find((one) => one.path.includes('conference-chat'))?.body).toEqual({
        text: 'Más cerca',
        phrase: 'closer',
      }),
    );
  });

  it('shows case, people and history, and mutes the client through the server', async () => {
    await openRoom();
    await userEvent.click(screen.getByRole('tab', { name: 'Caso' }));
    expect(screen.getByText('Permiso denegado: ubicación')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Silenciar a Carmen Ortega Ruiz' }));
    expect(asked.at(-1)).toMatchObject({
      path: '/api/v1/conference-mute/conf1',
      body: { identity: CLIENT, trackSid: `TR_${CLIENT}_microphone`, muted: true },
    });
  });

  // CALL-64
  it('mutes everybody else by S and by the button, but not while somebody types', async () => {
    const { room } = await openRoom();
    const muted = () => asked.filter((one) => one.path === '/api/v1/conference-mute/conf1').map((one) => one.body);
    await userEvent.click(screen.getByRole('tab', { name: 'Caso' }));
    expect(screen.queryByRole('button', { name: 'Silenciar a todos' })).toBeNull();
    act(() => {
      room.join('user:u9', 'Pau').publish('microphone');
      room.emit('trackPublished');
    });
    const both = [CLIENT, 'user:u9'].map((identity) => ({
      identity,
      trackSid: `TR_${identity}_microphone`,
      muted: true,
    }));
    await userEvent.click(await screen.findByRole('button', { name: 'Silenciar a todos' }));
    await waitFor(() => expect(muted()).toEqual(both));
    expect(await screen.findByText('Todos los demás están en silencio')).toBeDefined();
    fireEvent.keyDown(screen.getByPlaceholderText('Escriba a Carmen'), { key: 's' });
    fireEvent.keyDown(document.body, { key: 's', ctrlKey: true });
    expect(muted()).toHaveLength(2);
    fireEvent.keyDown(document.body, { key: 's' });
    await waitFor(() => expect(muted()).toEqual([...both, ...both]));
  });

  // CALL-64
  it.each([
    [503, 'ENGINE_UNAVAILABLE', 'No se ha podido silenciar'],
    [404, 'PARTICIPANT_NOT_FOUND', 'Todos los demás están en silencio'],
  ])('answers %i %s to muting everybody with "%s"', async (status, code, title) => {
    await openRoom();
    answerCalls((_, path) =>
      path.endsWith('/conference-mute/conf1') ? { status, body: { status, code, detail: 'No.' } } : undefined,
    );
    fireEvent.keyDown(document.body, { key: 's' });
    expect(await screen.findByText(title)).toBeDefined();
  });

  it('asks before hanging up and ends the conference on the server', async () => {
    const { router } = await openRoom();
    await userEvent.click(screen.getByRole('button', { name: 'Colgar' }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Terminar conferencia' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/conference-media/conf1'));
    expect(asked.some((one) => one.path === '/api/v1/conference-close/conf1')).toBe(true);
  });
});
