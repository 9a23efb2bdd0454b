import type { MenuEntry, User } from '@/api/types';
import { type Claims, isExpired, readClaims } from './claims';
import { open, seal } from './vault';

/** What a logout leaves in local storage. */
const KEPT_BY_LOGOUT = ['theme', 'hasSeenNewFeautures', 'clickedOnNews', 'muteNotifications'];

export interface Session {
  token: string;
  claims: Claims;
  user: User;
  menu: MenuEntry[];
}

/** Why a session ended; the login screen may say it. */
export type EndReason = 'logout' | 'expired' | 'other-tab' | 'damaged';

/** A piece of a stored session that is missing or cannot be opened. */
export class StoredPieceError extends Error {
  constructor(
    readonly piece: 'user' | 'menu',
    cause: unknown,
  ) {
    super(`the ${piece} of the stored session cannot be retrieved`, { cause });
  }
}

type Listener = (session: Session | null, reason: EndReason | null) => void;

/**
 * The one session of this browser: token in `localStorage.token`, user and menu encrypted beside it.
 * Called by the API client (token), the guards and the shell.
 * Invariant: `current()` never answers a session whose token has expired.
 */
export class SessionStore {
  private session: Session | null = null;
  private missing: StoredPieceError | null = null;
  private readonly listeners = new Set<Listener>();

  constructor(
    private readonly storage: Storage,
    private readonly now: () => number,
  ) {}

  /** Reads what is stored. Anything absent, malformed, expired or tampered with clears the storage. */
  async load(): Promise<Session | null> {
    const token = this.storage.getItem('token');
    const claims = readClaims(token);
    if (!token || !claims || isExpired(claims, this.now())) {
      // Without a token a stored user or menu is a leftover, such as of a tab that died while logging in.
      if (token || this.storage.getItem('user') || this.storage.getItem('menu')) this.end('expired');
      return null;
    }
    try {
      const user = await this.piece<User>(claims.sk, 'user');
      const menu = await this.piece<MenuEntry[]>(claims.sk, 'menu');
      this.session = { token, claims, user, menu };
    } catch (error) {
      if (!(error instanceof StoredPieceError)) throw error;
      console.error(error);
      this.missing = error;
      this.end('damaged');
    }
    return this.session;
  }

  /** Why the stored session could not be used, until somebody logs in. */
  problem(): StoredPieceError | null {
    return this.missing;
  }

  private async piece<V>(sk: string, name: 'user' | 'menu'): Promise<V> {
    try {
      return await open<V>(sk, name, this.storage.getItem(name) ?? '');
    } catch (cause) {
      throw new StoredPieceError(name, cause);
    }
  }

  /** What is held, without looking at the clock; for rendering. */
  peek(): Session | null {
    return this.session;
  }

  current(): Session | null {
    if (this.session && isExpired(this.session.claims, this.now())) this.end('expired');
    return this.session;
  }

  /** Stores a fresh log-in. Throws when the token is not one of ours. */
  async save(token: string, user: User, menu: MenuEntry[]): Promise<Session> {
    const claims = readClaims(token);
    if (!claims) throw new Error('malformed session token');
    const [sealedUser, sealedMenu] = await Promise.all([seal(claims.sk, 'user', user), seal(claims.sk, 'menu', menu)]);
    this.storage.setItem('user', sealedUser);
    this.storage.setItem('menu', sealedMenu);
    this.storage.setItem('token', token);
    this.session = { token, claims, user, menu };
    this.missing = null;
    this.tell(null);
    return this.session;
  }

  /** Takes a fresh view of the same account (`GET me`). Ignored when it is no longer the one logged in. */
  async refresh(user: User, menu: MenuEntry[]): Promise<void> {
    const sk = this.session?.claims.sk;
    if (!sk || this.session?.user._id !== user._id) return;
    const [sealedUser, sealedMenu] = await Promise.all([seal(sk, 'user', user), seal(sk, 'menu', menu)]);
    if (this.session?.claims.sk !== sk) return;
    this.storage.setItem('user', sealedUser);
    this.storage.setItem('menu', sealedMenu);
    this.session = { ...this.session, user, menu };
    this.tell(null);
  }

  /** Takes the token of a renewal, by this tab or another one. Ignored when malformed or when logged out meanwhile. */
  adopt(token: string): void {
    const claims = readClaims(token);
    if (!claims || !this.session) return;
    if (claims.sk !== this.session.claims.sk) {
      // Another account logged in from another tab: its user and menu are stored under another key.
      void this.load().then(() => this.tell(null));
      return;
    }
    if (this.storage.getItem('token') !== token) this.storage.setItem('token', token);
    this.session = { ...this.session, token, claims };
    this.tell(null);
  }

  /** Ends the session here: storage cleared but for what a logout keeps, listeners told. */
  end(reason: EndReason): void {
    // Key by key, and the kept ones are never touched: clearing all and writing them again would let another tab, which
    // hears of the clearing and clears too, wipe what was just written again.
    for (const key of Object.keys(this.storage)) if (!KEPT_BY_LOGOUT.includes(key)) this.storage.removeItem(key);
    this.session = null;
    this.tell(reason);
  }

  /** Follows what other tabs do to the storage. Answers how to stop. */
  watch(target: Window): () => void {
    const onStorage = (event: StorageEvent) => {
      if (event.storageArea !== this.storage) return;
      if (event.key === 'token' || event.key === null) this.follow();
    };
    target.addEventListener('storage', onStorage);
    return () => target.removeEventListener('storage', onStorage);
  }

  /**
   * Takes over what another tab left in the storage: its renewed token, its log-in, its logout. Called for every change
   * of the storage and before every call, because a tab that was asleep is not told of changes.
   */
  follow(): void {
    const token = this.storage.getItem('token');
    if (token === this.session?.token) return;
    if (!token) {
      if (this.session) this.end('other-tab');
    } else if (!this.session) {
      void this.load().then((found) => found && this.tell(null));
    } else if (readClaims(token)) this.adopt(token);
    // A malformed token is a logout.
    else this.end('damaged');
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private tell(reason: EndReason | null): void {
    for (const listener of this.listeners) listener(this.session, reason);
  }
}
