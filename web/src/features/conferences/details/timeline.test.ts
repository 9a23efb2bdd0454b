// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import type { Track } from '@/api/types';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { actorName, byDay, trackDetail } from './timeline';

beforeAll(() => useTexts());

const track = (seq: number, at: string, type = 'CHAT', data: Track['data'] = null) =>
  ({ _id: `t${seq}`, seq, at, type, actor: 'client', data }) as Track;

it('puts events under their day in Madrid, in the order of the chain', () => {
  const late = track(2, '2026-11-20T23:30:00Z');
  const early = track(1, '2026-11-20T22:30:00Z');
  expect(byDay([late, early])).toEqual([
    { day: '2026-11-20', tracks: [early] },
    { day: '2026-11-21', tracks: [late] },
  ]);
});

const conference = { contactPerson: 'Carmen Ortega', userId: 'u1', userName: 'Nuria Ferrer' };

it.each([
  ['client', 'Carmen Ortega'],
  ['client:6e31', 'Carmen Ortega'],
  ['user:u1', 'Nuria Ferrer'],
  ['user:u2', 'Luis Ortega'],
  ['user:u3', 'Pilar Soria'],
  ['user:u4', 'Atalaya'],
  ['user:u5', 'perito'],
  ['system', 'Sistema'],
])('names %s', (actor, name) => {
  const participants = [{ identity: 'user:u2', name: 'Luis Ortega' }];
  const people = [
    { _id: 'u3', name: 'Pilar Soria' },
    { _id: 'u4', name: 'Atalaya' },
  ];
  expect(actorName(t, actor, conference, participants, people)).toBe(name);
});

it.each([
  ['LINK_OPENED', { browser: 'Safari', os: 'iOS', ip: '192.0.2.140' }, 'Safari · iOS · 192.0.2.140'],
  ['GEO_FIX', { position: '39.679100,-0.278600', accuracyM: 8 }, '39.67910, -0.27860 · ±8 m'],
  ['GEO_FIX', { position: null, accuracyM: 8 }, ''],
  ['MEDIA_CAPTURED', { name: 'foto-001.jpg' }, 'foto-001.jpg'],
  ['CHAT', { text: '¿Necesita algo más?' }, '¿Necesita algo más?'],
  ['CHAT', null, ''],
  ['CONFERENCE_CLOSED', { durationS: 284 }, 'Duró 284 s'],
])('says of %s what is known', (type, data, words) => {
  expect(trackDetail(t, { type, data })).toBe(words);
});
