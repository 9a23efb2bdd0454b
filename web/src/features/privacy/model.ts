/** The server asks for so many characters, so that nobody is found by a part of a name. CONTRACT `persons`. */
export const SEARCH_MIN = 7;

/** A phone or an e-mail address as it is sent; `null` while it is neither. The server normalises and has the last word. */
export function readPerson(typed: string): string | null {
  const text = typed.trim();
  if (text.includes('@')) return /^\S+@\S+\.\S+$/.test(text) && text.length >= SEARCH_MIN ? text : null;
  const digits = text.replace(/[\s().-]/g, '');
  return /^\+?\d{7,19}$/.test(digits) ? digits : null;
}

/** Days that files stay: the platform's at least, longer when the company's contract says so. */
export const keptDays = (standard: number, company: number | null | undefined): number =>
  Math.max(standard, company ?? 0);

/** What a field for day and time holds, as it is sent; `null` while it holds no moment. */
export function asMoment(typed: string): string | null {
  const at = new Date(typed);
  return typed && !Number.isNaN(at.getTime()) ? at.toISOString() : null;
}
