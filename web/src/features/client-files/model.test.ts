// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { ApiError, networkError } from '@/api/errors';
import { limits } from '@/api/generated/limits';
import type { ConferenceShot } from '@/api/types';
import { i18n, type T } from '@/shared/i18n';
import { bundle } from '@/test/texts';
import files from '../../../../locales/es/clientfiles.json';
import common from '../../../../locales/es/common.json';
import errors from '../../../../locales/es/errors.json';
import {
  allThings,
  formField,
  ITEMS_MAX,
  isTicked,
  problems,
  type RequestValues,
  sendError,
  sentWords,
  stateOfSent,
  subjectFor,
  toBody,
} from './model';

i18n.addResourceBundle('es', 'clientfiles', files, true, true);
i18n.addResourceBundle('es', 'common', common, true, true);
i18n.addResourceBundle('es', 'errors', errors, true, true);
const t = i18n.getFixedT('es', ['common', 'clientfiles', 'errors']) as unknown as T;

const values = (changes: Partial<RequestValues> = {}): RequestValues => ({
  channel: 'sms',
  phone: '600 123 123',
  email: 'carmen@correo.example',
  emailTitle: 'Fotos pendientes',
  smsText: 'Necesitamos fotos',
  emailText: 'Hola, Carmen',
  pageText: 'Con luz de día',
  ticked: {},
  others: [],
  remind: true,
  notify: true,
  ...changes,
});
const byMail = (changes: Partial<RequestValues> = {}) => values({ channel: 'email', ...changes });
const x = (n: number) => 'x'.repeat(n);
const found = (v: RequestValues, requested = false, things = 1) => problems(t, v, requested, things);

describe('limits at n−1, n and n+1', () => {
  it.each([
    [99, undefined],
    [100, undefined],
    [101, 'El SMS es demasiado largo'],
  ])('SMS of %s', (n, text) => expect(found(values({ smsText: x(n) })).smsText).toBe(text));

  it.each([
    [399, undefined],
    [400, undefined],
    [401, 'El mensaje es demasiado largo'],
  ])('e-mail text of %s', (n, text) => expect(found(byMail({ emailText: x(n) })).emailText).toBe(text));

  it.each([
    [69, undefined],
    [70, undefined],
    [71, 'El asunto es demasiado largo'],
  ])('title of %s', (n, text) => expect(found(byMail({ emailTitle: x(n) })).emailTitle).toBe(text));

  it.each([
    [249, undefined],
    [250, undefined],
    [251, 'El texto es demasiado largo'],
  ])('page text of %s', (n, text) => expect(found(values({ pageText: x(n) })).pageText).toBe(text));

  it.each([
    [349, undefined],
    [350, undefined],
    [351, 'El correo electrónico es demasiado largo'],
  ])('e-mail address of %s', (n, text) => {
    const domain = '@correo.example';
    expect(found(byMail({ email: x(n - domain.length) + domain })).email).toBe(text);
  });

  it.each([
    ['612345', 'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.'],
    // Seven characters at least. Germany has numbers as short as that.
    ['+49100', 'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.'],
    ['+491000', undefined],
    // Andorra's numbers are short.
    ['+376312345', undefined],
    ['+34 6 1 2 3 4 5 6 78', 'El teléfono es demasiado largo'],
    ['+34 6 1 2 345 6 78', undefined],
    ['+34 6 1 2 3 45 6 78', undefined],
  ])('phone %s', (phone, text) => expect(found(values({ phone })).phone).toBe(text));

  it('one thing to thirty', () => {
    expect(found(values(), false, 0).items).toBe('Marque al menos una cosa');
    expect(found(values(), false, 1).items).toBeUndefined();
    expect(found(values(), false, ITEMS_MAX).items).toBeUndefined();
    expect(found(values(), false, ITEMS_MAX + 1).items).toBe('Como máximo 30 cosas');
  });
});

describe('what is required', () => {
  it('tells every empty field at once, of the chosen channel only', () => {
    const empty = { phone: '', email: ' ', emailTitle: '', smsText: ' ', emailText: '', pageText: '' };
    const missing = 'Escriba el texto';
    expect(found(values(empty))).toEqual({ phone: 'Escriba el teléfono', smsText: missing, pageText: missing });
    expect(found(byMail(empty))).toEqual({
      email: 'Escriba el correo electrónico',
      emailTitle: 'El asunto es obligatorio',
      emailText: missing,
      pageText: missing,
    });
  });

  it('asks for the text of the page only the first time', () => {
    expect(found(values({ pageText: '' }), true)).toEqual({});
    expect(toBody(values(), 'c1', true, []).pageShowText).toBeNull();
  });

  it.each(['carmen', 'carmen@correo', 'car men@correo.es', '<a@b.es>', '@correo.es'])('refuses %s', (email) =>
    expect(found(byMail({ email })).email).toBe('El correo electrónico no está completo'),
  );

  it.each(['912345678', 'abcdefgh', '+34 512 345 678'])('refuses to send an SMS to %s', (phone) =>
    expect(found(values({ phone })).phone).toBe(
      'El teléfono no es válido. Escriba todas sus cifras; si no es de España, con el prefijo.',
    ),
  );
});

