// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { People } from '@/rtc';
import { TRACK_TYPES } from '@/shared/lib/tracks';
import en from '../../../../locales/en/call.json';
import es from '../../../../locales/es/call.json';
import { allPositions, connectedAt, inOrder, mergeById, metresFrom, recordedMs, roundLength, zoomText } from './model';
import { KNOWN_PROBLEMS, KNOWN_STILL_FAILURES } from './problems';
import { stageState } from './stage';
import { details, item } from './testing/data';

describe('texts', () => {
  it.each([
    ['es', es as Record<string, string>],
    ['en', en as Record<string, string>],
  ])('%s has one for every code that can come', (_language, texts) => {
    const keys = [
      ...TRACK_TYPES.map((type) => `track_${type.toLowerCase()}`),
      ...KNOWN_PROBLEMS.flatMap((code) => [`problem_${code.toLowerCase()}`, `problem_${code.toLowerCase()}_text`]),
      ...KNOWN_STILL_FAILURES.map((code) => `still_${code.toLowerCase()}`),
      ...['closed', 'left', 'removed', 'duplicate', 'lost', 'refused'].flatMap((one) => [
        `over_${one}`,
        `over_${one}_text`,
      ]),
    ];
    expect(keys.filter((key) => !texts[key])).toEqual([]);
  });

  it('has the same keys and placeholders in both languages', () => {
    const shape = (texts: Record<string, string>) =>
      Object.entries(texts).map(([key, text]) => `${key} ${(text.match(/\{\w+\}/g) ?? []).sort().join()}`);
    expect(shape(en).sort()).toEqual(shape(es).sort());
  });
});

describe('model', () => {
  it('runs the recording clock only while it records', () => {
    expect(recordedMs({ state: 'recording', elapsedMs: 1_000 }, 10_000, 14_000)).toBe(5_000);
    expect(recordedMs({ state: 'paused', elapsedMs: 1_000 }, 10_000, 14_000)).toBe(1_000);
    expect(recordedMs({ state: 'recording', elapsedMs: 1_000 }, 10_000, 9_000)).toBe(1_000);
  });

  it('counts from the client’s first connection', () => {
    expect(connectedAt(details)).toBe(Date.parse('2026-11-19T10:41:00.000Z'));
    const steps = details.progress.steps.map((one) => ({ ...one, at: null, state: 'active' as const }));
    expect(connectedAt({ progress: { steps, current: 'connected' } })).toBeNull();
    const gone = details.progress.steps.map((one) => ({ ...one, state: 'active' as const }));
    expect(connectedAt({ progress: { steps: gone, current: 'connected' } })).not.toBeNull();
  });

  it('keeps numbers of pictures when a later one arrives', () => {
    const early = item('a', { capturedAt: '2026-11-19T10:00:00Z' });
    const late = item('b', { capturedAt: '2026-11-19T11:00:00Z' });
    expect(inOrder([late, early]).map((one) => one._id)).toEqual(['a', 'b']);
    expect(mergeById([early], { ...early, size: 1 })).toHaveLength(1);
  });

  it('joins recorded and heard positions, each once, and skips broken ones', () => {
    const at = '2026-11-19T10:40:00.000Z';
    const fix = { latitude: 39.68, longitude: -0.27, accuracy: 8, at };
    const track = (data: Record<string, unknown> | null) => ({
      _id: 't',
      seq: 1,
      type: 'GEO_FIX',
      actor: 'client',
      at,
      data,
    });
    const recorded = { position: '39.680000,-0.270000', accuracyM: 8, fixAt: at };
    const all = allPositions([track(recorded), track(null), track({ position: 'x' }), track({ accuracyM: 3 })], [fix]);
    expect(all).toEqual([fix]);
  });

  it('measures on the ground', () => {
    const here = { latitude: 40, longitude: -3 };
    expect(metresFrom(here, { latitude: 40.001, longitude: -3 }).north).toBeCloseTo(111.3, 1);
    expect(metresFrom(here, { latitude: 40, longitude: -2.999 }).east).toBeCloseTo(85.3, 1);
    expect([0.3, 7, 30, 64, 250, 0].map(roundLength)).toEqual([0.2, 5, 20, 50, 200, 1]);
  });

  it('writes zoom with the comma of the language', () => {
    expect(zoomText(2.5, 'es')).toBe('2,5×');
  });
});

describe('stageState', () => {
  const nobody: People = { me: null, others: [], client: null };
  const connected = { name: 'connected', since: 0 } as const;
  const fine = { problem: null, videoPaused: false };

  it('keeps quiet during our own cut and tells of a lost client otherwise', () => {
    const facts = { people: nobody, client: fine, progress: details.progress };
    expect(stageState({ ...facts, status: connected })).toEqual({ kind: 'clientLost' });
    expect(stageState({ ...facts, status: { name: 'reconnecting', since: 0, attempt: 1 } })).toBeNull();
  });

  it('gives the reason of a refused camera', () => {
    const client = {
      identity: 'client:1',
      name: '',
      kind: 'client' as const,
      speaking: false,
      quality: 'good' as const,
      camera: null,
      microphone: null,
      screen: null,
      screenAudio: null,
    };
    const people: People = { me: null, others: [client], client };
    const steps = details.progress.steps.map((one) =>
      one.step === 'permissions'
        ? {
            ...one,
            detail: { camera: 'denied' as const, microphone: 'granted' as const, geolocation: 'granted' as const },
          }
        : one,
    );
    const state = stageState({ status: connected, people, client: fine, progress: { steps, current: 'connected' } });
    expect(state).toEqual({ kind: 'voiceOnly', reason: 'CAMERA_DENIED' });
  });
});
