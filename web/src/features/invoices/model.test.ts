// @vitest-environment happy-dom
import { beforeAll, describe, expect, it } from 'vitest';
import { t } from '@/shared/i18n';
import type { StatementLine } from '@/shared/statement/types';
import { lineFormula, lineName, lineProduct } from '@/shared/statement/words';
import { useTexts } from '@/test/texts';
import {
  actionsOf,
  currentMonth,
  isOverdue,
  NEW_RECTIFICATION,
  namedMonths,
  type RectifyValues,
  readAmount,
  rectificationOf,
  rectifyProblems,
  rectifyTotals,
  returnWays,
  shortIban,
} from './model';
import { invoice, lines, statistics } from './testing';
import type { InvoiceStatus } from './types';

beforeAll(() => useTexts());

const plain = (text: string) => text.replace(/\s/g, ' ');

// INV-10
it.each([
  ['AC04', ['data', 'again', 'paid', 'unpaid']],
  ['AM04', ['again', 'paid', 'data', 'unpaid']],
  ['MD06', ['paid', 'again', 'data', 'unpaid']],
  [null, ['paid', 'again', 'data', 'unpaid']],
])('orders the ways out of a return for %s', (code, ways) => {
  expect(returnWays({ returnReason: code ? { code, label: '' } : null })).toEqual(ways);
});

it.each<[InvoiceStatus, boolean]>([
  ['issued', true],
  ['sent', true],
  ['returned', false],
  ['unpaid', false],
])('says of an invoice past its day that is %s: overdue %s', (status, late) => {
  expect(isOverdue({ status, overdue: true })).toBe(late);
  expect(isOverdue({ status, overdue: false })).toBe(false);
});

describe('what may be done', () => {
  it.each<[InvoiceStatus, string[]]>([
    ['draft', []],
    ['issued', ['paid', 'rectify', 'cancel']],
    ['sent', ['paid', 'unpaid', 'rectify']],
    ['in_remittance', []],
    ['paid', ['rectify']],
    ['returned', ['paid', 'unpaid', 'rectify']],
    ['unpaid', ['paid', 'rectify']],
    ['rectified', []],
    ['cancelled', []],
  ])('to a %s invoice is %j', (status, actions) => {
    expect(actionsOf(invoice({ status }))).toEqual(actions);
  });

  it('does not rectify a rectifying invoice', () => {
    expect(actionsOf(invoice({ kind: 'rectifying', status: 'issued' }))).toEqual(['paid', 'cancel']);
  });
});

describe('a rectification', () => {
  const values: RectifyValues = { ...NEW_RECTIFICATION, amount: '-49,59', reason: 'Tarifa equivocada' };

  it('reads amounts of both languages and nothing else', () => {
    expect(['-49,59', '−49.59', ' 12 € ', '+3,5'].map(readAmount)).toEqual([-49.59, -49.59, 12, 3.5]);
    expect(['', '-', '1.234,50', '1,234', '49,599', 'x', '1e3'].map(readAmount)).toEqual(Array(7).fill(null));
  });

  it('has an amount that the invoice can give back, and a reason', () => {
    const of = invoice({ base: 100 });
    expect(rectifyProblems(values, of)).toEqual({});
    expect(rectifyProblems({ ...values, amount: '-100,01' }, of)).toEqual({ amount: 'amountTooLow' });
    expect(rectifyProblems({ ...values, amount: '0' }, of)).toEqual({ amount: 'amountRequired' });
    expect(rectifyProblems({ ...values, kind: 'to-zero', amount: '' }, of)).toEqual({});
    expect(rectifyProblems({ ...values, reason: '  ' }, of)).toEqual({ reason: 'reasonRequired' });
    expect(rectifyProblems({ ...values, reason: 'x'.repeat(501) }, of)).toEqual({ reason: 'reasonTooLong' });
  });

  it('states the conditions of its cause, and no others', () => {
    const of = invoice({ base: 100 });
    const debt: RectifyValues = { ...values, cause: 'bad-debt' };
    expect(Object.keys(rectifyProblems(debt, of))).toEqual(['claimedOn', 'claim', 'reference', 'notExcluded']);
    expect(rectifyProblems({ ...debt, amount: '10' }, of)).toEqual({});
    const court = { ...values, cause: 'insolvency' as const, orderDate: '2026-11-01', publishedOn: '2026-11-02' };
    expect(Object.keys(rectifyProblems(court, of))).toEqual(['reference', 'notExcluded']);
    const whole = { ...court, kind: 'to-zero' as const, reference: 'Autos 1', notExcluded: true, reissue: true };
    expect(rectificationOf(whole)).toEqual({
      reason: 'Tarifa equivocada',
      kind: 'to-zero',
      cause: 'insolvency',
      relief: { orderDate: '2026-11-01', publishedOn: '2026-11-02', reference: 'Autos 1', notExcluded: true },
    });
    expect(rectificationOf(values)).not.toHaveProperty('relief');
  });

  it('comes to what will be issued, to the cent', () => {
    expect(rectifyTotals(values, invoice())).toEqual({ base: -49.59, vat: -10.41, total: -60 });
    expect(rectifyTotals({ ...values, kind: 'to-zero' }, invoice())).toEqual({
      base: -3274.55,
      vat: -687.66,
      total: -3962.21,
    });
    // 545.40 × 21 % is 114.534, 1280.10 × 21 % is 268.821, 0.50 × 21 % is 0.105: half away from zero.
    const vat = (amount: string) => rectifyTotals({ ...values, amount }, invoice())?.vat;
    expect([vat('545,40'), vat('-1280,10'), vat('0,50'), vat('-0,50')]).toEqual([114.53, -268.82, 0.11, -0.11]);
    expect(rectifyTotals({ ...values, amount: '' }, invoice())).toBeNull();
    expect(rectifyTotals(values, invoice({ vatRate: 0 }))?.total).toBe(-49.59);
  });
});

