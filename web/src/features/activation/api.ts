import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import type { SessionAnswer } from '@/api/types';
import type { CompanyKind } from './model';

type Schemas = components['schemas'];

/** What an invitation says. Both calls consume nothing. */
export interface Invitation {
  /** The role to be created. */
  role: number;
  /** The company that invites; `null` when a company is invited. */
  customer: string | null;
  /** Where it was sent: the user name to be. */
  emailOPhone: string;
}

const anonymous = true;

/** Throws `ApiError` TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_USED. */
export const invitationOf = (token: string) =>
  queryOptions({
    queryKey: ['invitation_of', token],
    queryFn: async (): Promise<Invitation> => {
      const body = { activationToken: token };
      const { role, userParent } = await operation('post', '/api/v1/verify-token-activation', { body, anonymous });
      const { emailOPhone } = await operation('post', '/api/v1/activation-email-token', { body, anonymous });
      return { role, customer: userParent ?? null, emailOPhone };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** A fresh invitation to the address of an expired one. */
export const renewInvitation = (token: string) =>
  operation('post', '/api/v1/activation-renew', { body: { activationToken: token }, anonymous });

/** `session` is there when nobody was logged in. */
export type Created = { session: SessionAnswer | null };

const created = (answer: { session?: Schemas['SessionAnswer'] | null }) =>
  ({ session: answer.session ?? null }) as Created;

export type NewUser = Schemas['NewUserView'];
export type NewCompany = Schemas['NewCustomerBody']['customer'];

export const createUser = async (customerId: string, user: NewUser, token: string) =>
  created(await operation('post', '/api/v1/user', { body: { customerId, user, token } }));

/** Creates a company of that kind with its principal account. Throws `ApiError` ERROR_CREAR_CLIENTE and others. */
export async function createCompany(kind: CompanyKind, company: NewCompany, token: string): Promise<Created> {
  switch (kind.noun) {
    case 'customer':
      return created(await operation('post', '/api/v1/customer', { body: { customer: company, token } }));
    case 'repairer':
      return created(await operation('post', '/api/v1/repairer', { body: { repairer: company, token } }));
    case 'carReparation':
      return created(await operation('post', '/api/v1/carReparation', { body: { carReparation: company, token } }));
  }
}

/** A company as the page of `/admin-enable` shows it; the IBAN is masked. */
export type CompanyToEnable = Schemas['EnabledCustomer']['customer'];

export const companyToEnable = (id: string, token: string) =>
  queryOptions({
    queryKey: ['company_to_enable', id, token],
    queryFn: async () => {
      const answer = await operation('post', '/api/v1/customer-no-login/{id}', { path: { id }, body: { token } });
      return answer.customer;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Sets the company and its principal to active. Throws `ApiError`, such as TOKEN_USED. */
export async function enableCompany(kind: CompanyKind, id: string, token: string): Promise<void> {
  await operation('put', `/api/v1/${kind.activate}/{id}` as const, { path: { id }, body: { token } });
}
