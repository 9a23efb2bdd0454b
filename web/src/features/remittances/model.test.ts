// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import { reasonText } from '@/shared/lib/bank-reason';
import { useTexts } from '@/test/texts';
import {
  BANK_FILE_MAX,
  currentMandate,
  didTexts,
  excludedGroups,
  excludedText,
  fileProblem,
  mandateState,
  needsCare,
  nextText,
  resultGroups,
  sumOf,
} from './model';
import { bankFile, excluded, mandate, proposal, returned, unsigned } from './testing';

beforeAll(() => useTexts());

/** Every code that banks send. */
const CODES =
  'AC01 AC04 AC06 AC13 AG01 AG02 AM04 AM05 BE05 CNOR DNOR FF01 FF05 MD01 MD02 MD06 MD07 MS02 MS03 RC01 RR01 RR02 RR03 RR04 SL01'.split(
    ' ',
  );

describe('reasons', () => {
  it.each(CODES)('has plain words and a next step for %s', (code) => {
    const reason = { code, label: '' };
    expect(reasonText(t, reason)).not.toBe(`Motivo ${code}`);
    expect(nextText(t, reason)).not.toBe(t('sepa.nextOther'));
  });

  it('falls back on the words of the server, then on the code', () => {
    expect(reasonText(t, { code: 'ZZ99', label: 'Otra cosa' })).toBe('Otra cosa');
    expect(reasonText(t, { code: 'ZZ99', label: '' })).toBe('Motivo ZZ99');
    expect(nextText(t, { code: 'ZZ99', label: '' })).toBe(t('sepa.nextOther'));
    expect(excludedText(t, 'SOMETHING_NEW')).toBe('SOMETHING_NEW');
  });

  it('is put by reason, the largest first and what was paid last', () => {
    const paid = { ...returned, kind: 'confirmation' as const, reason: null, action: 'paid' as const, retryOn: null };
    const refund = { ...returned, kind: 'refund' as const, reason: { code: 'MD06', label: '' } };
    const groups = resultGroups([paid, paid, paid, refund, returned, { ...returned, endToEndId: 'x' }]);
    expect(groups.map(({ kind, items }) => [kind, items.length])).toEqual([
      ['return', 2],
      ['refund', 1],
      ['confirmation', 3],
    ]);
  });

  it('says each thing the system did once', () => {
    const gone = {
      ...returned,
      action: 'unpaid' as const,
      retryOn: null,
      mandate: 'suspended' as const,
      blocked: true,
    };
    expect(didTexts(t, [returned, returned], 'es')).toEqual([
      'Ha anotado las facturas como devueltas, ha avisado al cliente y las volverá a presentar desde el 27/11/2026.',
    ]);
    expect(didTexts(t, [gone, gone], 'es')).toEqual([
      'Ha anotado las facturas como impagadas y ha avisado al cliente.',
      'Ha suspendido el mandato.',
      'Ha bloqueado al cliente por impago.',
    ]);
  });

  it('asks for care unless all was paid or known', () => {
    const known = { ...returned, action: 'known' as const };
    const paid = { ...returned, kind: 'confirmation' as const, reason: null, action: 'paid' as const };
    expect(needsCare(bankFile)).toBe(true);
    expect(needsCare({ items: [paid, known], unmatched: [], proposals: [] })).toBe(false);
    const line = { endToEndId: null, reason: null, amount: 1, bookingDate: null, payer: null, text: null };
    const lost = { ...line, kind: 'return' as const, why: 'NOT_FOUND' };
    expect(needsCare({ items: [paid], unmatched: [lost], proposals: [] })).toBe(true);
    const spent = { ...line, kind: 'outgoing' as const, why: 'NOT_OURS' };
    expect(needsCare({ items: [paid], unmatched: [spent], proposals: [] })).toBe(false);
    expect(needsCare({ items: [], unmatched: [], proposals: [proposal] })).toBe(true);
    expect(needsCare({ items: [], unmatched: [], proposals: [{ ...proposal, status: 'dismissed' }] })).toBe(false);
  });
});

describe('mandates', () => {
  it('are unsigned before they are active', () => {
    expect(mandateState(mandate)).toBe('active');
    expect(mandateState(unsigned)).toBe('unsigned');
    expect(mandateState({ ...unsigned, status: 'cancelled' })).toBe('cancelled');
  });

  it('count while they are active or suspended', () => {
    const over = { ...mandate, _id: 'old', status: 'expired' as const };
    expect(currentMandate([over, mandate])).toBe(mandate);
    expect(currentMandate([over])).toBeNull();
  });
});

it('adds euros up to the cent', () => {
  expect(sumOf([{ amount: 0.1 }, { amount: 0.2 }, { amount: 1084.8 }])).toBe(1085.1);
});

it('groups what is left out by why', () => {
  const other = { ...excluded, reason: 'IBAN_MISSING' };
  expect(excludedGroups([other, excluded, excluded]).map(({ reason, rows }) => [reason, rows.length])).toEqual([
    ['MANDATE_UNSIGNED', 2],
    ['IBAN_MISSING', 1],
  ]);
});

it('refuses a file that is empty or too large before it is sent', () => {
  expect(fileProblem(t, { size: 0 })).toBe('El fichero está vacío.');
  expect(fileProblem(t, { size: BANK_FILE_MAX + 1 })).toContain('10 MB');
  expect(fileProblem(t, { size: BANK_FILE_MAX })).toBeNull();
});
