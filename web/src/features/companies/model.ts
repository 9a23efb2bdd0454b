import type { components } from '@/api/generated/schema';
import type { MissingPiece, Present } from '@/api/types';

import { paths } from '@/app/paths';
import type { T } from '@/shared/i18n';
import { madridDay } from '@/shared/lib/dates';
import type { IconName } from '@/shared/ui/Icon';

type Schemas = components['schemas'];
type Issuer = 'registryData' | 'bic' | 'creditorSuffix';

/** An acceptance of a legal text. */
export type LegalEntry = Schemas['LegalHistory'];

/** A company as its principal and the administrator see it; the issuer's data are the platform company's only. */
export type Company = Omit<Present<Schemas['Company']>, Issuer | 'principal'> &
  Partial<Pick<Schemas['Company'], Issuer>> & { principal: Present<Schemas['Principal']> | null };

/** The platform company, whose profile is the invoice issuer's data (DESIGN §3 Tenancy). */
export const PLATFORM = 1;
/** Kinds of tenants: customer, repairer, car repair shop. The principal's role has the same number. */
export type Kind = 2 | 4 | 6;
export type AnyKind = Kind | typeof PLATFORM;

export interface KindFacts {
  /** Noun of the calls: wrapper of bodies and answers, and last part of the path. */
  noun: 'customer' | 'repairer' | 'carReparation';
  list: 'customers' | 'repairers' | 'carReparations';
  activate: string;
  icon: IconName;
  href: string;
}

export const KINDS: Record<Kind, KindFacts> = {
  2: { noun: 'customer', list: 'customers', activate: 'activate-customer', icon: 'bld', href: paths.customers() },
  4: { noun: 'repairer', list: 'repairers', activate: 'activate-repairer', icon: 'rul', href: paths.repairers() },
  6: {
    noun: 'carReparation',
    list: 'carReparations',
    activate: 'activate-car-reparation',
    icon: 'car',
    href: paths.workshops(),
  },
};

/** `companyType` of the wire as a kind; anything unknown is read as a customer, which the server then refuses. */
export function kindOf(companyType: string | undefined): AnyKind {
  const kind = Number(companyType);
  return kind === 1 || kind === 4 || kind === 6 ? kind : 2;
}

export const nounOf = (kind: AnyKind) => (kind === PLATFORM ? 'customer' : KINDS[kind].noun);

/** Title of the list of a kind. */
export const kindTitle = (t: T, kind: Kind): string =>
  ({ 2: t('shell.customers'), 4: t('shell.repairers'), 6: t('shell.workshops') })[kind];

/** Where the company stands between its registration and its first invoice. */
export type Period = 'pending' | 'trial' | 'trialMissing' | 'ended' | 'billed' | 'unpaid' | 'inactive';

/**
 * Trial and billing of a company in one word: SPEC §4 "Trial and billing banner", "Blocking". Before the payment start
 * (pay_startAt, else created_at) it is a trial; afterwards it is billed when complete and active, else its trial has
 * ended.
 */
export function periodOf(
  company: Pick<Company, 'status' | 'pay_startAt' | 'created_at' | 'missing'>,
  now: number,
): Period {
  if (company.status === 0) return 'pending';
  if (company.status === 1 || company.status === 4) return 'inactive';
  if (company.status === 5) return 'unpaid';
  const lacking = company.missing.includes('legal') || company.missing.includes('iban');
  if (Date.parse(company.pay_startAt ?? company.created_at) > now) return lacking ? 'trialMissing' : 'trial';
  return lacking ? 'ended' : 'billed';
}

/** What a company itself has to bring before it may call: the rest is a matter of time or of the administrator. */
export const ownPieces = (missing: MissingPiece[]): MissingPiece[] =>
  missing.filter((piece) => piece === 'legal' || piece === 'iban');

/** What was accepted in one act: texts and prices. */
export interface Acceptance {
  accepted_at: string;
  expires_at: string | null;
  ids: string[];
  priceId: string | null;
}

/** The acceptances of the terms, newest first; the texts that were accepted together are one. */
export function acceptances(history: LegalEntry[]): Acceptance[] {
  const acts = new Map<string, Acceptance>();
  for (const { id, priceId = null, accepted_at, expires_at = null } of history) {
    const key = `${madridDay(accepted_at)} ${madridDay(expires_at)} ${priceId}`;
    const act = acts.get(key);
    if (act) act.ids.push(id);
    else acts.set(key, { accepted_at, expires_at, ids: [id], priceId });
  }
  return [...acts.values()].sort((a, b) => b.accepted_at.localeCompare(a.accepted_at));
}

/** What holds now of what was accepted, each kind of text once. */
export function acceptedNow(history: LegalEntry[]): Pick<Acceptance, 'ids' | 'priceId'> {
  const open = history.filter(({ expires_at }) => !expires_at);
  return { ids: [...new Set(open.map(({ id }) => id))], priceId: open.find(({ priceId }) => priceId)?.priceId ?? null };
}
