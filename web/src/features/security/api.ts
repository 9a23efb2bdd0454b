import { queryOptions } from '@tanstack/react-query';
import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';
import { download } from '@/shared/lib/download';
import {
  type CreationOptionsJson,
  type CredentialJson,
  provePasskey,
  type RequestOptionsJson,
} from '@/shared/lib/webauthn';

type Schemas = components['schemas'];
export type Enrolment = Schemas['EnrolmentAnswer'];
export type Passkey = Schemas['Passkey'];
/** One log-in, with all its renewals. */
export type Device = Schemas['Session'];

/** Ends the other sessions, keeps this one, and forgets the passkeys if wished. Throws `ApiError` PASSWORD_WRONG on `oldPassword`, PASSWORD_WEAK. */
export const changePassword = (id: string, oldPassword: string, password: string, removePasskeys: boolean) =>
  operation('put', '/api/v1/change-password-perfil/{id}', {
    path: { id },
    body: { params: { oldPassword, password, removePasskeys } },
  });

/** The secret counts for nothing until `confirmEnrolment`. It is a secret, so it is not kept in the query cache. */
export const beginEnrolment = () => operation('get', '/api/v1/2fa');

/** Turns the second factor on. Answers ten recovery codes. Throws `ApiError` CODE_INVALID. */
export async function confirmEnrolment(userId: string, code: string, secret: string): Promise<string[]> {
  const answer = await operation('post', '/api/v1/verify2fa', { body: { userId, token: code, secret } });
  return (answer as Schemas['RecoveryCodesAnswer']).recoveryCodes;
}

export const disableSecondFactor = (userId: string, code: string) =>
  operation('post', '/api/v1/disable2fa', { body: { userId, token: code } });

export async function newRecoveryCodes(code: string): Promise<string[]> {
  return (await operation('post', '/api/v1/recovery-codes', { body: { token: code } })).recoveryCodes;
}

export const listPasskeys = () =>
  queryOptions({
    queryKey: ['passkeys'],
    queryFn: async () => (await operation('get', '/api/v1/passkeys')).passkeys,
  });

/** The document leaves WebAuthn's own shapes open. */
export const passkeyOptions = async () =>
  (await operation('post', '/api/v1/passkey-options')) as unknown as CreationOptionsJson;

export const addPasskey = (credential: CredentialJson, name: string) =>
  operation('post', '/api/v1/passkeys', { body: { credential: credential as never, name } });

export const removePasskey = (id: string) => operation('post', '/api/v1/passkey-delete/{id}', { path: { id } });

export const listDevices = (userId: string) =>
  queryOptions({
    queryKey: ['sessions', userId],
    queryFn: async () => (await operation('get', '/api/v1/sessions/{userId}', { path: { userId } })).sessions,
  });

export const endSession = (id: string) => operation('post', '/api/v1/session-end/{id}', { path: { id } });

/** All but the current one. */
export const endOtherSessions = (userId: string) =>
  operation('post', '/api/v1/sessions-end/{userId}', { path: { userId } });

/** Proves again who is logged in. Throws `ApiError` PASSWORD_WRONG on `password`, CODE_INVALID, LOGIN_LOCKED. */
export const prove = (proof: { password: string } | { code: string }) =>
  operation('post', '/api/v1/fresh-proof', { body: proof });

/** The same with a passkey. Throws `ApiError` PASSKEY_INVALID, `PasskeyDismissed`. */
export async function proveByPasskey(): Promise<void> {
  const { ceremony, publicKey } = await operation('post', '/api/v1/passkey-login-options', { anonymous: true });
  const credential = await provePasskey(publicKey as unknown as RequestOptionsJson);
  await operation('post', '/api/v1/fresh-proof', { body: { ceremony, credential: credential as never } });
}

/** A file with what is kept of the own account. */
export const downloadMyData = () => download('/api/v1/my-data', {}, 'mis-datos.json');
