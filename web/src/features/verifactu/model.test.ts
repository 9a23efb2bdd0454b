// @vitest-environment happy-dom
import { beforeAll, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { useTexts } from '@/test/texts';
import { brokenText, certificateState, pointTitle, readableXml, shortHash } from './model';
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

it('has words for every point, reason and hash', () => {
  expect([...'abcdefghijkl'].map((point) => pointTitle(t, point)).filter(Boolean)).toHaveLength(12);
  expect(pointTitle(t, 'm')).toBe('');
  expect(brokenText(t, 'link')).toBe('no enlaza con la huella del registro anterior.');
  expect(brokenText(t, 'unheardOf')).toBe('no supera la comprobación.');
  expect(shortHash('AB12'.repeat(16))).toBe('AB12AB12AB12…');
});
