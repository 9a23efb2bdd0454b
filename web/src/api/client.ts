import { renewal, session } from '@/shared/session';
import { readClaims } from '@/shared/session/claims';
import { ApiError, networkError, readProblem } from './errors';

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
 * Ends the session on 401 and 402, and nowhere else does anything end it for an answer. A refused token that is no
 * longer the current one ends nothing: a newer one is in use. Throws `ApiError`. Source: SPEC §7 intro, DESIGN §2.
 */
export async function send(method: string, path: string, options: CallOptions = {}): Promise<Response> {
  const token = options.anonymous ? null : await renewal.freshToken();
  const headers: Record<string, string> = { Accept: 'application/json', 'Accept-Language': language };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.body !== undefined && !(options.body instanceof FormData)) headers['Content-Type'] = 'application/json';
  const xsrf = cookie('XSRF-TOKEN');
  if (xsrf && method !== 'GET') headers['X-XSRF-TOKEN'] = decodeURIComponent(xsrf);
  const response = await window
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
  if (response.ok) return response;
  const problem = await readProblem(response);
  if (token && (response.status === 401 || response.status === 402)) endSessionOf(token);
  throw problem;
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
  return (await response.json()) as T;
}

export const api = {
  get: <T>(path: string, options?: CallOptions) => request<T>('GET', path, options),
  post: <T>(path: string, body?: unknown, options?: CallOptions) => request<T>('POST', path, { ...options, body }),
  put: <T>(path: string, body?: unknown, options?: CallOptions) => request<T>('PUT', path, { ...options, body }),
};

/** Ends the session on the server (best effort) and here. Source: SPEC §4 Session. */
export async function logout(): Promise<void> {
  await request('POST', '/api/v1/logout', { keepalive: true }).catch((error: unknown) => {
    if (!(error instanceof ApiError)) throw error;
  });
  if (session.current()) session.end('logout');
}
