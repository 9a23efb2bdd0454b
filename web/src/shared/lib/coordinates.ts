import { localeOf } from '@/shared/i18n/languages';
/** `39,68012° N, 0,27841° O`: five decimals are about a metre. */
export function coordinatesText(position: { latitude: number; longitude: number }, language: string): string {
  const format = new Intl.NumberFormat(localeOf(language), { minimumFractionDigits: 5, maximumFractionDigits: 5 });
  const west = language.startsWith('es') ? 'O' : 'W';
  const part = (value: number, positive: string, negative: string) =>
    `${format.format(Math.abs(value))}° ${value < 0 ? negative : positive}`;
  return `${part(position.latitude, 'N', 'S')}, ${part(position.longitude, 'E', west)}`;
}
