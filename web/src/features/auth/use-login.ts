import { useRef, useState } from 'react';
import { ApiError } from '@/api/errors';
import type { Account, SessionAnswer } from '@/api/types';
import { PasskeyDismissed, provePasskey } from '@/shared/lib/webauthn';
import { session } from '@/shared/session';
import { login, type PendingLogin, passkeyLogin, passkeyLoginOptions, prelogin, verifyCode } from './api';

export type LoginFailure =
  | { kind: 'wrong' }
  | { kind: 'inactive' }
  | { kind: 'locked'; until: number }
  | { kind: 'code-wrong' }
  | { kind: 'code-late' }
  | { kind: 'passkey-wrong' }
  | { kind: 'passkey-dismissed' }
  | { kind: 'other'; error: unknown };

/** The ids of a pre-check are short-lived; asked again after this time. */
const PRECHECK_MS = 120_000;

/** Reads a failed log-in. */
export function readFailure(error: unknown, now: number): LoginFailure {
  if (error instanceof PasskeyDismissed) return { kind: 'passkey-dismissed' };
  if (!(error instanceof ApiError)) return { kind: 'other', error };
  if (error.status === 429) return { kind: 'locked', until: now + (error.retryAfterS ?? 60) * 1000 };
  if (error.code === 'ACCOUNT_INACTIVE') return { kind: 'inactive' };
  if (error.status === 422 || error.code === 'LOGIN_INCORRECT') return { kind: 'wrong' };
  return { kind: 'other', error };
}

/** A refused code. The token of the first step is spent or too old; what never reached the server is neither. */
export function readCodeFailure(error: unknown, now: number): LoginFailure {
  if (!(error instanceof ApiError)) return { kind: 'other', error };
  if (error.status === 401 || error.code === 'LOGIN_EXPIRED') return { kind: 'code-late' };
  const failure = readFailure(error, now);
  return failure.kind === 'wrong' ? { kind: 'code-wrong' } : failure;
}

function readPasskeyFailure(error: unknown, now: number): LoginFailure {
  const failure = readFailure(error, now);
  return failure.kind === 'wrong' ? { kind: 'passkey-wrong' } : failure;
}

/** How a try ended: the session is stored, something is still to be answered, or it failed and `failure` says why. */
export type Outcome = 'entered' | 'choose' | 'code' | 'failed';

/** What the log-in does: pre-check, choice of a company, log-in, code, passkey. */
export function useLogin() {
  const [accounts, setAccounts] = useState<Account[]>([]);
  const [pending, setPending] = useState<PendingLogin | null>(null);
  const [busy, setBusy] = useState<'password' | 'passkey' | null>(null);
  const [failure, setFailure] = useState<LoginFailure | null>(null);
  const checked = useRef({ userName: '', at: 0 });

  const check = async (userName: string): Promise<Account[]> => {
    const users = await prelogin(userName);
    checked.current = { userName, at: Date.now() };
    setAccounts(users);
    return users;
  };

  const attempt = async <R>(
    run: () => Promise<R>,
    read: (error: unknown, now: number) => LoginFailure = readFailure,
    what: 'password' | 'passkey' = 'password',
  ): Promise<R | null> => {
    setBusy(what);
    setFailure(null);
    try {
      return await run();
    } catch (error) {
      setFailure(read(error, Date.now()));
      return null;
    } finally {
      setBusy(null);
    }
  };

  const enterWith = async (answer: SessionAnswer): Promise<Outcome> => {
    await session.save(answer.token, answer.user, answer.menu);
    return 'entered';
  };

  /** Enter in the first field. Answers the accounts, `null` when it failed. */
  const preCheck = (userName: string) => attempt(() => check(userName));

  /** Logs in with the account at this place of the list, or with the only one. */
  const enter = async (userName: string, password: string, place: number | null): Promise<Outcome> => {
    const run = async (): Promise<Outcome> => {
      const stale = checked.current.userName !== userName || Date.now() - checked.current.at > PRECHECK_MS;
      const users = stale ? await check(userName) : accounts;
      const offered = place === null ? undefined : users[place];
      // A list that was asked again may be another one.
      const chosen = offered && offered.company === accounts[place ?? 0]?.company ? offered : undefined;
      if (users.length > 1 && !chosen) return 'choose';
      const answer = await login(userName, password, users.length > 1 && chosen ? chosen._id : true);
      if (answer.login) return enterWith(answer);
      setPending({ userId: answer.user._id, token: answer.token });
      return 'code';
    };
    return (await attempt(run)) ?? 'failed';
  };

  /**
   * The second step. A wrong code logs out and goes back to the first one: the server has spent the pending
   * log-in, and nothing was stored here that another tab could miss.
   */
  const verify = async (code: string): Promise<Outcome> => {
    if (!pending) return 'failed';
    const run = async () => enterWith(await verifyCode(pending, code));
    const read = (error: unknown, now: number) => {
      const found = readCodeFailure(error, now);
      if (found.kind !== 'other') setPending(null);
      return found;
    };
    return (await attempt(run, read)) ?? 'failed';
  };

  const enterWithPasskey = async (): Promise<Outcome> => {
    const run = async () => {
      const { ceremony, publicKey } = await passkeyLoginOptions();
      return enterWith(await passkeyLogin(ceremony, await provePasskey(publicKey)));
    };
    return (await attempt(run, readPasskeyFailure, 'passkey')) ?? 'failed';
  };

  /** Another user name is typed: what was found out about the old one no longer counts. */
  const forget = () => {
    checked.current = { userName: '', at: 0 };
    setAccounts([]);
    setFailure(null);
  };

  const backToStart = () => {
    setPending(null);
    setFailure(null);
  };

  /** Nobody is asked, the message is the one of a failed log-in. */
  const refuseIncomplete = () => setFailure({ kind: 'wrong' });

  const clearFailure = () => setFailure(null);
  return {
    accounts,
    pending,
    busy,
    failure,
    preCheck,
    enter,
    verify,
    enterWithPasskey,
    forget,
    backToStart,
    refuseIncomplete,
    clearFailure,
  };
}
