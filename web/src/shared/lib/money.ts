import { localeOf } from '@/shared/i18n/languages';

const formats = new Map<string, Intl.NumberFormat>();

/** Making a format takes longer than a row of a list, so each is made once. */
function format(language: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = language + JSON.stringify(options);
  let found = formats.get(key);
  if (!found) {
    // Spanish writes no point in 3962,21 by itself; money has it always (look/12).
    found = new Intl.NumberFormat(localeOf(language), {
      useGrouping: 'always',
      ...options,
    } as Intl.NumberFormatOptions);
    formats.set(key, found);
  }
  return found;
}

/** With a true minus sign: as wide as a figure, so that columns stay in line. */
const written = (value: number, language: string, options: Intl.NumberFormatOptions): string =>
  format(language, options).format(value).replace('-', '−');

/** `3.962,21 €`, or a dash when absent: an amount as the API writes it, in euros. */
export function euros(value: number | null | undefined, language: string): string {
  if (value == null) return '–';
  return written(value, language, { style: 'currency', currency: 'EUR' });
}

/** `3.962,21` without the unit, or a dash: for columns whose head says what it is. */
export function amount(value: number | null | undefined, language: string): string {
  if (value == null) return '–';
  return written(value, language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

/** `12.430`: a count. */
export const count = (value: number, language: string): string =>
  written(value, language, { maximumFractionDigits: 0 });

/** `7,5 %` of `7.5`. */
export const percentText = (percent: number, language: string): string =>
  written(percent / 100, language, { style: 'percent', maximumFractionDigits: 2 });
