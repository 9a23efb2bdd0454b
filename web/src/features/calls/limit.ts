/** What the company's prices say about a call's length; `minuteLimit` null = every minute is included. */
export interface CallBilling {
  /** Minutes included in a connection. */
  minuteLimit: number | null;
  /** Euros of each started minute above it. */
  exceededMinute: number;
}

/** Minutes before the limit from which on it is said. */
const WARNED_MIN = 2;
const MINUTE_MS = 60_000;

export type LimitState = { name: 'near'; left: number } | { name: 'over'; exceeded: number; cost: number };

/**
 * What is to be said about the included minutes after `elapsedMs`; null while there is nothing to say, and always where
 * minutes cost nothing. A started minute counts whole; the server's own count may be a little lower.
 */
export function limitState(billing: CallBilling | null | undefined, elapsedMs: number): LimitState | null {
  const { minuteLimit = null, exceededMinute = 0 } = billing ?? {};
  if (minuteLimit === null || exceededMinute <= 0 || elapsedMs <= 0) return null;
  const left = minuteLimit - elapsedMs / MINUTE_MS;
  if (left < 0) {
    const exceeded = Math.ceil(elapsedMs / MINUTE_MS) - minuteLimit;
    return { name: 'over', exceeded, cost: Math.round(exceeded * exceededMinute * 100) / 100 };
  }
  // A limit shorter than the warning itself is said from the start.
  return left <= WARNED_MIN ? { name: 'near', left: Math.max(1, Math.ceil(left)) } : null;
}
