// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { chosenFirst } from '@/shared/language/model';
import { formatPhone } from '@/shared/lib/phone';
import { browserVerdict, lacking } from './browser';
import { initials } from './initials';
import { clock, timeOfDay } from './time';

describe('browser', () => {
  const fit = { secure: true, webrtc: true, webcrypto: true };
  it.each([
    ['Chrome', { ...fit, userAgent: 'Chrome/140 Safari/537' }, 'ok'],
    ['Edge of today', { ...fit, userAgent: 'Chrome/140 Safari/537 Edg/140' }, 'edge'],
    ['Edge before Chromium', { ...fit, userAgent: 'Chrome/64 Edge/17.17134' }, 'unsupported'],
    ['Internet Explorer', { ...fit, userAgent: 'Trident/7.0; rv:11.0' }, 'unsupported'],
    ['no WebRTC', { ...fit, webrtc: false, userAgent: 'x' }, 'unsupported'],
    ['no https', { secure: false, webrtc: false, webcrypto: false, userAgent: 'Chrome' }, 'insecure'],
  ])('%s', (_name, facts, verdict) => {
    expect(browserVerdict(facts)).toBe(verdict);
  });
});

describe('what a browser lacks', () => {
  it.each([
    [true, true, []],
    [false, true, ['webrtc']],
    [true, false, ['webcrypto']],
    [false, false, ['webrtc', 'webcrypto']],
  ])('WebRTC %s, WebCrypto %s', (webrtc, webcrypto, names) => {
    expect(lacking({ userAgent: 'x', secure: true, webrtc, webcrypto })).toEqual(names);
  });
});

describe('small things', () => {
  it('clock', () => {
    expect([0, 167_900, 3_600_000, -5].map(clock)).toEqual(['00:00', '02:47', '1:00:00', '00:00']);
    expect([timeOfDay(null), timeOfDay('nonsense')]).toEqual(['', '']);
    expect(timeOfDay('2026-11-05T11:39:04')).toBe('11:39:04');
  });

  it('initials', () => {
    expect(['Nuria Ferrer Soler', 'ñandú', '', '  ana '].map(initials)).toEqual(['NF', 'Ñ', '', 'A']);
  });

  it('phone', () => {
    expect(formatPhone('+34612034578')).toBe('612 03 45 78');
    expect(formatPhone('+33612345678')).toBe('+33 6 12 34 56 78');
    expect(formatPhone('•••• 578')).toBe('•••• 578');
  });

  it('chosen language first', () => {
    const list = ['en', 'es', 'fr'].map((code) => ({ code, name: code, flagUrl: '' }));
    expect(chosenFirst(list, 'fr').map((entry) => entry.code)).toEqual(['fr', 'en', 'es']);
    expect(chosenFirst(list, 'xx')).toBe(list);
  });
});
