/** How the numbers of Spain and its neighbours are grouped; any other stays as it was written. */
const GROUPS: [RegExp, string][] = [
  [/^\+34(\d{3})(\d{3})(\d{3})$/, '+34 $1 $2 $3'],
  [/^\+351(\d{3})(\d{3})(\d{3})$/, '+351 $1 $2 $3'],
  [/^\+33(\d)(\d{2})(\d{2})(\d{2})(\d{2})$/, '+33 $1 $2 $3 $4 $5'],
];

/** `+34960000000` as people read it: `+34 960 000 000`. */
export function grouped(number: string): string {
  const digits = number.replace(/[\s.()-]/g, '').replace(/^00/, '+');
  const known = GROUPS.find(([pattern]) => pattern.test(digits));
  return known ? digits.replace(known[0], known[1]) : number;
}

/** The address that dials the number. */
export const dial = (number: string) => `tel:${number.replace(/[^\d+]/g, '')}`;
