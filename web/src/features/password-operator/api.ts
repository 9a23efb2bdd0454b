import type { components } from '@/api/generated/schema';
import { operation } from '@/api/operation';

/** An account as the password operator sees it: nothing but what tells it from another one. */
export type PasswordUser = components['schemas']['DeskAccount'];

/** The accounts of exactly this user name, one per company. Errors: `ApiError`. */
export async function findUsers(userName: string): Promise<PasswordUser[]> {
  const { users } = await operation('post', '/api/v1/password-users', { body: { userName } });
  return users;
}

/** Sends that account a link to choose a new password. */
export const startReset = (userId: string) =>
  operation('post', '/api/v1/password-reset/{id}', { path: { id: userId } });
