import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Stat } from '../../src/rtc/path/diagnosis';
import { Connection, failureKey } from './connection';
import { EMPTY, type View } from './view';

const relayed: Stat[] = [
  { id: 'P', type: 'candidate-pair', nominated: true, state: 'succeeded', localCandidateId: 'L' },
  { id: 'L', type: 'local-candidate', candidateType: 'relay', protocol: 'udp', relayProtocol: 'tls' },
  { id: 'O', type: 'outbound-rtp', bytesSent: 700 },
];

function setup() {
  const sent: { t: string }[] = [];
  const posted: { url: string; key: string | null; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    posted.push({ url, key: new Headers(init.headers).get('x-client-key'), body: JSON.parse(String(init.body)) });
    return new Response(null, { status: 204 });
  });
  const state: { view: View } = { view: { ...EMPTY, link: 'live' } };
  const room = {
    path: async () => ({ ice: 'connected' as const, stats: relayed, due: true }),
    send: (message: { t: string }) => sent.push(message),
  };
  const connection = new Connection(
    { hash: 'h', clientKey: 'k' },
    room as never,
    () => state.view,
    (change) => {
      state.view = { ...state.view, ...change };
    },
  );
  return { connection, sent, posted, state };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

// CALL-61, CALL-63
describe('the connection of the phone', () => {
  it('is told to the adjuster and the server, and shown only when something fails', async () => {
    const { connection, sent, posted, state } = setup();
    const stop = connection.start();
    await vi.advanceTimersByTimeAsync(16_000);
    stop();
    // The bytes stand still: the way is open, and nothing flows.
    expect(sent.at(-1)).toEqual({ t: 'path', way: 'relay-tls', failed: ['udp', 'tcp', 'media'] });
    expect(posted[0]).toMatchObject({ url: '/api/v1/external/h/connection', key: 'k' });
    expect(posted[0]?.body).toMatchObject({ way: 'relay-tls', failed: ['udp', 'tcp', 'media'] });
    expect(posted).toHaveLength(1);
    expect(state.view.failing).toBe('media');
    expect(failureKey(state.view.failing)).toBe('call_no_media');
  });

  it('that never comes about is told as well', async () => {
    const { connection, posted, state } = setup();
    connection.nothingPasses();
    await vi.advanceTimersByTimeAsync(0);
    expect(posted[0]?.body).toMatchObject({ way: null, failed: ['udp', 'tcp', 'relay'] });
    expect(failureKey(state.view.failing)).toBe('call_no_path');
  });

  it('names nothing that the screen says elsewhere', () => {
    for (const one of ['camera', 'microphone', 'server', null] as const) expect(failureKey(one)).toBeNull();
  });
});