describe('what is asked for', () => {
  const shot = (key: string, state: ConferenceShot['state']): ConferenceShot => ({
    key,
    label: key,
    hint: state === 'poor' ? 'Más cerca' : null,
    overlay: null,
    state,
    mediaId: null,
    at: null,
  });
  const others = [{ id: 'other 1', label: 'Etiqueta' }];
  const things = allThings(t, [shot('plate', 'done'), shot('vin', 'missing'), shot('near', 'poor')], 1, others);

  it('ticks what the call left missing or poor, unless it was unticked', () => {
    expect(things.filter((one) => isTicked(one, {})).map((one) => one.label)).toEqual(['vin', 'near']);
    expect(isTicked({ id: 'shot vin', label: 'vin', state: 'missing' }, { 'shot vin': false })).toBe(false);
    expect(isTicked({ id: 'shot plate', label: 'plate', state: 'done' }, { 'shot plate': true })).toBe(true);
    expect(things.map((one) => one.label)).toContain('Parte amistoso');
    expect(allThings(t, [], 2, []).map((one) => one.label)).toContain('Póliza del seguro');
  });

  it('sends the number in E.164 and the words of one channel', () => {
    const asked = things.filter((one) => isTicked(one, { 'other 1': true }));
    expect(toBody(values(), 'c1', false, asked)).toEqual({
      contactType: 1,
      conferenceId: 'c1',
      to: '+34600123123',
      contactText: 'Necesitamos fotos',
      emailTitle: null,
      pageShowText: 'Con luz de día',
      items: [
        { shot: 'vin', label: 'vin', hint: null },
        { shot: 'near', label: 'near', hint: 'Más cerca' },
        { shot: null, label: 'Etiqueta', hint: null },
      ],
      remind: true,
      notify: true,
    });
    expect(toBody(byMail(), 'c1', false, []).emailTitle).toBe('Fotos pendientes');
  });
});

describe('what the server says', () => {
  it('shows the message of a code, else that of an error that persists', () => {
    const refused = (code: string, status: number) => new ApiError({ code, status, message: '' });
    expect(sendError(t, refused('MEDIA_ERASED', 410))).toBe(errors.media_erased);
    const persistent = 'Si el error persiste, contacte con soporte';
    expect(sendError(t, refused('HTTP_502', 502))).toBe(persistent);
    expect(sendError(t, networkError())).toBe(persistent);
    expect(sendError(t, new Error('x'))).toBe(persistent);
  });

  it('finds the field of the form', () => {
    expect(formField('to', 'sms')).toBe('phone');
    expect(formField('to', 'email')).toBe('email');
    expect(formField('contactText', 'email')).toBe('emailText');
    expect(formField('items[2].label', 'sms')).toBe('items');
    expect(formField('conferenceId', 'sms')).toBeNull();
  });
});

it('cuts a long case number so that the subject fits', () => {
  expect(subjectFor(t, '2026-118392')).toBe('Solicitud de archivos del expediente 2026-118392');
  expect([...subjectFor(t, 'n'.repeat(60))].length).toBeLessThanOrEqual(70);
});

describe('after it was sent', () => {
  const to = { channel: 'sms', to: '612 034 578', notify: true } as const;

  it.each([
    ['promises a notice only when it was asked for', null, to, /612 034 578\. Le avisaremos por correo/],
    ['and none otherwise', 'sent', { ...to, notify: false }, /^Hemos enviado el SMS a 612 034 578\.$/],
    ['tells that no gateway took it', 'captured', to, /^No hay pasarela de SMS/],
    ['or no mail server', 'captured', { ...to, channel: 'email' }, /^No hay servidor de correo/],
    ['tells that it did not leave', 'failed', to, /Reenvíela/],
  ] as const)('%s', (_, state, about, text) => {
    expect(sentWords(t, state, about).text).toMatch(text);
  });

  it.each([
    ['nothing yet', [], null],
    ['only what was sent before', [{ createdAt: '2026-11-19T09:59:00Z', state: 'sent' }], null],
    [
      'its own',
      [
        { createdAt: '2026-11-19T10:00:00Z', state: 'captured' },
        { createdAt: '2026-11-19T09:00:00Z', state: 'sent' },
      ],
      'captured',
    ],
  ])('finds %s', (_, messages, state) => {
    expect(stateOfSent(messages, '2026-11-19T10:00:00.123Z')).toBe(state);
  });
});

// The words of the upload page's button, as the client will read them there.
it.each(['es', 'ca', 'gl', 'eu', 'en', 'fr', 'pt'])(
  'what the default texts name is on the page of files: %s',
  (language) => {
    const { clientfiles, upload } = bundle(language);
    for (const key of ['defaultPage1', 'defaultPage2']) expect(clientfiles?.[key]).toContain(upload?.cannot);
    expect(upload?.cannot).toBeTruthy();
  },
);

it.each(['defaultPage1', 'defaultPage2'] as const)('%s fits where the client reads it', (key) => {
  expect([...t(`clientfiles.${key}`)].length).toBeLessThanOrEqual(limits.pageShowTextMax);
});
