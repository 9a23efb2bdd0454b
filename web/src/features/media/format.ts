/** Times as the adjuster reads them, in the browser's zone. `language` is a BCP 47 tag. */
export function timeOfDay(at: string, language: string, seconds = false): string {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return '–';
  return new Intl.DateTimeFormat(language, {
    hour: '2-digit',
    minute: '2-digit',
    second: seconds ? '2-digit' : undefined,
  }).format(date);
}

/** `19/11/2026 11:48:32`: the platform's time (DOMAIN §8), as in the certificate of the same file. */
export function dateAndTime(at: string | null, language: string): string {
  const date = new Date(at ?? '');
  if (Number.isNaN(date.getTime())) return '–';
  const timeZone = 'Europe/Madrid';
  const day = new Intl.DateTimeFormat(language, { day: '2-digit', month: '2-digit', year: 'numeric', timeZone });
  const time = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZone } as const;
  return `${day.format(date)} ${new Intl.DateTimeFormat(language, time).format(date)}`;
}

/** `5,8 MB`, `64 MB`, `812 KB`: decimal units, one decimal below ten. */
export function sizeText(bytes: number, language: string): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'];
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const digits = unit >= 2 && value < 10 ? 1 : 0;
  return `${new Intl.NumberFormat(language, { maximumFractionDigits: digits }).format(value)} ${units[unit]}`;
}
