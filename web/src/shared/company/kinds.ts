import type { components } from '@/api/generated/schema';
import type { Present } from '@/api/types';
import type { T } from '@/shared/i18n';
import { paths } from '@/shared/routes/paths';
import type { IconName } from '@/shared/ui/Icon';

type Schemas = components['schemas'];
type Issuer = 'registryData' | 'bic' | 'creditorSuffix';

/** An acceptance of a legal text. */
export type LegalEntry = Schemas['LegalHistory'];

/** A company as its principal and the administrator see it; the issuer's data are the platform company's only. */
export type Company = Omit<Present<Schemas['Company']>, Issuer | 'principal'> &
  Partial<Pick<Schemas['Company'], Issuer>> & { principal: Present<Schemas['Principal']> | null };

/** The platform company, whose profile is the invoice issuer's data. */
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
    href: paths.carReparations(),
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
