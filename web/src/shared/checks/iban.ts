/** Without spaces and hyphens, in capitals. */
export const normalizeIban = (input: string) => input.replace(/[\s-]+/g, '').toUpperCase();

/** Remainder by 97 of a number too long for a `number`: figure by figure, letters as two figures (A=10). */
function mod97(text: string): number {
  let rest = 0;
  for (const sign of text) {
    const value = Number.parseInt(sign, 36);
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97;
  }
  return rest;
}

/** The rule: capitals without spaces, two letters first, mod 97 leaves 1. */
export function followsSpecification(input: string): boolean {
  const iban = input.replace(/\s+/g, '').toUpperCase();
  if (!/^[A-Z]{2}[A-Z0-9]{2,}$/.test(iban)) return false;
  return mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** Sum of figures by 2^place, modulo 11, as a control figure of a Spanish account. */
function accountControl(digits: string): number {
  const sum = [...digits].reduce((total, figure, place) => total + Number(figure) * 2 ** place, 0);
  const rest = 11 - (sum % 11);
  return rest === 11 ? 0 : rest === 10 ? 1 : rest;
}

/** Length, figures, check digits and the account's own two control digits. */
export function isSpanishIban(input: string): boolean {
  const iban = normalizeIban(input);
  if (!/^ES\d{22}$/.test(iban) || !followsSpecification(iban)) return false;
  const check = Number(iban.slice(2, 4));
  if (check < 2 || check > 98) return false;
  const [bank, first, second, account] = [iban.slice(4, 12), iban[12], iban[13], iban.slice(14)];
  return accountControl(`00${bank}`) === Number(first) && accountControl(account) === Number(second);
}

/** The instant check of the form: the specification's, and for Spain the whole one. The server knows every country. */
export function isIban(input: string): boolean {
  const iban = normalizeIban(input);
  return iban.startsWith('ES') ? isSpanishIban(iban) : followsSpecification(iban);
}

/** How many figures a Spanish IBAN that is being typed still lacks; 0 when it is whole or not Spanish. */
export function missingFigures(input: string): number {
  const iban = normalizeIban(input);
  return /^ES\d*$/.test(iban) ? Math.max(0, 24 - iban.length) : 0;
}

/** `ES91 **** … 1332`: what the server shows instead of a stored one. */
export const isMasked = (input: string) => input.includes('*');
