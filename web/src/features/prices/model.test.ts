import { describe, expect, it } from 'vitest';
import { samePrices } from '@/shared/lib/prices';
import { price } from '@/test/price';
import { draftOf, formOf, problemsOf, readDecimal, stateOf, tierProblems, tiersOf, toPrice } from './model';
import { exampleOf, statementLines, type Usage, usageProblems } from './simulation';

const TODAY = '2026-11-22';
const tier = (to: string, percent: string, id = 0) => ({ id, to, percent });

describe('a new version', () => {
  it('begins as a copy that is the same', () => {
    expect(samePrices(draftOf(formOf(price), tiersOf(price)), price)).toBe(true);
    expect(formOf(price).exceededMinute).toBe('0,35');
  });

  it.each([
    ['6', 6],
    ['6,5', 6.5],
    ['6.50', 6.5],
    ['6,50 €', 6.5],
    ['6,505', null],
    ['-1', null],
    ['seis', null],
    ['', null],
  ])('reads %j as %j', (text, number) => {
    expect(readDecimal(text)).toBe(number);
  });

  it('names what is wrong, all at once', () => {
    const values = {
      ...formOf(price),
      connection: '',
      guestMinute: '0,205',
      minuteLimit: '2,5',
      validFrom: '2026-11-21',
    };
    expect(problemsOf(values, TODAY)).toEqual({
      connection: 'required',
      guestMinute: 'amount',
      minuteLimit: 'whole',
      validFrom: 'past',
    });
    expect(problemsOf({ ...formOf(price), validFrom: TODAY }, TODAY)).toEqual({});
    expect(problemsOf({ ...formOf(price), validFrom: '2026-02-30' }, TODAY)).toEqual({ validFrom: 'date' });
  });

  it.each([
    [
      [tier('50', '0'), tier('100', '5')],
      [null, null],
    ],
    [
      [tier('50', '0'), tier('50', '5')],
      [null, 'rising'],
    ],
    [
      [tier('50', '5'), tier('100', '4,99')],
      [null, 'falling'],
    ],
    [
      [tier('0', '0'), tier('10', '101')],
      ['to', 'percent'],
    ],
    [
      [tier('1,5', '0'), tier('10', '')],
      ['to', 'percent'],
    ],
    [[], []],
  ])('checks tiers %j', (tiers, problems) => {
    expect(tierProblems(tiers)).toEqual(problems);
  });

  it('sends numbers, the start of a day in Madrid and for whom', () => {
    const values = { ...formOf(price), minuteLimit: '', validFrom: '2026-12-01', companyId: 'c1' };
    expect(toPrice(values, tiersOf(price))).toEqual({
      connection: 6,
      otherConnections: 3,
      minuteLimit: null,
      exceededMinute: 0.35,
      guestMinute: 0.2,
      minPayment: 30,
      discounts: price.discounts,
      validFrom: '2026-11-30T23:00:00.000Z',
      companyId: 'c1',
    });
    expect('validFrom' in toPrice(formOf(price), [])).toBe(false);
  });

  it('knows where a version stands', () => {
    const now = Date.parse('2026-11-22T10:00:00Z');
    expect(stateOf({ inForce: true, validFrom: '2026-11-01T00:00:00Z' }, now)).toBe('inForce');
    expect(stateOf({ inForce: false, validFrom: '2026-12-01T00:00:00Z' }, now)).toBe('scheduled');
    expect(stateOf({ inForce: false, validFrom: '2026-10-01T00:00:00Z' }, now)).toBe('past');
  });
});

describe('calculator', () => {
  const usage: Usage = {
    month: '2026-02',
    cases: '3',
    further: '2',
    minutes: '14',
    guests: '3',
    postalCode: '28001',
    payStart: '',
  };

  it('spreads the connections over the month, each case first once', () => {
    const { sessions, prices, customer } = exampleOf(usage, 'p2', price);
    expect(sessions.map(({ expedientNumber }) => expedientNumber)).toEqual(['e1', 'e2', 'e3', 'e1', 'e2']);
    expect(sessions.map(({ start }) => start)).toEqual([
      '2026-02-01T07:00:00Z',
      '2026-02-08T03:30:00Z',
      '2026-02-15T00:00:00Z',
      '2026-02-21T20:30:00Z',
      '2026-02-28T17:00:00Z',
    ]);
    expect(sessions[0]).toMatchObject({ seconds: 840, guests: [180] });
    expect(prices[0]).toMatchObject({ connection: 600, exceededMinute: 35, minPayment: 3000, minuteLimit: 10 });
    expect('pay_startAt' in customer).toBe(false);
  });

  it('begins the billing at the day in Madrid', () => {
    const { customer } = exampleOf({ ...usage, payStart: '2026-07-16' }, 'p2', price);
    expect(customer).toMatchObject({ pay_startAt: '2026-07-15T22:00:00.000Z' });
  });

  it('names what cannot be calculated', () => {
    expect(usageProblems(usage)).toEqual({});
    expect(usageProblems({ ...usage, cases: '0' })).toEqual({ further: 'cases' });
    expect(usageProblems({ ...usage, cases: '5000' })).toEqual({ cases: 'many' });
    expect(usageProblems({ ...usage, minutes: '1,5', month: 'mayo', postalCode: '2800' })).toEqual({
      minutes: 'whole',
      month: 'month',
      postalCode: 'postal',
    });
  });

  it('writes cents as euros and a discount as what it takes away', () => {
    const lines = statementLines(
      {
        period: '2026-10',
        connections: 100,
        subtotal: 60000,
        net: 57000,
        lines: [
          { code: 'connection', priceId: 'P1', quantity: 100, unit: 600, amount: 60000 },
          { code: 'discount', percent: 5, amount: -3000 },
        ],
      },
      10,
    );
    expect(lines.map(({ amount }) => amount)).toEqual([600, -30]);
    expect(lines[1]?.formula.values).toMatchObject({ percent: 5, subtotal: 600, connections: 100 });
    expect(lines[0]).toMatchObject({ quantity: 100, unitPrice: 6 });
  });
});
