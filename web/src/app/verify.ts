import { ApiError } from '@/api/errors';
import { operation } from '@/api/operation';

let known: { token: string; answer: Promise<boolean> } | null = null;

/**
 * Whether the server takes this token for a session. Asked once per token. A refusal counts as unauthenticated; a
 * server that cannot be reached has not answered, so that is thrown (the error page offers a retry) and asked again.
 */
export function verified(token: string): Promise<boolean> {
  if (known?.token === token) return known.answer;
  const answer = ask(token);
  known = { token, answer };
  answer.catch(() => {
    if (known?.answer === answer) known = null;
  });
  return answer;
}

async function ask(token: string): Promise<boolean> {
  try {
    const { valid, kind } = await operation('post', '/api/v1/verify-token', {
      body: { activationToken: token },
    });
    return valid && kind === 'session';
  } catch (error) {
    const unanswered = error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
    if (unanswered) throw error;
    return false;
  }
}
