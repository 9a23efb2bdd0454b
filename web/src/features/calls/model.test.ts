// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Message, PermissionDetail } from '@/api/types';
import type { ParticipantView, People } from '@/rtc';
import { FakeTrack } from '@/rtc/testing/fake-room';
import { TRACK_TYPES } from '@/shared/lib/tracks';
import { details, item } from '@/test/conference';
import en from '../../../../locales/en/call.json';
import es from '../../../../locales/es/call.json';
import {
  allPositions,
  clientGone,
  connectedAt,
  inOrder,
  linkChannel,
  mergeById,
  metresFrom,
  recordedMs,
  roundLength,
  zoomText,
} from './model';
import { KNOWN_PROBLEMS, KNOWN_STILL_FAILURES } from './problems';
import { silence, stageState } from './stage';

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
    const facts = { people: nobody, client: fine, progress: details.progress, gone: 'lost' as const };
    expect(stageState({ ...facts, status: connected })).toEqual({ kind: 'clientGone', why: 'lost' });
    expect(stageState({ ...facts, gone: 'left', status: connected })).toEqual({ kind: 'clientGone', why: 'left' });
    expect(stageState({ ...facts, status: { name: 'reconnecting', since: 0, attempt: 1 } })).toBeNull();
  });

  const track = (muted: boolean) => ({ sid: 'TR', muted, track: new FakeTrack('audio') });
  const withClient = (changes: Partial<ParticipantView>, detail?: Partial<PermissionDetail>) => {
    const client: ParticipantView = {
      identity: 'client:1',
      name: '',
      device: null,
      kind: 'client',
      speaking: false,
      quality: 'good',
      camera: null,
      microphone: null,
      screen: null,
      screenAudio: null,
      ...changes,
    };
    const people: People = { me: null, others: [client], client };
    const granted = { camera: 'granted', microphone: 'granted', geolocation: 'granted', ...detail } as const;
    const steps = details.progress.steps.map((one) =>
      one.step === 'permissions' ? { ...one, detail: { ...granted } } : one,
    );
    return {
      status: connected,
      people,
      client: fine,
      progress: { steps, current: 'connected' as const },
      gone: 'lost' as const,
    };
  };

  it('gives the reason of a refused camera', () => {
    const facts = withClient({ microphone: track(false) }, { camera: 'denied' });
    expect(stageState(facts)).toEqual({ kind: 'noPicture', reason: 'CAMERA_DENIED', hearing: 'on' });
  });

  // CALL-41
  it('never says that somebody talks whose microphone is off or refused', () => {
    const none = withClient({}, { camera: 'denied', microphone: 'denied' });
    expect(stageState(none)).toMatchObject({ kind: 'noPicture', hearing: 'none' });
    const muted = withClient({ microphone: track(true) }, { camera: 'denied' });
    expect(stageState(muted)).toMatchObject({ kind: 'noPicture', hearing: 'off' });
    const paused = { ...muted, client: { ...fine, videoPaused: true } };
    expect(stageState(paused)).toEqual({ kind: 'paused', hearing: 'off' });
  });

  // CALL-41
  it('names a muted client beside the picture', () => {
    const live = { camera: track(false) };
    expect(silence(withClient({ ...live, microphone: track(false) }))).toBeNull();
    expect(silence(withClient({ ...live, microphone: track(true) }))).toBe('off');
    expect(silence(withClient(live, { microphone: 'denied' }))).toBe('none');
    expect(silence(withClient(live)), 'it is about to be published').toBeNull();
  });

  // EVID-31
  it('does not call an unanswered question a refusal', () => {
    const facts = withClient({ microphone: track(false) }, { camera: 'unanswered' });
    expect(stageState(facts)).toMatchObject({ reason: 'PERMISSION_NO_ANSWER' });
    const later = withClient({}, { camera: 'denied', microphone: 'unanswered' });
    expect(stageState(later), 'the phone asks now').toMatchObject({ reason: 'PERMISSION_NO_ANSWER', hearing: 'none' });
  });
});

describe('the way back into the call', () => {
  const message = (channel: string, createdAt: string) => ({ channel, createdAt }) as Message;
  const gone = (reason?: string) => [
    { _id: '1', seq: 1, type: 'CONNECTED', actor: 'client', at: '', data: {} },
    { _id: '2', seq: 2, type: 'DISCONNECTED', actor: 'client', at: '', data: { reason } },
  ];

  // CALL-40
  it('knows who hung up from who lost the connection', () => {
    expect(clientGone(gone('left'))).toBe('left');
    expect(clientGone(gone('lost'))).toBe('lost');
    expect(clientGone(gone())).toBe('lost');
    expect(clientGone([])).toBe('lost');
  });

  // CASE-40
  it('is sent again by the channel that was used last', () => {
    expect(linkChannel([])).toBe('sms');
    expect(linkChannel([message('email', '2026-11-24T10:01:00Z'), message('sms', '2026-11-24T10:00:00Z')])).toBe(
      'email',
    );
  });
});
