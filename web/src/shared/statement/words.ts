import type { T } from '@/shared/i18n';
import { count, euros, percentText } from '@/shared/lib/money';
import type { LineCode, StatementLine } from './types';

/** Lines that add up calls: these open down to them. */
const COUNTED: LineCode[] = ['connection', 'otherConnections', 'exceededMinute', 'guestMinute'];

export const countsCalls = ({ code }: StatementLine): boolean => COUNTED.includes(code);

const minutes = ({ code }: StatementLine) => code === 'exceededMinute' || code === 'guestMinute';

/** The name of a line in the reader's language; of an adjustment, what was written on it. */
export function lineName(t: T, line: StatementLine, language: string): string {
  switch (line.code) {
    case 'connection':
    case 'otherConnections':
    case 'exceededMinute':
    case 'guestMinute':
    case 'minimum':
      return t(`consumption.line_${line.code}`);
    case 'discount': {
      const { percent } = line.formula.values;
      return typeof percent === 'number'
        ? t('consumption.line_discount', { percent: percentText(percent, language) })
        : line.description;
    }
    default:
      return line.description;
  }
}

/** `12 × 6,00 €`; nothing for a line that is no multiplication. */
export function lineProduct(t: T, line: StatementLine, language: string): string {
  if (line.quantity === null || line.unitPrice === null || !countsCalls(line)) return '';
  const values = { quantity: count(line.quantity, language), price: euros(line.unitPrice, language) };
  return minutes(line) ? t('consumption.minutesTimes', values) : t('consumption.times', values);
}

/** What was counted and why it costs that, in a sentence; empty when there is nothing to explain. */
export function lineFormula(t: T, line: StatementLine, language: string): string {
  const { values } = line.formula;
  const money = (name: string) => euros(values[name] ?? 0, language);
  switch (line.code) {
    case 'connection':
      return t('consumption.formula_connection', {
        count: line.quantity ?? 0,
        quantity: count(line.quantity ?? 0, language),
      });
    case 'otherConnections':
      return t('consumption.formula_otherConnections', { count: line.quantity ?? 0 });
    case 'exceededMinute':
      return typeof values.minuteLimit === 'number'
        ? t('consumption.formula_exceededMinute', { limit: values.minuteLimit })
        : t('consumption.formula_exceededMinute_noLimit');
    case 'guestMinute':
      return t('consumption.formula_guestMinute');
    case 'discount':
      return discount(t, line, language);
    case 'minimum':
      return minimum(t, line, money);
    default:
      return '';
  }
}

function discount(t: T, { formula: { values } }: StatementLine, language: string): string {
  const percent = percentText(values.percent ?? 0, language);
  if (typeof values.subtotal !== 'number' || typeof values.connections !== 'number')
    return t('consumption.formula_discount_plain', { percent });
  const connections = count(values.connections, language);
  return t('consumption.formula_discount', { percent, subtotal: euros(values.subtotal, language), connections });
}

function minimum(t: T, { formula: { values } }: StatementLine, money: (name: string) => string): string {
  const { days, daysInMonth, net } = values;
  if (typeof net !== 'number') return t('consumption.formula_minimum_plain', { minimum: money('minimum') });
  const facts = { minimum: money('minimum'), net: money('net') };
  return typeof days === 'number' && typeof daysInMonth === 'number' && days < daysInMonth
    ? t('consumption.formula_minimum_days', { ...facts, days, daysInMonth })
    : t('consumption.formula_minimum', facts);
}
