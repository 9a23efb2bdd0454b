import { queryOptions } from '@tanstack/react-query';
import { api } from '@/api/client';

/** `email` is an address or a phone in E.164. Answers the same whether or not there is such an account (DESIGN §3). */
export const requestReset = (email: string) => api.post<void>('/api/v1/remember-email', { email }, { anonymous: true });

/** Whether a reset link still works. */
export const resetToken = (token: string) =>
  queryOptions({
    queryKey: ['reset_token', token],
    queryFn: async () => {
      const body = { activationToken: token };
      const answer = await api.post<{ valid: boolean; kind?: string }>('/api/v1/verify-token', body, {
        anonymous: true,
      });
      return answer.valid && answer.kind === 'reset';
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Spends the link. Throws `ApiError` PASSWORD_WEAK, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_USED. */
export const changePassword = (token: string, password: string) =>
  api.put<void>('/api/v1/change-password', { change: { token, password } }, { anonymous: true });
