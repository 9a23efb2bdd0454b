import { api } from '@/api/client';
import type { Account, LoginAnswer } from '@/api/types';

/** Which accounts answer to a user name. Throws `ApiError` LOGIN_INCORRECT when there is none. */
export const prelogin = (userName: string) =>
  api.post<{ users: Account[] }>('/api/v1/prelogin', { userName }, { anonymous: true }).then(({ users }) => users);

/** `login` is the chosen account's id, or `true` when there is just one (DESIGN §3). */
export const login = (userName: string, password: string, account: string | true) =>
  api.post<LoginAnswer>('/api/v1/login', { userName, password, login: account }, { anonymous: true });
