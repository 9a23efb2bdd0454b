import { i18n, type T } from '@/shared/i18n';
import { languageName } from '@/shared/i18n/languages';
import { longDate } from '@/shared/lib/dates';
import { countText } from '@/shared/lib/format';
import { isMonth, monthOfYear } from '@/shared/lib/months';
import type { PageName } from '@/shared/routes/access';
import { menuLabel, roleTitle } from '@/shared/routes/labels';
import { kindName } from '@/shared/terms/kinds';
import { statusText } from '@/shared/ui/StatusTag';

export type Detail = Record<string, unknown>;

/** The actions that the log knows: the keys of its texts in capitals. */
export const actions = (): string[] =>
  Object.keys(i18n.getResourceBundle(i18n.language, 'audit') ?? {}).filter((key) => /^[A-Z][A-Z_0-9]+$/.test(key));

/** An action in two or three words, for the filter. */
export const actionText = (t: T, action: string): string =>
  i18n.exists(`audit.${action}`) ? menuLabel(t, `audit.${action}`) : t('audit.unheard');

/** Whom a sentence is about, where in it a link stands. */
export type Person = 'user' | 'company';
export type Piece = string | { person: Person };

/** The names that a sentence mentions besides people; said once, they are not repeated among the facts. */
const mentioned = (action: string): string[] => {
  const text = String(i18n.getResource(i18n.language, 'audit', `say_${action}`) ?? '');
  return [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
};

const MARKS: Record<string, Person> = { '\ue000': 'user', '\ue001': 'company' };

/** What happened as a sentence, cut where its people are named. An action of a newer server is said to be one. */
export function sentence(t: T, language: string, action: string, detail: Detail): Piece[] {
  const key = `audit.say_${action}`;
  if (!i18n.exists(key)) return [actionText(t, action)];
  const words = Object.fromEntries(
    mentioned(action).map((name) => [name, valueText(t, language, action, name, detail[name]) || '–']),
  );
  const say = t as unknown as (key: string, values: Record<string, string>) => string;
  const text = say(key, { ...words, user: '\ue000', company: '\ue001' });
  const pieces = text.split(/([\ue000\ue001])/).filter((piece) => piece !== '');
  return pieces.map((piece) => (MARKS[piece] ? { person: MARKS[piece] } : piece));
}

/** The word for a changed field of a user or a company, or for a fact; null where there is none. */
function fieldLabel(t: T, name: string): string | null {
  const key = [`audit.field_${name}`, `users.${name}`, `companies.${name}`].find((label) => i18n.exists(label));
  return key ? menuLabel(t, key) : null;
}

const WITH_ROLE = ['INVITED', 'INVITATION_RENEWED', 'USER_CREATED', 'COMPANY_CREATED'];
const WITH_STATUS = ['USER_ACTIVATED', 'USER_DEACTIVATED', 'COMPANY_STATUS_CHANGED'];

function typeText(t: T, action: string, type: number): string {
  if (WITH_ROLE.includes(action)) return roleTitle(t, type);
  if (action === 'LEGAL_PUBLISHED') return kindName(t, type);
  if (action === 'SHOTS_CHANGED') return type === 1 ? t('shell.autos') : t('shell.diversos');
  return '';
}

/** A fact in words; empty when it has none. */
function valueText(t: T, language: string, action: string, name: string, value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'boolean') return value ? t('common.yes') : t('common.no');
  if (Array.isArray(value)) {
    const parts = value.map((part) =>
      name === 'fields' ? fieldLabel(t, String(part)) : valueText(t, language, action, '', part),
    );
    return parts.filter(Boolean).join(', ');
  }
  if (typeof value === 'object') return '';
  if (name === 'type') return typeText(t, action, Number(value));
  if (typeof value === 'number') return countText(value, language);
  const text = String(value);
  if (name === 'kind') return i18n.exists(`audit.kind_${text}`) ? menuLabel(t, `audit.kind_${text}`) : '';
  if (name === 'method') return i18n.exists(`audit.method_${text}`) ? menuLabel(t, `audit.method_${text}`) : '';
  if (name === 'language') return languageName(text);
  if (isMonth(text)) return monthOfYear(text, language);
  return /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? longDate(text, language) : text;
}

/** `Activo → Inactivo`; a day from which something holds is said as such. */
function change(t: T, language: string, action: string, from: unknown, to: unknown): string {
  const word = (value: unknown) => {
    if (typeof value === 'number' && action === 'ROLE_CHANGED') return roleTitle(t, value);
    if (typeof value === 'number' && WITH_STATUS.includes(action)) return statusText(t, value);
    return valueText(t, language, action, '', value) || '–';
  };
  if (to === undefined) return `${t('prices.validFrom')}: ${word(from)}`;
  return `${word(from)} → ${word(to)}`;
}

/** The short facts that the sentence does not say, in words: `Antes: …`. What has no word, such as an id, is left out. */
export function detailText(t: T, language: string, action: string, detail: Detail): string {
  const { before, after, from = before, to = after, ...rest } = detail;
  const said = mentioned(action);
  const parts = Object.entries(rest).flatMap(([name, value]) => {
    const label = said.includes(name) ? null : fieldLabel(t, name);
    const words = label && valueText(t, language, action, name, value);
    return words ? [`${label}: ${words}`] : [];
  });
  if (from !== undefined || to !== undefined) parts.unshift(change(t, language, action, from, to));
  return parts.join(' · ');
}

/** Where one goes on from an entry: the page that shows what was changed. */
const PAGES: [RegExp, PageName][] = [
  [/^LEGAL_PUBLISHED$/, 'legals'],
  [/^PRICE_/, 'prices'],
  [/^GENERAL_NOTIFICATION_/, 'generalNotification'],
  [/^CAMPAIGN_/, 'broadcast'],
  [/^(MESSAGES|WHATSAPP)_/, 'messageService'],
  [/^VERIFACTU_/, 'verifactu'],
  [/^INVOICES_/, 'invoiceProcesses'],
  [/^INVOICE_/, 'invoices'],
  [/^(REMITTANCE_|BANK_FILE|DEBIT_)/, 'remittances'],
  [/^SHOTS_/, 'shots'],
  [/^(PERSON|CONFERENCE)_/, 'privacy'],
];

export const pageOfAction = (action: string): PageName | null =>
  PAGES.find(([pattern]) => pattern.test(action))?.[1] ?? null;
