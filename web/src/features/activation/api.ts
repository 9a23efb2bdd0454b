import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { SessionAnswer, User } from '@/api/types';
import type { CompanyKind } from './model';

/** What an invitation says. Both calls only read (DESIGN §3 "Invitations"). */
export interface Invitation {
  /** The role to be created. */
  role: number;
  /** The company that invites; `null` when a company is invited. */
  customer: string | null;
  /** Where it was sent: the user name to be. */
  emailOPhone: string;
}

const anonymous = { anonymous: true };

/** Throws `ApiError` TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_USED. */
export const invitationOf = (token: string) =>
  queryOptions({
    queryKey: ['invitation_of', token],
    queryFn: async (): Promise<Invitation> => {
      const body = { activationToken: token };
      const known = await api.post<{ userParent: string | null; role: number }>(
        '/api/v1/verify-token-activation',
        body,
        anonymous,
      );
      const { emailOPhone } = await api.post<{ emailOPhone: string }>(
        '/api/v1/activation-email-token',
        body,
        anonymous,
      );
      return { role: known.role, customer: known.userParent, emailOPhone };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** A fresh invitation to the address of an expired one. */
export const renewInvitation = (token: string) =>
  api.post<void>('/api/v1/activation-renew', { activationToken: token }, anonymous);

export interface NewUser {
  name: string;
  surname: string;
  email?: string;
  phone?: string;
  password: string;
  legal: true;
  language: string;
}

/** `session` is there when nobody was logged in. */
export interface Created {
  user: User;
  session: SessionAnswer | null;
}

export const createUser = (customerId: string, user: NewUser, token: string) =>
  api.post<Created>('/api/v1/user', { customerId, user, token });

/** Creates a company of that kind with its principal account. Throws `ApiError` ERROR_CREAR_CLIENTE and others. */
export const createCompany = (kind: CompanyKind, company: object, token: string) =>
  api.post<Created>(`/api/v1/${kind.noun}`, { [kind.noun]: company, token });

/** The notice of the activation. Throws when it could not be sent. */
export const sendActivationNotice = (email: string) =>
  api.post<{ sent: boolean }>('/api/v1/activation-ok-email', { email }, anonymous);

/** A company as the page of `/admin-enable` shows it. */
export interface CompanyToEnable {
  _id: string;
  companyType: string;
  status: number;
  name: string;
  company: string;
  cif: string;
  address: string | null;
  city: string | null;
  region: string | null;
  postalCode: string | null;
  email: string | null;
  phone: string | null;
  mobile: string | null;
  /** Masked. */
  bankAccount: string | null;
}

export const companyToEnable = (id: string, token: string) =>
  queryOptions({
    queryKey: ['company_to_enable', id, token],
    queryFn: async () => {
      const path = `/api/v1/customer-no-login/${encodeURIComponent(id)}`;
      return (await api.post<{ customer: CompanyToEnable }>(path, { token })).customer;
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export const enableCompany = (kind: CompanyKind, id: string, token: string) =>
  api.put<unknown>(`/api/v1/${kind.activate}/${encodeURIComponent(id)}`, { token });
