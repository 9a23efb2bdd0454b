import type { T } from '@/shared/i18n';
import { monthText } from '@/shared/lib/months';
import type { Process } from './model';

const quarterOf = (month: string): string => `${month.slice(0, 4)}-${Math.ceil(Number(month.slice(5)) / 3)}T`;

/** What can be asked of the books: the quarters of the closed months, these themselves, and the years; each the newest first. */
export function periodsOf(processes: Pick<Process, 'period'>[]): string[] {
  const months = processes.map(({ period }) => period).sort((a, b) => b.localeCompare(a));
  const once = (all: string[]) => [...new Set(all)];
  return [...once(months.map(quarterOf)), ...months, ...once(months.map((month) => month.slice(0, 4)))];
}

/** `4.º trimestre de 2026`, `Octubre 2026`, `2026`. */
export function periodText(t: T, period: string, language: string): string {
  const quarter = /^(\d{4})-([1-4])T$/.exec(period);
  if (quarter) return t('invoiceprocesses.quarter', { quarter: quarter[2], year: quarter[1] });
  return period.length === 4 ? t('invoiceprocesses.year', { year: period }) : monthText(period, language);
}
