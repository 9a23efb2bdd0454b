import { operation } from '@/api/operation';
import type { Account, LoginAnswer } from '@/api/types';

/** Which accounts answer to a user name. Throws `ApiError` LOGIN_INCORRECT when there is none. */
export async function prelogin(userName: string): Promise<Account[]> {
  const { users } = await operation('post', '/api/v1/prelogin', { body: { userName }, anonymous: true });
  return users as Account[];
}

/** `account` is the chosen account's id, or `true` when there is just one (DESIGN §3). */
export async function login(userName: string, password: string, account: string | true): Promise<LoginAnswer> {
  const body = { userName, password, login: account };
  return (await operation('post', '/api/v1/login', { body, anonymous: true })) as LoginAnswer;
}
