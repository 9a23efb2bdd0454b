import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Outcomes, report, runChecks, tried } from './checks';
import { relay, sendResult, spokenCode } from './relay';

afterEach(() => vi.unstubAllGlobals());

const stub = (change: object) => vi.stubGlobal('navigator', { userAgent: 'Mozilla/5.0', maxTouchPoints: 5, ...change });

// CLIENT-59
describe('the check of a phone', () => {
  it('makes errors and long waits outcomes', async () => {
    const named = Object.assign(new Error('no'), { name: 'NotAllowedError' });
    expect(await tried(() => Promise.reject(named))).toEqual({ ok: false, detail: 'NotAllowedError' });
    expect(await tried(() => new Promise(() => undefined), 5)).toEqual({ ok: false, detail: 'timeout' });
  });

  it('goes on to the end on a phone that refuses everything', async () => {
    stub({ mediaDevices: undefined, wakeLock: undefined, storage: undefined });
    vi.stubGlobal('RTCPeerConnection', undefined);
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('offline')));
    const found = await runChecks(() => undefined);
    const refused = (['camera', 'microphone', 'screen', 'path', 'relay', 'server'] as const).map(
      (check) => found[check]?.ok,
    );
    expect(refused).toEqual([false, false, false, false, false, false]);
  });

  it('opens camera and microphone, measures, and closes them', async () => {
    const stopped: string[] = [];
    const track = (kind: string) => ({
      stop: () => stopped.push(kind),
      getSettings: () => ({ width: 1280, height: 720, frameRate: 24, deviceId: 'secret' }),
      getCapabilities: () => ({ torch: true }),
    });
    const getUserMedia = async ({ video }: MediaStreamConstraints) => {
      const tracks = [track(video ? 'video' : 'audio')];
      return { getTracks: () => tracks, getVideoTracks: () => tracks };
    };
    stub({ mediaDevices: { getUserMedia } });
    vi.stubGlobal('fetch', async () => new Response('x'.repeat(1000)));
    const steps: Outcomes[] = [];
    const found = await runChecks((outcomes) => steps.push(outcomes));
    expect(stopped).toEqual(['video', 'audio']);
    expect(found.size).toEqual({ ok: true, detail: '1280 × 720 · 24 Hz' });
    expect(found.torch?.ok).toBe(true);
    expect(found.server?.detail).toMatch(/^\d+ ms · ≥ \d+ kbit\/s$/);
    expect(steps.length).toBeGreaterThan(3);
    expect(JSON.stringify(found), 'no identifier of the device leaves').not.toContain('secret');
  });

  it('is reported in lines, without what was not tried', () => {
    const outcomes: Outcomes = { torch: { ok: false, detail: '' }, browser: { ok: true, detail: 'iPhone · Safari' } };
    expect(report(outcomes, (key) => key)).toBe('browser: yes · iPhone · Safari\ntorch: no');
  });
});

/** A browser that reaches only some of the relay's ways. */
function relayBrowser(reached: RegExp) {
  return class {
    onicecandidate: ((event: { candidate: object | null }) => void) | null = null;
    constructor(private readonly config: RTCConfiguration) {}
    createDataChannel() {}
    createOffer = async () => ({});
    close() {}
    setLocalDescription = async () => {
      expect(this.config.iceTransportPolicy, 'nothing but the relay').toBe('relay');
      const urls = [this.config.iceServers?.[0]?.urls ?? []].flat();
      if (urls.some((url) => reached.test(url))) this.onicecandidate?.({ candidate: { type: 'relay', candidate: '' } });
      this.onicecandidate?.({ candidate: null });
    };
  };
}

const offered = (body: object) => vi.stubGlobal('fetch', async () => new Response(JSON.stringify(body)));
const URLS = ['turn:192.0.2.2:7882?transport=tcp', 'turns:atalaya.example:443?transport=tcp'];

// TURN-11
describe('the relay', () => {
  it('is tried by each way, and those that answer are named', async () => {
    offered({ relay: { urls: URLS, username: 'u', credential: 'c' }, reason: null });
    vi.stubGlobal('RTCPeerConnection', relayBrowser(/^turns:/));
    expect(await relay()).toEqual({ ok: true, detail: 'TLS' });
    vi.stubGlobal('RTCPeerConnection', relayBrowser(/^turn/));
    expect(await relay()).toEqual({ ok: true, detail: 'TCP · TLS' });
    vi.stubGlobal('RTCPeerConnection', relayBrowser(/^none/));
    expect(await relay()).toEqual({ ok: false, detail: 'timeout' });
  });

  it('that is not there says why', async () => {
    offered({ relay: null, reason: 'elsewhere' });
    expect(await relay()).toEqual({ ok: false, detail: 'elsewhere' });
  });
});

// CLIENT-60
it('sends the outcomes, short, and shows the code in groups', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)));
    return new Response(JSON.stringify({ code: '12345678', keptUntil: '2026-12-28T10:00:00Z' }));
  });
  const { code } = await sendResult({ torch: { ok: false, detail: 'x'.repeat(200) } });
  expect(sent).toEqual([{ outcomes: [{ check: 'torch', ok: false, detail: 'x'.repeat(80) }] }]);
  expect(spokenCode(code)).toBe('1234 5678');
  vi.stubGlobal('fetch', async () => new Response(null, { status: 429 }));
  await expect(sendResult({})).rejects.toThrow('429');
});
