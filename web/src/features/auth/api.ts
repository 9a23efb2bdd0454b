import { operation } from '@/api/operation';
import type { Account, LoginAnswer, SessionAnswer } from '@/api/types';
import type { CredentialJson, RequestOptionsJson } from '@/shared/lib/webauthn';

/** Which accounts answer to a user name. Throws `ApiError` LOGIN_INCORRECT when there is none. */
export async function prelogin(userName: string): Promise<Account[]> {
  const { users } = await operation('post', '/api/v1/prelogin', { body: { userName }, anonymous: true });
  return users;
}

/** `account` is the chosen account's id, or `true` when there is just one. */
export async function login(userName: string, password: string, account: string | true): Promise<LoginAnswer> {
  const body = { userName, password, login: account };
  return (await operation('post', '/api/v1/login', { body, anonymous: true })) as LoginAnswer;
}

/** Who gave the right password and still owes the code. */
export interface PendingLogin {
  userId: string;
  /** Opens `verify2fa` once, for five minutes. */
  token: string;
}

/**
 * The second step: a code of the app, or a recovery code. Throws `ApiError` CODE_INVALID, and then the pending log-in is
 * spent. The token is no session, so it is not the client's to send.
 */
export async function verifyCode({ userId, token }: PendingLogin, code: string): Promise<SessionAnswer> {
  const headers = { Authorization: `Bearer ${token}` };
  const body = { userId, token: code };
  return (await operation('post', '/api/v1/verify2fa', { body, anonymous: true, headers })) as SessionAnswer;
}

export interface PasskeyQuestion {
  ceremony: string;
  publicKey: RequestOptionsJson;
}

export async function passkeyLoginOptions(): Promise<PasskeyQuestion> {
  const { ceremony, publicKey } = await operation('post', '/api/v1/passkey-login-options', { anonymous: true });
  // The document leaves WebAuthn's own shapes open.
  return { ceremony, publicKey: publicKey as unknown as RequestOptionsJson };
}

export async function passkeyLogin(ceremony: string, credential: CredentialJson): Promise<SessionAnswer> {
  const body = { ceremony, credential: credential as never };
  return (await operation('post', '/api/v1/passkey-login', { body, anonymous: true })) as SessionAnswer;
}
