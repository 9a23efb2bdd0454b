// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import {
  emptyValues,
  formField,
  phoneProblem,
  toRequest,
  type VideocallValues,
  videocallSchema,
} from './videocall-form';

beforeAll(() => useTexts());

const valid = (changes: Partial<VideocallValues> = {}): VideocallValues => ({
  ...emptyValues(),
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
    const body = toRequest(valid({ carId: '4821 lkm', city: ' Sagunto ', postalCode: '46500' }));
    expect(JSON.parse(JSON.stringify(body))).toEqual({
      appType: 'web',
      type: 1,
      expedientNumber: '2026-118392',
      phoneNumber: '+34612034578',
      carId: '4821 LKM',
      city: 'Sagunto',
      postalCode: '46500',
      fullAddress: '46500, Sagunto',
      channel: 'sms',
      smsText: 'Pulse el enlace para iniciar la videoasistencia:',
      language: 'es',
    });
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
