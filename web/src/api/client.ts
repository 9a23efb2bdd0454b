import { renewal, session } from '@/shared/session';
import { readClaims } from '@/shared/session/claims';
import { ApiError, networkError, readProblem } from './errors';
import { askProof } from './proof';

/** The language of error messages: set by `shared/i18n` when the language changes. */
let language = 'es';
export const setApiLanguage = (code: string) => {
  language = code;
};

const cookie = (name: string) =>
  document.cookie
    .split('; ')
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1);

interface CallOptions {
  /** JSON body, or a form that goes as multipart. */
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** Sent without a token: log-in and language loading. */
  anonymous?: boolean;
  keepalive?: boolean;
}

/**
 * One call to our own server, answering the raw response of a success.
 * Adds bearer (renewed first when it is about to expire), language and XSRF header.
 * A 401 or 402 ends the session, and nowhere else does anything end it for an answer; but a refused token that is no
 * longer the current one (another tab renewed it meanwhile) ends nothing: the request is sent once more with the new one.
 * One that needs a fresh proof of identity is sent once more after the person has given it.
 * Throws `ApiError`.
 */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  try {
    return await sendOnce(method, path, options);
  } catch (error) {
    const needsProof = error instanceof ApiError && error.code === 'FRESH_PROOF_REQUIRED';
    if (needsProof && (await askProof())) return sendOnce(method, path, options);
    throw error;
  }
}

async function sendOnce(method: string, path: string, options: CallOptions): Promise<Response> {
  const token = options.anonymous ? null : await renewal.freshToken();
  let response = await attempt(method, path, options, token);
  if (!token || !refused(response)) return succeeded(response);
  const newer = await replacementOf(token);
  if (newer) response = await attempt(method, path, options, newer);
  if (refused(response)) endSessionOf(newer ?? token);
  return succeeded(response);
}

const refused = ({ status }: Response) => status === 401 || status === 402;

async function succeeded(response: Response): Promise<Response> {
  if (response.ok) return response;
  throw await readProblem(response);
}

async function attempt(method: string, path: string, options: CallOptions, token: string | null): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', 'Accept-Language': language };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.body !== undefined && !(options.body instanceof FormData)) headers['Content-Type'] = 'application/json';
  // With its prefix over https (SESSION-15).
  const xsrf = cookie('__Host-XSRF-TOKEN') ?? cookie('XSRF-TOKEN');
  if (xsrf && method !== 'GET') headers['X-XSRF-TOKEN'] = decodeURIComponent(xsrf);
  return window
    .fetch(path, {
      method,
      headers: { ...headers, ...options.headers },
      body: options.body instanceof FormData ? options.body : JSON.stringify(options.body),
      signal: options.signal,
      keepalive: options.keepalive,
    })
    .catch((cause: unknown) => {
      throw options.signal?.aborted ? cause : networkError();
    });
}

/**
 * The token of the same log-in that took the place of a refused one, in this tab or another; `null` when there is none.
 * Another account's token is no replacement: this request is not theirs.
 */
async function replacementOf(token: string): Promise<string | null> {
  const current = await renewal.freshToken().catch(() => null);
  const sameLogin = readClaims(current)?.sk === readClaims(token)?.sk;
  return current !== token && sameLogin ? current : null;
}

function endSessionOf(token: string): void {
  const stored = window.localStorage.getItem('token');
  const current = session.current()?.token;
  const replaced = current !== token || (stored !== null && stored !== token && readClaims(stored) !== null);
  if (!replaced) session.end('expired');
}

/** One call with a JSON answer. `T` is the answer of CONTRACT.md; 204 answers `undefined`. Throws `ApiError`. */
export async function request<T>(method: string, path: string, options: CallOptions = {}): Promise<T> {
  const response = await send(method, path, options);
  if (response.status === 204) return undefined as T;
  // A page that is being left cuts its answers off: that is no answer, and above all no refusal.
  return (await response.json().catch((cause: unknown) => {
    throw options.signal?.aborted ? cause : networkError();
  })) as T;
}

export const api = {
  get: <T>(path: string, options?: CallOptions) => request<T>('GET', path, options),
  post: <T>(path: string, body?: unknown, options?: CallOptions) => request<T>('POST', path, { ...options, body }),
  put: <T>(path: string, body?: unknown, options?: CallOptions) => request<T>('PUT', path, { ...options, body }),
};

/** As long as a logout waits for what is to be done before it. Milliseconds. */
const FAREWELL_MS = 1500;
const farewells = new Set<() => Promise<unknown>>();

/** Has `work` done before each logout, while the session still counts. What fails or takes long stops no logout. */
export function beforeLogout(work: () => Promise<unknown>): () => void {
  farewells.add(work);
  return () => {
    farewells.delete(work);
  };
}

/** Ends the session on the server (best effort) and here. */
export async function logout(): Promise<void> {
  const done = Promise.allSettled([...farewells].map((work) => work()));
  if (farewells.size > 0) await Promise.race([done, new Promise((late) => setTimeout(late, FAREWELL_MS))]);
  await request('POST', '/api/v1/logout', { keepalive: true }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
  if (session.current()) session.end('logout');
}
