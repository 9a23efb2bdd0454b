import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Outcomes, report, runChecks, tried } from './checks';

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
    const refused = (['camera', 'microphone', 'screen', 'path', 'server'] as const).map((check) => found[check]?.ok);
    expect(refused).toEqual([false, false, false, false, false]);
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
