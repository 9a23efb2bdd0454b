import { useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import type { Account } from '@/api/types';
import { session } from '@/shared/session';
import { login, prelogin } from './api';

export type LoginFailure =
  | { kind: 'wrong' }
  | { kind: 'inactive' }
  | { kind: 'second-factor' }
  | { kind: 'locked'; until: number }
  | { kind: 'other'; error: unknown };

/** The ids of a pre-check are short-lived (DESIGN §3); asked again after this time. */
const PRECHECK_MS = 120_000;

/** Reads a failed log-in. Source: SPEC §8, DESIGN §2. */
export function readFailure(error: unknown, now: number): LoginFailure {
  if (!(error instanceof ApiError)) return { kind: 'other', error };
  if (error.status === 429) return { kind: 'locked', until: now + (error.retryAfterS ?? 60) * 1000 };
  if (error.code === 'ACCOUNT_INACTIVE') return { kind: 'inactive' };
  if (error.status === 422 || error.code === 'LOGIN_INCORRECT') return { kind: 'wrong' };
  return { kind: 'other', error };
}

/** What the log-in form does: pre-check, choice of a company, log-in. Source: SPEC §4 Login steps. */
export function useLogin() {
  const [accounts, setAccounts] = useState<Account[]>([]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<LoginFailure | null>(null);
  const checked = useRef({ userName: '', at: 0 });

  const check = async (userName: string): Promise<Account[]> => {
    const users = await prelogin(userName);
    checked.current = { userName, at: Date.now() };
    setAccounts(users);
    return users;
  };

  const attempt = async <R>(run: () => Promise<R>): Promise<R | null> => {
    setBusy(true);
    setFailure(null);
    try {
      return await run();
    } catch (error) {
      setFailure(readFailure(error, Date.now()));
      return null;
    } finally {
      setBusy(false);
    }
  };

  /** Enter in the first field. Answers the accounts, `null` when it failed. */
  const preCheck = (userName: string) => attempt(() => check(userName));

  /** Logs in with the account of `company`, or with the only one. Answers true when the session is stored. */
  const enter = (userName: string, password: string, company: string | null) =>
    attempt(async () => {
      const stale = checked.current.userName !== userName || Date.now() - checked.current.at > PRECHECK_MS;
      const users = stale ? await check(userName) : accounts;
      if (users.length > 1 && !users.some((user) => user.company === company)) return false;
      const chosen = users.length > 1 ? users.find((user) => user.company === company)?._id : undefined;
      const answer = await login(userName, password, chosen ?? true);
      if (!answer.login) {
        setFailure({ kind: 'second-factor' });
        return false;
      }
      await session.save(answer.token, answer.user, answer.menu);
      return true;
    });

  const forget = () => {
    checked.current = { userName: '', at: 0 };
    setAccounts([]);
    setFailure(null);
  };

  return { accounts, busy, failure, preCheck, enter, forget, clearFailure: () => setFailure(null) };
}
