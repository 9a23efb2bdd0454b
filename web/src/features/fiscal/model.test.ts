import { describe, expect, it } from 'vitest';
import { changedFields, type FiscalValues, fiscalProblems, isAnotherTaxpayer, regimeOf } from './model';
import type { FiscalBlock } from './types';

const block: FiscalBlock = {
  cif: 'B64717838',
  company: 'Peritos, S.L.',
  address: 'Calle Mayor, 1',
  postalCode: '46001',
  city: 'Valencia',
  region: 'Valencia',
  country: 'ES',
};
const values: FiscalValues = { ...block, regime: 'general', since: '2026-11-20', words: '' };

describe('a change of fiscal data', () => {
  it('sends what differs, tidied', () => {
    expect(changedFields(block, { ...block, cif: 'b-64717838', city: ' Valencia ' })).toEqual({});
    expect(changedFields(block, { ...block, cif: 'a 58818501', postalCode: '51001' })).toEqual({
      cif: 'A58818501',
      postalCode: '51001',
    });
  });

  it('is another taxpayer with another tax id, not with a first one', () => {
    expect(isAnotherTaxpayer(block, { ...block, cif: 'b64717838' })).toBe(false);
    expect(isAnotherTaxpayer(block, { ...block, cif: 'A58818501' })).toBe(true);
    expect(isAnotherTaxpayer({ ...block, cif: '' }, block)).toBe(false);
  });

  it('has the regime of its postal code', () => {
    expect(['46001', '51001', '07001', '38900', ''].map((code) => regimeOf(code))).toEqual([
      'general',
      'outside',
      'general',
      'outside',
      'general',
    ]);
  });

  // ABROAD-1, ABROAD-2
  it('follows the country before the postal code', () => {
    expect(['PT', 'GB', 'ES'].map((country) => regimeOf('35001', country))).toEqual([
      'reverseCharge',
      'outside',
      'outside',
    ]);
    const lisbon = { ...values, country: 'PT', cif: 'PT 501 964 843', postalCode: '1100-048', region: '' };
    expect(fiscalProblems(lisbon, false)).toEqual({});
    expect(fiscalProblems({ ...lisbon, cif: '' }, false)).toEqual({ cif: 'REQUIRED' });
    expect(changedFields(block, lisbon)).toEqual({ cif: 'PT 501 964 843', postalCode: '1100-048', region: '' });
  });

  it('names every wrong field', () => {
    expect(fiscalProblems(values, false)).toEqual({});
    expect(fiscalProblems({ ...values, cif: '1', postalCode: '99', city: ' ', since: '' }, true)).toEqual({
      cif: 'FISCAL_INCORRECT',
      postalCode: 'POSTAL_CODE_INVALID',
      city: 'REQUIRED',
      since: 'REQUIRED',
      words: 'REQUIRED',
    });
  });
});
