import { operation } from '@/api/operation';
import { session } from '.';

/** Takes user and menu afresh from the server. Answers whether they came; a failure is logged too. */
export async function refreshAccount(): Promise<boolean> {
  try {
    const { user, menu } = await operation('get', '/api/v1/me');
    await session.refresh(user, menu);
    return true;
  } catch (error) {
    console.warn('the account could not be refreshed', error);
    return false;
  }
}
