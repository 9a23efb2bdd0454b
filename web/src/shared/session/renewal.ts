import { ApiError, networkError, readProblem } from '@/api/errors';
import { isExpired, needsRenewal, RENEW_BEFORE_S, readClaims } from './claims';
import type { SessionStore } from './session';

interface RenewalDeps {
  session: SessionStore;
  storage: Storage;
  fetch: typeof fetch;
  now: () => number;
  /** Absent in old browsers: then single flight holds within this tab only. */
  locks?: LockManager;
}

const LOCK = 'atalaya-renew-token';
/**
 * How long what one tab stores may take to reach the others, in ms: browsers promise no time. The winner keeps the lock
 * as long, and who had to wait for the lock gives the winner's token as long to arrive.
 */
const SPREAD_MS = 400;
const LOOK_EVERY_MS = 20;

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Keeps the token fresh. Invariant: at most one renewal at a time over all tabs of this browser, by a Web Lock; who
 * waited for the lock takes the token that the winner stored.
 */
export class Renewal {
  private running: Promise<string> | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly deps: RenewalDeps) {}

  /** The token to send now, renewed first when it is about to expire; `null` without a session. */
  async freshToken(): Promise<string | null> {
    this.deps.session.follow();
    const session = this.deps.session.current();
    if (!session) return null;
    if (!needsRenewal(session.claims, this.deps.now())) return session.token;
    return this.renew();
  }

  /** Renews by timer while a tab is open, so that an hour-long call ends logged in. */
  start(): () => void {
    const plan = () => {
      clearTimeout(this.timer);
      const session = this.deps.session.current();
      if (!session) return;
      const inMs = session.claims.exp * 1000 - this.deps.now() - RENEW_BEFORE_S * 1000 + 1_000;
      // Retried every 30 s while the network is down; the token is still valid for a quarter of an hour.
      const wait = Math.max(inMs, needsRenewal(session.claims, this.deps.now()) ? 30_000 : 1_000);
      this.timer = setTimeout(() => void this.freshToken().then(plan, plan), wait);
    };
    // A laptop that slept past its timer asks at once when it wakes up.
    const onVisible = () => {
      if (document.visibilityState === 'visible') void this.freshToken().then(plan, plan);
    };
    const stop = this.deps.session.subscribe(plan);
    document.addEventListener('visibilitychange', onVisible);
    void this.freshToken().then(plan, plan);
    return () => {
      clearTimeout(this.timer);
      stop();
      document.removeEventListener('visibilitychange', onVisible);
    };
  }

  private renew(): Promise<string> {
    this.running ??= this.underLock().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private underLock(): Promise<string> {
    const { locks } = this.deps;
    if (!locks) return this.swap();
    return new Promise((resolve, reject) => {
      const hold = async () => {
        await this.swap().then(resolve, reject);
        await pause(SPREAD_MS);
      };
      const take = async () => {
        let free = false;
        await locks.request(LOCK, { ifAvailable: true }, async (lock) => {
          free = lock !== null;
          if (free) await hold();
        });
        if (free) return;
        await locks.request(LOCK, async () => {
          await this.winnersToken();
          await hold();
        });
      };
      take().catch(reject);
    });
  }

  /** Waits until another tab's renewal is seen here, or until it is clear that there was none. */
  private async winnersToken(): Promise<void> {
    for (let waited = 0; waited < SPREAD_MS; waited += LOOK_EVERY_MS) {
      const claims = readClaims(this.deps.storage.getItem('token'));
      if (!claims || !needsRenewal(claims, this.deps.now())) return;
      await pause(LOOK_EVERY_MS);
    }
  }

  private async swap(): Promise<string> {
    const stored = this.deps.storage.getItem('token');
    const claims = readClaims(stored);
    if (stored && claims && !needsRenewal(claims, this.deps.now())) {
      this.deps.session.adopt(stored);
      return stored;
    }
    const token = this.deps.session.current()?.token;
    if (!token) throw new ApiError({ code: 'SESSION_ENDED', status: 401, message: '' });
    const response = await this.ask(token);
    // No answer is not a refusal: the old token is used as long as it lives.
    if (!response) return this.stillValid(token);
    if (!response.ok) {
      const problem = await readProblem(response);
      this.deps.session.end('expired');
      throw problem;
    }
    const answer: { token?: string } | null = await response.json().catch(() => null);
    // Cut off on the way, as when the page is left: no answer either.
    if (!answer) return this.stillValid(token);
    if (!readClaims(answer.token ?? null) || !answer.token) {
      this.deps.session.end('expired');
      throw new ApiError({ code: 'SESSION_INVALID', status: response.status, message: '' });
    }
    this.deps.storage.setItem('token', answer.token);
    this.deps.session.adopt(answer.token);
    return answer.token;
  }

  private async ask(token: string): Promise<Response | null> {
    try {
      return await this.deps.fetch('/api/v1/renewToken', {
        headers: { Authorization: `Bearer ${token}`, 'X-Renew-Token': 'true', Accept: 'application/json' },
      });
    } catch {
      return null;
    }
  }

  private stillValid(token: string): string {
    const claims = readClaims(token);
    if (!claims || isExpired(claims, this.deps.now())) throw networkError();
    return token;
  }
}
