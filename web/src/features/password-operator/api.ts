import { api } from '@/api/client';

/** An account as the password operator sees it: nothing but what tells it from another one (DESIGN §3). */
export interface PasswordUser {
  _id: string;
  userName: string;
  company: string;
  role: number;
  status: number;
}

/** The accounts of exactly this user name, one per company. Errors: `ApiError`. */
export async function findUsers(userName: string): Promise<PasswordUser[]> {
  const query = new URLSearchParams({ userName });
  const { users } = await api.get<{ users: PasswordUser[] }>(`/api/v1/password-users?${query}`);
  return users;
}

/** Sends that account a link to choose a new password. */
export const startReset = (userId: string) => api.post<void>(`/api/v1/password-reset/${encodeURIComponent(userId)}`);
