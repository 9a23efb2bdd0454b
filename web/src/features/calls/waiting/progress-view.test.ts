// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import type { Track } from '@/api/types';
import { bundle } from '@/test/texts';
import { waitingDetails } from '@/test/waiting';
import {
  acceptedLegal,
  clientDevice,
  clientPlatform,
  permissionsIn,
  REASONS,
  reasonOf,
  secondsBetween,
  stepViews,
  waitingSince,
} from './progress-view';

const track = (type: string, data: Record<string, unknown>): Track => ({
  _id: type,
  seq: 1,
  type,
  actor: 'client',
  at: '2026-11-05T11:40:00Z',
  data,
});

describe('progress as shown', () => {
  it('opens the failed step with its reason and at most five ways out', () => {
    for (const reason of REASONS) {
      const details = waitingDetails({ permissions: { state: 'failed', reason: reason.toUpperCase() } });
      // EVID-31
      const trouble = stepViews(details)[4]?.trouble;
      expect(trouble).toMatchObject({ reason, failed: reason !== 'permission_no_answer' });
      expect(trouble?.ways.length).toBeGreaterThan(0);
      expect(trouble?.ways.length).toBeLessThanOrEqual(5);
    }
  });

  it('has words for every reason, in every language', () => {
    for (const language of ['es', 'en']) {
      const texts = bundle(language).videocall ?? {};
      expect(REASONS.filter((reason) => !texts[`w_r_${reason}`] || !texts[`w_x_${reason}`])).toEqual([]);
    }
  });

  it('treats an unknown reason, and a failure without one, as something that failed', () => {
    expect(reasonOf('NEW_REASON')).toBe('other');
    expect(stepViews(waitingDetails({ legal: { state: 'failed' } }))[3]?.trouble?.reason).toBe('other');
  });

  it('shows the remark on a kept message until the link is opened', () => {
    const sent = { state: 'done', reason: 'NO_SMS_PROVIDER' } as const;
    expect(stepViews(waitingDetails({ sent }))[0]?.trouble).toMatchObject({ reason: 'no_sms_provider', failed: false });
    expect(stepViews(waitingDetails({ sent, opened: { state: 'done' } }))[0]?.trouble).toBeNull();
  });

  it('has no trouble while all goes well', () => {
    expect(stepViews(waitingDetails({ sent: { state: 'done' } })).every((step) => step.trouble === null)).toBe(true);
  });

  it('counts from the newest message', () => {
    const details = waitingDetails();
    expect(waitingSince(details)).toBe(Date.parse('2026-11-05T11:39:04.000Z'));
    expect(waitingSince({ ...details, messages: [] })).toBe(Date.parse('2026-11-05T11:39:00.000Z'));
  });

  it('counts seconds between two steps', () => {
    expect(secondsBetween('2026-11-05T11:39:04Z', '2026-11-05T11:39:07.400Z')).toBe(3);
    expect(secondsBetween('2026-11-05T11:39:07Z', '2026-11-05T11:39:04Z')).toBeNull();
    expect(secondsBetween(null, '2026-11-05T11:39:04Z')).toBeNull();
  });

  it('names the phone and its family from the track', () => {
    const tracks = [track('LINK_OPENED', { device: 'iPhone', os: 'iOS 26', browser: 'Safari' })];
    expect(clientDevice(tracks)).toBe('iPhone · iOS 26 · Safari');
    expect(clientPlatform(tracks)).toBe('ios');
    expect(clientPlatform([track('LINK_OPENED', { os: 'Android 16', browser: 'Chrome' })])).toBe('android');
    expect(clientPlatform([])).toBe('other');
  });

  it('reads the accepted notice', () => {
    expect(acceptedLegal([track('LEGAL_ACCEPTED', { version: 4, language: 'es' })])).toEqual({
      version: '4',
      language: 'es',
    });
    expect(acceptedLegal([track('LEGAL_ACCEPTED', {})])).toBeNull();
  });

  it('lists permissions in the order in which they are asked', () => {
    const detail = { geolocation: 'granted', microphone: 'granted', camera: 'denied' } as const;
    expect(permissionsIn(detail, 'granted')).toEqual(['microphone', 'geolocation']);
    expect(permissionsIn(null, 'granted')).toEqual([]);
  });
});
