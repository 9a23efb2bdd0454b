import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';
import type { CreationOptionsJson, CredentialJson } from '@/shared/lib/webauthn';

export interface Enrolment {
  secret: string;
  otpauthUrl: string;
}

export interface Passkey {
  _id: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
}

/** One log-in, with all its renewals. */
export interface Device {
  _id: string;
  current: boolean;
  /** A dash when unknown, as `os`. */
  browser: string;
  os: string;
  address: string | null;
  createdAt: string;
  lastSeenAt: string | null;
  expiresAt: string;
}

/** Ends the other sessions, keeps this one. Throws `ApiError` PASSWORD_WRONG on `oldPassword`, PASSWORD_WEAK. */
export const changePassword = (userId: string, oldPassword: string, password: string) =>
  api.put<void>(`/api/v1/change-password-perfil/${userId}`, { params: { oldPassword, password } });

/** The secret counts for nothing until `confirmEnrolment`. It is a secret, so it is not kept in the query cache. */
export const beginEnrolment = () => api.get<Enrolment>('/api/v1/2fa');

/** Turns the second factor on. Answers ten recovery codes. Throws `ApiError` CODE_INVALID. */
export async function confirmEnrolment(userId: string, code: string, secret: string): Promise<string[]> {
  const body = { userId, token: code, secret };
  const { recoveryCodes } = await api.post<{ recoveryCodes: string[] }>('/api/v1/verify2fa', body);
  return recoveryCodes;
}

export const disableSecondFactor = (userId: string, code: string) =>
  api.post<void>('/api/v1/disable2fa', { userId, token: code });

export async function newRecoveryCodes(code: string): Promise<string[]> {
  const { recoveryCodes } = await api.post<{ recoveryCodes: string[] }>('/api/v1/recovery-codes', { token: code });
  return recoveryCodes;
}

export const listPasskeys = () =>
  queryOptions({
    queryKey: ['passkeys'],
    queryFn: async () => (await api.get<{ passkeys: Passkey[] }>('/api/v1/passkeys')).passkeys,
  });

export const passkeyOptions = () => api.post<CreationOptionsJson>('/api/v1/passkey-options', {});

export const addPasskey = (credential: CredentialJson, name: string) =>
  api.post<{ passkey: Passkey }>('/api/v1/passkeys', { credential, name });

export const removePasskey = (id: string) => api.post<void>(`/api/v1/passkey-delete/${id}`);

export const listDevices = (userId: string) =>
  queryOptions({
    queryKey: ['sessions', userId],
    queryFn: async () => (await api.get<{ sessions: Device[] }>(`/api/v1/sessions/${userId}`)).sessions,
  });

export const endSession = (id: string) => api.post<void>(`/api/v1/session-end/${id}`);

/** All but the current one. */
export const endOtherSessions = (userId: string) => api.post<void>(`/api/v1/sessions-end/${userId}`);
