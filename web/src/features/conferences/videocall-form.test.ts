// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { phoneProblem } from '@/shared/checks/client-phone';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import {
  emptyValues,
  formField,
  isForeign,
  isPrefill,
  smsPrefill,
  toRequest,
  type VideocallValues,
  videocallSchema,
} from './videocall-form';

beforeAll(() => useTexts());

/** What a company without its own text sends. */
const texts = {
  own: false,
  language: 'es',
  sms: 'Ana Ruiz (Levante). Pulse el enlace:',
  defaults: { es: 'Ana Ruiz (Levante). Pulse el enlace:', en: 'Ana Ruiz (Levante). Tap the link:' },
};

const valid = (changes: Partial<VideocallValues> = {}): VideocallValues => ({
  ...emptyValues(),
  smsText: texts.sms,
  expedientNumber: '2026-118392',
  phone: '612 034 578',
  ...changes,
});

function errorsOf(values: VideocallValues): Record<string, string> {
  const result = videocallSchema(t).safeParse(values);
  if (result.success) return {};
  return Object.fromEntries(result.error.issues.map((issue) => [issue.path.join('.'), issue.message]));
}

describe('form of a new call', () => {
  it('needs the case number and the phone only', () => {
    expect(errorsOf(valid())).toEqual({});
    expect(errorsOf(emptyValues())).toEqual({
      expedientNumber: 'Escriba el número de expediente',
      phone: 'Escriba el móvil del cliente',
      smsText: 'Escriba el texto del SMS',
    });
  });

  it.each<[Partial<VideocallValues>, string, RegExp]>([
    [{ expedientNumber: '<b>1</b>' }, 'expedientNumber', /signos/],
    [{ expedientNumber: 'x'.repeat(61) }, 'expedientNumber', /60/],
    [{ carId: '<img>' }, 'carId', /matrícula/],
    [{ carId: 'AB/12' }, 'carId', /matrícula/],
    [{ postalCode: '4650' }, 'postalCode', /5 cifras/],
    [{ postalCode: '53001' }, 'postalCode', /01 a 52/],
    [{ smsText: '' }, 'smsText', /Escriba/],
    [{ smsText: 'x'.repeat(101) }, 'smsText', /demasiado largo/],
    [{ channel: 'email' }, 'email', /Escriba/],
    [{ channel: 'email', email: 'carmen@' }, 'email', /no es válido/],
    [{ phone: '91 123 45 67' }, 'phone', /móvil/],
  ])('refuses %j', (changes, field, message) => {
    expect(errorsOf(valid(changes))[field]).toMatch(message);
  });

  it.each<Partial<VideocallValues>>([
    { smsText: 'x'.repeat(100) },
    { carId: '4821 LKM' },
    { carId: 'Ñ-1234' },
    { phone: '91 123 45 67', channel: 'email', email: 'carmen@example.es' },
    { phone: '6 12 34 56 78', country: 'FR' },
    { phone: '+33 6 12 34 56 78', country: 'ES' },
  ])('takes %j', (changes) => {
    expect(errorsOf(valid(changes))).toEqual({});
  });

  it.each([
    ['', 'required'],
    ['612', 'short'],
    ['612 034 57', 'short'],
    ['612 034 578 9', 'long'],
    ['12345678901234567890', 'long'],
    ['012 034 578', 'invalid'],
    ['612 034 578', null],
  ])('phone "%s" → %s', (phone, problem) => {
    expect(phoneProblem(phone, 'ES', true)).toBe(problem);
  });

  it('sends E.164, the plate in capitals and no empty field', () => {
    const body = toRequest(
      valid({
        carId: '4821 lkm',
        city: ' Sagunto ',
        postalCode: '46500',
        cityRegion: 'València',
        smsText: 'Su perito:',
      }),
    );
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      appType: 'web',
      type: 1,
      expedientNumber: '2026-118392',
      phoneNumber: '+34612034578',
      carId: '4821 LKM',
      city: 'Sagunto',
      cityRegion: 'València',
      region: 'València',
      postalCode: '46500',
      fullAddress: '46500, Sagunto, València',
      channel: 'sms',
      smsText: 'Su perito:',
      language: 'es',
    });
  });

  it('leaves the text of the SMS to the server until somebody changes it', () => {
    expect(toRequest(valid(), texts).smsText).toBeUndefined();
    const own = { ...texts, own: true, sms: 'Peritaciones Levante:' };
    expect(toRequest(valid({ smsText: 'Peritaciones Levante:' }), own).smsText).toBeUndefined();
    // The company has its own, and this client gets the default one.
    expect(toRequest(valid(), own).smsText).toBe(texts.sms);
    // Its answer has not come: the server knows it.
    expect(toRequest(emptyValues()).smsText).toBeUndefined();
    expect(smsPrefill('en', texts)).toBe(texts.defaults.en);
    expect(isPrefill(texts.defaults.es, texts) && isPrefill('', null) && !isPrefill('Hola', texts)).toBe(true);
    const waiting = videocallSchema(t, false).safeParse(valid({ smsText: '' }));
    expect(waiting.success).toBe(true);
  });

  // SMS-4
  it('is foreign to a client of another language when it is the company’s own', () => {
    const own = { ...texts, own: true, sms: 'Peritaciones Levante:' };
    const german = valid({ smsText: own.sms, language: 'de' });
    expect(isForeign(german, own)).toBe(true);
    for (const change of [{ language: 'es' }, { channel: 'email' }, { smsText: 'Für Sie:' }] as const) {
      expect(isForeign({ ...german, ...change }, own), JSON.stringify(change)).toBe(false);
    }
    expect(isForeign(german, texts) || isForeign(german, null)).toBe(false);
  });

  it('keeps the plate to itself when the type is Diversos', () => {
    expect(toRequest(valid({ type: 2, carId: '4821 LKM' })).carId).toBeUndefined();
  });

  it('puts an error of the server beside its field', () => {
    expect(['phoneNumber', 'carId', 'fullAddress', 'contactId'].map(formField)).toEqual([
      'phone',
      'carId',
      'address',
      null,
    ]);
  });
});
