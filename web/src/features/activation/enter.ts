import { session } from '@/shared/session';
import type { Created } from './api';

/**
 * After an account was created: logs in with the session that came along, unless somebody is logged in already.
 * The root then leads home.
 */
export async function enterWith({ session: answer }: Created): Promise<void> {
  if (answer && !session.current()) await session.save(answer.token, answer.user, answer.menu);
}
