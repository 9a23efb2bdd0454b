import { describe, expect, it } from 'vitest';
import { vectors } from '@/test/vectors';
import { followsSpecification, isIban, isMasked, isSpanishIban, missingFigures, normalizeIban } from './iban';
import { checkPhone, splitPhone, toE164 } from './phone';
import { isPostalCode, PROVINCES, provinceNames, provinceOf } from './province';
import { checkTaxId, paddedTaxId, tidyTaxId } from './tax-id';

interface TaxIdCase {
  input: string;
  normalized: string;
  accept: boolean;
  warning: 'control_type' | null;
  note: string;
}
const taxIds = vectors<{ cases: TaxIdCase[] }>('nif').cases;

describe('Spanish tax ids', () => {
  it.each(taxIds)('$input: $note', ({ input, normalized, accept, warning }) => {
    const verdict = checkTaxId(input);
    expect(verdict.accepted).toBe(accept);
    if (!accept) return;
    expect(verdict.normalized).toBe(normalized);
    expect(verdict.unusualControl).toBe(warning === 'control_type');
  });

  it('covers every vector', () => expect(taxIds.length).toBeGreaterThan(50));

  it('accepts one control letter for a personal number and refuses every other', () => {
    for (const digits of ['00000000', '12345678', '87654321', 'X0000001', 'Y7654321', 'Z9999999']) {
      const right = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => checkTaxId(digits + letter).accepted);
      expect(right).toHaveLength(1);
    }
  });

  it('helps with what people add or leave out', () => {
    expect(tidyTaxId('es B-64.717.838')).toBe('B64717838');
    expect(tidyTaxId('ES12')).toBe('ES12');
    expect(paddedTaxId('1234567L')).toBe('01234567L');
    expect(paddedTaxId('1234567A')).toBeNull();
    expect(paddedTaxId('12345678Z')).toBeNull();
  });
});

interface IbanCase {
  input: string;
  seed: boolean;
  strict: boolean;
  note: string;
}
const ibans = vectors<{ cases: IbanCase[] }>('iban').cases;

describe('IBAN', () => {
  it.each(ibans)('$input: $note', ({ input, seed, strict }) => {
    expect(followsSpecification(input)).toBe(seed);
    const spanish = normalizeIban(input).startsWith('ES');
    expect(isSpanishIban(input)).toBe(spanish && strict);
    // What the server will take, the form never refuses.
    if (strict) expect(isIban(input)).toBe(true);
    if (spanish) expect(isIban(input)).toBe(strict);
  });

  it('covers the vectors', () => expect(ibans.length).toBeGreaterThan(30));

  it('counts what a Spanish one still lacks', () => {
    expect(missingFigures('ES91 2100 0418 4502')).toBe(8);
    expect(missingFigures('ES9121000418450200051332')).toBe(0);
    expect(missingFigures('DE89')).toBe(0);
    expect(missingFigures('')).toBe(0);
    expect(isMasked('ES91 **** **** **** **** 1332')).toBe(true);
  });
});

interface Reference {
  provinces: Record<string, string>;
  postal_code: { valid: string[]; invalid: string[] };
  phone: { cases: { input: string; e164: string; kind: string }[] };
}
const reference = vectors<Reference>('es_reference');

describe('provinces and postal codes', () => {
  it('has the 52 of the reference, sorted as Spanish sorts', () => {
    expect(PROVINCES).toEqual(reference.provinces);
    expect(provinceNames).toHaveLength(52);
    expect(provinceNames.slice(0, 4)).toEqual(['A Coruña', 'Álava/Araba', 'Albacete', 'Alicante/Alacant']);
  });
  it.each(reference.postal_code.valid)('%s is one', (code) => {
    expect(isPostalCode(code)).toBe(true);
    expect(provinceOf(code)).toBe(reference.provinces[code.slice(0, 2)]);
  });
  it.each(reference.postal_code.invalid)('"%s" is none', (code) => {
    expect(isPostalCode(code)).toBe(false);
    expect(provinceOf(code)).toBeNull();
  });
});

describe('phones', () => {
  it.each(reference.phone.cases)('$input is $kind', ({ input, e164, kind }) => {
    const verdict = checkPhone(input.replace(/^00/, '+'), 'ES');
    if (kind === 'mobile' || kind === 'fixed' || kind === 'foreign') {
      expect(verdict).toBe('ok');
      expect(toE164(input.replace(/^00/, '+'), 'ES')).toBe(e164);
    }
    if (kind === 'invalid') expect(verdict).toBe('wrong');
  });
  it.each(['', '   ', '+34', '12'])('"%s" is none: only longer ones are looked at', (input) => {
    expect(checkPhone(input, 'ES')).toBe('absent');
    expect(toE164(input, 'ES')).toBeNull();
  });
  it('knows the longest one allowed', () => {
    expect(checkPhone('1'.repeat(20), 'ES')).toBe('wrong');
    expect(checkPhone('1'.repeat(21), 'ES')).toBe('long');
  });
  it('takes a stored number apart', () => {
    expect(splitPhone('+34600123123')).toEqual({ country: 'ES', phone: '600 12 31 23' });
    expect(splitPhone('+33612345678')).toEqual({ country: 'FR', phone: '06 12 34 56 78' });
    expect(splitPhone(null)).toEqual({ country: 'ES', phone: '' });
    expect(splitPhone('nonsense')).toEqual({ country: 'ES', phone: 'nonsense' });
  });
});
