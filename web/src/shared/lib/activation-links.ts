import { ApiError } from '@/api/errors';

export type LinkState = 'invalid' | 'expired' | 'used' | 'unreachable';

/** What a failed look at a link means for the person. */
export function linkState(error: unknown): LinkState {
  if (!(error instanceof ApiError)) return 'unreachable';
  if (error.code === 'TOKEN_EXPIRED') return 'expired';
  if (error.code === 'TOKEN_USED') return 'used';
  return error.status >= 400 && error.status < 500 && error.status !== 429 ? 'invalid' : 'unreachable';
}

export const isDeadLink = (error: unknown) => error instanceof ApiError && error.code.startsWith('TOKEN_');
