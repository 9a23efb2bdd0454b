/** Control letters of personal ids by remainder of 23. */
const PERSONAL = 'TRWAGMYFPDXBNJZSQVHLCKE';
/** Control letters of companies by control digit. */
const ENTITY = 'JABCDEFGHI';
const LETTER_ONLY = 'NPQRSW';
const DIGIT_ONLY = 'ABEH';

export interface TaxIdVerdict {
  accepted: boolean;
  /** Without spaces and hyphens, in capitals. */
  normalized: string;
  /** The control is right but of a kind that is unusual for this letter: a hint, no error. */
  unusualControl: boolean;
}

export const normalizeTaxId = (input: string) => input.replace(/[\s-]+/g, '').toUpperCase();

/** The weighted sum of the figures, as its control digit. */
function entityDigit(digits: string): number {
  const sum = [...digits].reduce((total, figure, place) => {
    const n = Number(figure);
    if (place % 2 === 1) return total + n;
    return total + Math.floor((2 * n) / 10) + ((2 * n) % 10);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

function isPersonal(id: string): boolean {
  // X, Y, Z stand for 0, 1, 2. K, L and M carry no number of their own.
  const digits = id.slice(0, 8).replace(/^[XYZ]/, (letter) => String('XYZ'.indexOf(letter)));
  return PERSONAL[Number(digits.replace(/^[KLM]/, '')) % 23] === id[8];
}

/**
 * Spanish tax id of a person or a company: what the specification's rule or the strict one accepts.
 */
export function checkTaxId(input: string): TaxIdVerdict {
  const id = normalizeTaxId(input);
  const verdict = (accepted: boolean, unusualControl = false) => ({ accepted, normalized: id, unusualControl });
  if (/^[0-9XYZKLM][0-9]{7}[A-Z]$/.test(id)) return verdict(isPersonal(id));
  if (!/^[ABCDEFGHJNPQRSUVW][0-9]{7}[0-9A-J]$/.test(id)) return verdict(false);
  const digit = entityDigit(id.slice(1, 8));
  const control = id[8] as string;
  const asDigit = control === String(digit);
  if (!asDigit && control !== ENTITY[digit]) return verdict(false);
  const letter = id[0] as string;
  const foreign = id.startsWith('00', 1);
  const unusual = asDigit ? LETTER_ONLY.includes(letter) : DIGIT_ONLY.includes(letter) && !foreign;
  return verdict(true, unusual);
}

/** What people add and the rule refuses: dots, and the `ES` of a VAT number (the form may strip them). */
export function tidyTaxId(input: string): string {
  const id = normalizeTaxId(input).replace(/\./g, '');
  return /^ES.{9}$/.test(id) ? id.slice(2) : id;
}

/** The id with its leading zero, when that is what is missing; else `null`. */
export function paddedTaxId(input: string): string | null {
  const id = tidyTaxId(input);
  if (!/^[0-9]{7}[A-Z]$/.test(id)) return null;
  return checkTaxId(`0${id}`).accepted ? `0${id}` : null;
}
