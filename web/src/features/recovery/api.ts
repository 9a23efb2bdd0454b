import { queryOptions } from '@tanstack/react-query';
import { operation } from '@/api/operation';

const anonymous = true;

/** `email` is an address or a phone in E.164. Answers the same whether or not there is such an account. */
export const requestReset = (email: string) =>
  operation('post', '/api/v1/remember-email', { body: { email }, anonymous });

/** Whether a reset link still works. */
export const resetToken = (token: string) =>
  queryOptions({
    queryKey: ['reset_token', token],
    queryFn: async () => {
      const body = { activationToken: token };
      const { valid, kind } = await operation('post', '/api/v1/verify-token', { body, anonymous });
      return valid && kind === 'reset';
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** Spends the link. Throws `ApiError` PASSWORD_WEAK, TOKEN_INVALID, TOKEN_EXPIRED, TOKEN_USED. */
export const changePassword = (token: string, password: string) =>
  operation('put', '/api/v1/change-password', { body: { change: { token, password } }, anonymous });

/** Confirms another log-in name; `done` once both addresses have. Throws TOKEN_*, USER_NAME_TAKEN. */
export const confirmUserName = (token: string) =>
  operation('post', '/api/v1/user-name-confirm', { body: { token }, anonymous });
