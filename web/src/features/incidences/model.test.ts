// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { draftOf, keepDraft } from './drafts';
import {
  emptyValues,
  firstValues,
  type IncidenceValues,
  isTouched,
  missingFields,
  reasonText,
  statusText,
  toBody,
  typeText,
  wrongFields,
} from './model';

beforeAll(() => useTexts());

const conference = { _id: 'conf1', expedientNumber: 'EXP-1', createdAt: '2026-11-22T09:00:00Z' };
const values = (part: Partial<IncidenceValues>): IncidenceValues => ({ ...emptyValues, ...part });
const image = { src: 'data:image/png;base64,AA==', name: 'a.png' };

describe('what is missing', () => {
  it('is type, reason and comments from the list', () => {
    expect(missingFields('list-add', emptyValues)).toEqual(['type', 'reason', 'comments']);
    expect(missingFields('list-add', values({ type: '2', reason: '5', comments: ' x ' }))).toEqual([]);
    expect(missingFields('list-add', values({ type: '2', reason: '5', comments: '  \n ' }))).toEqual(['comments']);
  });

  it('is the conference too, of an incidence about one', () => {
    const about = values({ type: '1', reason: '1', comments: 'x' });
    expect(missingFields('list-add', about)).toEqual(['conference']);
    expect(missingFields('list-add', { ...about, conference })).toEqual([]);
  });

  it('is an incidence and something to add to it from support', () => {
    expect(missingFields('support', emptyValues)).toEqual(['incidenceId', 'comments']);
    expect(missingFields('support', values({ incidenceId: 'i1', comments: 'x' }))).toEqual([]);
    expect(missingFields('support', values({ incidenceId: 'i1', images: [image] }))).toEqual([]);
  });
});

it('names what is too long, and a phone that is none', () => {
  expect(wrongFields(values({ comments: 'x'.repeat(2000) }))).toEqual({});
  expect(wrongFields(values({ comments: 'x'.repeat(2001) }))).toEqual({ comments: 'long' });
  expect(wrongFields(values({ type: '2', phone: '600 12' }))).toEqual({ phone: 'phone' });
  expect(wrongFields(values({ type: '2', phone: '600 123 123' }))).toEqual({});
  // What is not shown is not sent, and not wrong.
  expect(wrongFields(values({ type: '1', phone: '600 12' }))).toEqual({});
});

it('begins with the conference it was opened on', () => {
  expect(firstValues({ opener: 'list-add', conference })).toEqual(values({ type: '1', conference }));
  expect(firstValues({ opener: 'list-add' })).toEqual(emptyValues);
  expect(firstValues({ opener: 'support', incidenceId: 'i1' })).toEqual(values({ incidenceId: 'i1' }));
  // A choice is no draft.
  expect(isTouched(firstValues({ opener: 'list-add', conference }))).toBe(false);
  expect(isTouched(values({ images: [image] }))).toBe(true);
});

describe('the body', () => {
  it('carries the conference, the browser and the connection, and no user', () => {
    const body = toBody(
      'list-add',
      values({ type: '1', conference, reason: '3', comments: ' No llega ', images: [image] }),
    );
    expect(body.incidence).toMatchObject({ type: 1, reason: 3, comments: 'No llega', conferenceId: 'conf1' });
    expect(body.incidence).toMatchObject({ browser: { userAgent: navigator.userAgent }, network: { onLine: true } });
    expect(body.files).toEqual([image]);
    expect(body).not.toHaveProperty('user');
  });

  it('of a general one carries the case and the phone, and no conference', () => {
    const general = values({
      type: '2',
      conference,
      reason: '5',
      comments: 'x',
      expedient: ' EXP-9 ',
      phone: '600123123',
    });
    expect(toBody('list-add', general).incidence).toMatchObject({ expedientId: 'EXP-9', phoneNumber: '600123123' });
    expect(toBody('list-add', general).incidence).not.toHaveProperty('conferenceId', 'conf1');
  });

  it('of an answer carries the incidence alone', () => {
    const body = toBody('support', values({ incidenceId: 'i1', comments: ' ', images: [image], reason: '1' }));
    expect(body).toEqual({ incidence: { incidenceId: 'i1', comments: undefined }, files: [image] });
  });
});

it('says types, reasons and statuses in words, and nothing for what it does not know', () => {
  expect([1, 2, 0].map((type) => typeText(t, type))).toEqual(['Conferencia', 'General', '–']);
  expect([1, 2, 3, 4, 5].map((reason) => reasonText(t, reason))).toEqual([
    'Audio',
    'Vídeo',
    'SMS',
    'Geolocalización',
    'Otros',
  ]);
  expect([1, 2, 3, 4].map((status) => statusText(t, status))).toEqual([
    'Sin atender',
    'En revisión',
    'Reabierta',
    'Archivada',
  ]);
});

it('keeps one draft per opener', () => {
  keepDraft('list-add', values({ comments: 'uno' }));
  expect(draftOf('list-add')?.comments).toBe('uno');
  expect(draftOf('support')).toBeNull();
});
