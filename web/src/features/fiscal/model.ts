import { isPostalCode } from '@/shared/checks/province';
import { checkTaxId, tidyTaxId } from '@/shared/checks/tax-id';
import type { T } from '@/shared/i18n';
import { isInUnion, SPAIN } from './countries';
import { FIELDS, type FiscalBlock, type FiscalField, type Regime } from './types';

/** What the form of a change holds. */
export type FiscalValues = FiscalBlock & { regime: Regime; since: string; words: string };

/** What a tax id is called there. */
export function taxIdLabel(t: T, country: string): string {
  if (country === SPAIN) return t('companies.cif');
  return isInUnion(country) ? t('fiscal.vatNumber') : t('fiscal.taxIdAbroad');
}

/** As it is sent: Spanish ones without what people put between, others as they were typed. */
const tidied = (cif: string, country: string): string => (country === SPAIN ? tidyTaxId(cif) : cif.trim());

/** The fields that differ from what is in force, as they are sent. */
export function changedFields(block: FiscalBlock, values: FiscalBlock): Partial<Record<FiscalField, string>> {
  const changed: Partial<Record<FiscalField, string>> = {};
  for (const field of FIELDS) {
    const typed = field === 'cif' ? tidied(values.cif, values.country) : values[field].trim();
    if (typed !== block[field]) changed[field] = typed;
  }
  return changed;
}

/** Another tax id than the one in force is another taxpayer; a first one is not. */
export const isAnotherTaxpayer = (block: FiscalBlock, values: FiscalBlock): boolean =>
  block.cif !== '' && tidied(values.cif, values.country) !== block.cif;

/** The province's part of a postal code, outside the territory of VAT: Canaries, Ceuta, Melilla. */
const OUTSIDE = ['35', '38', '51', '52'];

/** The regime that country and postal code make of an issuer on the peninsula; another issuer's is the server's to say. */
export function regimeOf(postalCode: string, country = SPAIN): Regime {
  if (isInUnion(country)) return 'reverseCharge';
  return country !== SPAIN || OUTSIDE.includes(postalCode.trim().slice(0, 2)) ? 'outside' : 'general';
}

/** Outside Spain there may be neither postal code nor province. */
const requiredFields = (country: string) =>
  country === SPAIN ? FIELDS : FIELDS.filter((field) => field !== 'postalCode' && field !== 'region');

/** The server's code of every wrong field. */
export function fiscalProblems(
  values: FiscalValues,
  reasonRequired: boolean,
): Partial<Record<keyof FiscalValues, string>> {
  const found: Partial<Record<keyof FiscalValues, string>> = {};
  const abroad = values.country !== SPAIN;
  for (const field of requiredFields(values.country)) if (!values[field].trim()) found[field] = 'REQUIRED';
  // The formats of other countries are the server's; so is whether a number exists.
  if (!abroad && !found.cif && !checkTaxId(tidyTaxId(values.cif)).accepted) found.cif = 'FISCAL_INCORRECT';
  if (!abroad && !found.postalCode && !isPostalCode(values.postalCode)) found.postalCode = 'POSTAL_CODE_INVALID';
  if (!values.since) found.since = 'REQUIRED';
  if (reasonRequired && !values.words.trim()) found.words = 'REQUIRED';
  return found;
}
