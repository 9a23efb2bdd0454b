// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { answerText, brokenText, certificateState, pointTitle, readableXml, shortHash } from './model';
import { XML } from './testing';

beforeAll(() => useTexts());

it.each([
  ['2026-11-01T00:00:00Z', 'expired'],
  ['2026-11-20T00:00:00Z', 'soon'],
  ['2027-11-20T00:00:00Z', 'valid'],
])('a certificate until %s is %s', (expiresAt, state) => {
  expect(certificateState(expiresAt, Date.parse('2026-11-05T00:00:00Z'))).toBe(state);
});

it('gives each element of the XML its line, and changes nothing else', () => {
  const text = readableXml(XML);
  expect(text.split('\n')).toEqual([
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<RegistroAlta>',
    '  <IDVersion>1.0</IDVersion>',
    '  <IDFactura>',
    '    <NumSerieFactura>A2026-001204</NumSerieFactura>',
    '  </IDFactura>',
    '  <Vacio/>',
    '</RegistroAlta>',
  ]);
  expect(text.replace(/\n\s*/g, '')).toBe(XML);
});

// FACTU-3
it.each([
  ['1153', 'El NIF no está identificado', '1153 · El NIF no está identificado'],
  ['3000', null, '3000'],
  ['VERIFACTU_FAULT', 'Codigo[4102]', 'La AEAT ha rechazado el envío completo. · Codigo[4102]'],
  ['VERIFACTU_UNHEARD', null, 'VERIFACTU_UNHEARD'],
  [null, null, ''],
])('of the answer %s, %s it says: %s', (code, message, text) => {
  expect(answerText(t, { code, message })).toBe(text);
});

it('has words for every point, reason and hash', () => {
  expect([...'abcdefghijkl'].map((point) => pointTitle(t, point)).filter(Boolean)).toHaveLength(12);
  expect(pointTitle(t, 'm')).toBe('');
  expect(brokenText(t, 'link')).toBe('no enlaza con la huella del registro anterior.');
  expect(brokenText(t, 'unheardOf')).toBe('no supera la comprobación.');
  expect(shortHash('AB12'.repeat(16))).toBe('AB12AB12AB12…');
});
