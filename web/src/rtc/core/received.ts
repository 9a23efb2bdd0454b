/** What every channel asks of a message before it reads it: how many came, and that it is an object in JSON. */

/** Lets at most so many messages of each sender through in any second. Times in ms. */
export class Rate {
  private readonly passed = new Map<string, number[]>();

  constructor(private readonly most: number) {}

  passes(from: string, now: number): boolean {
    const times = this.passed.get(from) ?? [];
    const oldest = times.length < this.most ? undefined : times[0];
    if (oldest !== undefined && now - oldest < 1_000) return false;
    times.push(now);
    if (times.length > this.most) times.shift();
    this.passed.set(from, times);
    return true;
  }

  forget(from: string): void {
    this.passed.delete(from);
  }
}

/** The object of a message of at most so many bytes, UTF-8 JSON; null for anything else. Never throws. */
export function objectOf(payload: Uint8Array, mostBytes: number): Record<string, unknown> | null {
  if (payload.byteLength > mostBytes) return null;
  try {
    const raw: unknown = JSON.parse(new TextDecoder().decode(payload));
    const is = typeof raw === 'object' && raw !== null && !Array.isArray(raw);
    return is ? (raw as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
