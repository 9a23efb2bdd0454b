// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import {
  daysOf,
  durationState,
  durationText,
  isOpen,
  isRecent,
  observationText,
  placeText,
  runningSince,
} from './conferences';

beforeAll(() => useTexts());

// Half past eleven at night in UTC is the next day in Madrid.
const now = new Date('2026-11-20T23:30:00Z');

it('shows the last seven days of Madrid until somebody chooses', () => {
  expect(daysOf({}, now)).toEqual({ begin: '2026-11-14', end: '2026-11-21', today: '2026-11-21' });
  expect(daysOf({ begin: '2026-03-01', end: '2026-03-29' }, now)).toMatchObject({
    begin: '2026-03-01',
    end: '2026-03-29',
  });
});

it('takes no day from tomorrow on, no nonsense, and no end before its begin', () => {
  expect(daysOf({ end: '2026-11-22' }, now).end).toBe('2026-11-21');
  expect(daysOf({ begin: 'ayer' }, now).begin).toBe('2026-11-14');
  expect(daysOf({ begin: '2026-11-19', end: '2026-11-18' }, now)).toMatchObject({
    begin: '2026-11-18',
    end: '2026-11-18',
  });
});

it.each([
  ['seconds', 412, '412 s'],
  ['lessThanTen', 7, 'Menos de 10 segundos'],
  ['pending', null, 'Pendiente'],
  ['notExpired', null, 'Pendiente'],
  ['noSession', null, 'Sin conexión'],
] as const)('says %s as specified', (durationState, duration, text) => {
  expect(durationText(t, { durationState, duration })).toBe(text);
});

it.each([
  ['pending', 'Pendiente de calcular'],
  ['correct', 'Correcta'],
  ['noLink', 'No ha pulsado el enlace'],
  ['noLegal', 'No ha pasado el aviso legal'],
  ['permissions', 'Sin permisos'],
  ['unknown', 'Desconocido'],
] as const)('says the observation %s', (state, text) => {
  expect(observationText(t, state)).toBe(text);
});

it('leads into the room while somebody may still come', () => {
  expect(isOpen({ closed: false, expiredAt: '2026-11-21T00:00:00Z' }, now)).toBe(true);
  expect(isOpen({ closed: false, expiredAt: '2026-11-20T23:00:00Z' }, now)).toBe(false);
  expect(isOpen({ closed: true, expiredAt: '2026-11-21T00:00:00Z' }, now)).toBe(false);
});

it('counts the time in the room only while somebody is there', () => {
  const room = { sid: 'r1', startedAt: '2026-11-20T23:26:42.000Z', endedAt: null };
  expect(runningSince({ closed: false, rooms: [room] })).toBe(Date.parse(room.startedAt));
  expect(runningSince({ closed: true, rooms: [room] })).toBeNull();
  expect(runningSince({ closed: false, rooms: [{ ...room, endedAt: '2026-11-20T23:30:00Z' }] })).toBeNull();
  expect(runningSince({ closed: false, rooms: [] })).toBeNull();
});

it('says the place in one line', () => {
  expect(placeText({ fullAddress: 'C/ Mayor, 14, Sagunto', address: 'x', city: 'y' })).toBe('C/ Mayor, 14, Sagunto');
  expect(placeText({ fullAddress: null, address: 'C/ Mayor, 14', city: null })).toBe('C/ Mayor, 14');
  expect(placeText({ fullAddress: null, address: null, city: null })).toBe('');
});

it.each([
  [11, 'RM', true, 'seconds'],
  [10, 'RM', true, 'lessThanTen'],
  [0, null, false, 'lessThanTen'],
  [null, 'RM', true, 'pending'],
  [null, 'RM', false, 'notExpired'],
  [null, null, true, 'notExpired'],
] as const)('reads %s s, session %s, closed %s as %s', (duration, sid, closed, state) => {
  expect(durationState({ duration, sid, closed, expiredAt: '2026-11-21T00:00:00Z' }, now)).toBe(state);
});

it('says no session once the link has expired', () => {
  const ended = { duration: null, closed: false, expiredAt: '2026-11-20T23:30:00Z' };
  expect(durationState({ ...ended, sid: null }, now)).toBe('noSession');
  expect(durationState({ ...ended, sid: 'RM' }, now)).toBe('noSession');
});

it('lets an incidence be about the days that the list begins with', () => {
  // The first moment of the 14th in Madrid, and the one before it.
  expect(isRecent({ createdAt: '2026-11-13T23:00:00Z' }, now)).toBe(true);
  expect(isRecent({ createdAt: '2026-11-13T22:59:59Z' }, now)).toBe(false);
});
