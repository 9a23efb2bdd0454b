/** The public calls of the end client. No call is made that the page does not need. */
import type { ConnectionReport } from '../src/rtc/path/report';
import type { Appointment, ChatMessage, JoinAnswer, Language, LinkInfo } from './model';

export const API = '/api/v1/external';

/** A refused or failed call. `status` 0 means that no answer came; `code` is the server's stable upper-case code. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
  ) {
    super(code);
  }
}

async function call<T>(path: string, init: RequestInit = {}, clientKey?: string | null): Promise<T> {
  const headers = new Headers(init.headers);
  if (init.body) headers.set('content-type', 'application/json');
  if (clientKey) headers.set('x-client-key', clientKey);
  let response: Response;
  try {
    response = await fetch(`${API}/${path}`, { ...init, headers, credentials: 'omit', cache: 'no-store' });
  } catch {
    throw new ApiError(0, 'NETWORK');
  }
  if (!response.ok) {
    const problem = await response.json().catch(() => null);
    throw new ApiError(response.status, typeof problem?.code === 'string' ? problem.code : 'UNEXPECTED');
  }
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

function post<T>(path: string, body: unknown, clientKey?: string | null, keepalive = false): Promise<T> {
  return call<T>(path, { method: 'POST', body: JSON.stringify(body), keepalive }, clientKey);
}

export const getLink = (hash: string, language: Language) => call<LinkInfo>(`${hash}?language=${language}`);

export const sendCode = (code: string) => post<{ hash: string }>('code', { code });

export const sendLegal = (
  hash: string,
  answer: { accept: boolean; documentId: string; version: number | string; language: string; deviceKey?: string },
) => post<{ clientKey?: string; conference?: string }>(`${hash}/legal`, answer);

export interface Asking {
  camera: boolean;
  microphone: boolean;
  /** What the adjuster calls this device. */
  device: string | undefined;
  /** A device that was refused asks once more. */
  again: boolean;
}

/** The right to enter, or a place at the door while another device is in the call. */
export const join = (hash: string, clientKey: string, asking: Asking) =>
  post<JoinAnswer | { door: 'waiting' }>(`${hash}/join`, asking, clientKey);

export const sendChat = (hash: string, clientKey: string, text: string) =>
  post<{ message: ChatMessage }>(`${hash}/chat`, { text }, clientKey);

/** The picture that a call is frozen at, and the marks on it. */
export interface FrozenAnswer {
  frozen: { mediaId: string; revision: number; marks: unknown[] } | null;
}

export const getFrozen = (hash: string, clientKey: string) => call<FrozenAnswer>(`${hash}/frozen`, {}, clientKey);

/** Names a moment for the call; the one that ours named is thereby agreed. */
export const nameMoment = (hash: string, at: string) =>
  post<{ appointment: Appointment }>(`${hash}/appointment`, { at });

export const leave = (hash: string, clientKey: string) => post<void>(`${hash}/leave`, {}, clientKey, true);

/** Tells how media leave and what fails; false when it did not arrive and may be told again. */
export async function tellConnection(hash: string, clientKey: string, report: ConnectionReport): Promise<boolean> {
  try {
    await post<void>(`${hash}/connection`, report, clientKey);
    return true;
  } catch (error) {
    // What the server refuses it refuses again.
    return error instanceof ApiError && error.status >= 400 && error.status < 500;
  }
}

const WAIT = [0, 1500, 4000, 10_000];

/** Reports a step to the adjuster. Retried while the network is down; true when the server accepted it. */
export async function track(
  hash: string,
  clientKey: string | null,
  type: string,
  data: Record<string, unknown>,
): Promise<boolean> {
  for (const wait of WAIT) {
    if (wait) await new Promise((resolve) => setTimeout(resolve, wait));
    try {
      await post<void>(`${hash}/track`, { type, data }, clientKey, true);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 429) return false;
    }
  }
  return false;
}