it('marks the last invoiced month, never the running one', () => {
  expect(currentMonth(statistics.months)).toBe('2026-10');
  expect(currentMonth(statistics.months.slice(-1))).toBeNull();
});

it('shortens a masked IBAN', () => {
  expect(shortIban('ES91 **** **** **** **** 4417')).toBe('ES•• •••• •••• 4417');
});

describe('lines', () => {
  const [first, other, exceeded, discount] = lines as [StatementLine, StatementLine, StatementLine, StatementLine];
  const line = (part: Partial<StatementLine>): StatementLine => ({
    ...discount,
    code: 'minimum',
    amount: 18,
    formula: { key: 'minimum', values: { minimum: 30, net: 12, days: 31, daysInMonth: 31 } },
    ...part,
  });
  const formula = (of: StatementLine) => plain(lineFormula(t, of, 'es'));

  it('say what was counted at which price', () => {
    expect(lines.map((of) => plain(lineProduct(t, of, 'es')))).toEqual([
      '380 × 6,00 €',
      '32 × 3,00 €',
      '1.204 min × 0,35 €',
      '',
    ]);
    expect([first, other, exceeded, discount, line({})].map((of) => plain(lineName(t, of, 'es')))).toEqual([
      'Conexiones',
      'Otras conexiones',
      'Minutos excedidos',
      'Descuento por volumen (15 %)',
      'Complemento hasta el consumo mínimo',
    ]);
  });

  it('explain their formula', () => {
    expect(formula(first)).toBe('La primera conexión del mes de cada uno de los 380 expedientes');
    expect(formula({ ...first, quantity: 1 })).toBe('La primera conexión del mes de un expediente');
    expect(formula(exceeded)).toBe('Minutos empezados por encima de los 10 que incluye cada conexión');
    expect(formula(discount)).toBe('15 % de 2.797,40 €, por 412 conexiones en el mes');
    expect(formula(line({}))).toBe('El consumo mínimo del mes es 30,00 € y el consumo, 12,00 €');
    const part = line({ formula: { key: 'minimum', values: { minimum: 15.48, net: 6, days: 16, daysInMonth: 31 } } });
    expect(formula(part)).toBe('El consumo mínimo de 16 de los 31 días del mes es 15,48 € y el consumo, 6,00 €');
  });

  it('keep the words of an adjustment', () => {
    const adjustment = line({ code: 'adjustment', description: 'Tarifa equivocada', formula: { key: '', values: {} } });
    expect([lineName(t, adjustment, 'es'), formula(adjustment)]).toEqual(['Tarifa equivocada', '']);
  });
});

describe('months named below the bars', () => {
  const year = Array.from({ length: 12 }, (_none, at) => ({ period: `2026-${String(at + 1).padStart(2, '0')}` }));

  it('are all where there is room', () => {
    expect(namedMonths(year, '2026-09', 13)).toHaveLength(12);
  });

  it('are evenly spaced where there is not, the full one among them', () => {
    expect(namedMonths(year, '2026-09', 6)).toEqual(['2026-01', '2026-03', '2026-05', '2026-07', '2026-09', '2026-11']);
    expect(namedMonths(year, null, 6).at(-1)).toBe('2026-12');
  });
});
