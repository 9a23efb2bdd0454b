/** Sequential checks with plain output: `ok N name`, `not ok N name`, `skip N name # reason`, and one line of counts. */

export class Skip extends Error {}

/** Ends the current check as skipped; the reason is printed. */
export function skip(reason) {
  throw new Skip(reason);
}

/** @param {unknown} condition @param {string} message */
export function must(condition, message) {
  if (!condition) throw new Error(message);
}

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Polls until `probe` returns something truthy, and returns it.
 * @template T
 * @param {string} what for the message: what was awaited
 * @param {() => Promise<T> | T} probe may throw: counts as "not yet", the last error is shown
 * @param {{ms?: number, every?: number, show?: () => any}} [options] `show` adds a last look to the message
 * @returns {Promise<NonNullable<T>>}
 */
export async function until(what, probe, { ms = 8000, every = 100, show } = {}) {
  const end = Date.now() + ms;
  let last;
  for (;;) {
    try {
      last = await probe();
      if (last) return last;
    } catch (error) {
      last = String(error?.message ?? error);
    }
    if (Date.now() > end) break;
    await pause(every);
  }
  const seen = show ? await Promise.resolve(show()).catch((e) => String(e)) : last;
  throw new Error(`not within ${ms} ms: ${what}; last seen ${JSON.stringify(seen)?.slice(0, 600)}`);
}

export class Report {
  /** @param {{engine: string, verbose?: boolean}} options */
  constructor({ engine, verbose = false }) {
    this.engine = engine;
    this.verbose = verbose;
    this.number = 0;
    this.passed = 0;
    this.failures = [];
    this.skips = [];
  }

  /**
   * @param {string} name
   * @param {() => Promise<string | void>} run a returned text is printed as a note (a measured value)
   * @param {{ms?: number, except?: Record<string, string>}} [options] `except`: engine → why the check does not apply there
   */
  async check(name, run, { ms = 30000, except = {} } = {}) {
    this.number += 1;
    const label = `${this.number} ${name}`;
    if (except[this.engine]) return this.#skipped(label, except[this.engine]);
    const started = Date.now();
    let timer;
    try {
      const deadline = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`time-out of ${ms} ms`)), ms);
      });
      const note = await Promise.race([run(), deadline]);
      this.passed += 1;
      console.log(`ok ${label} (${((Date.now() - started) / 1000).toFixed(1)} s)${note ? ` # ${note}` : ''}`);
    } catch (error) {
      if (error instanceof Skip) return this.#skipped(label, error.message);
      this.failures.push(label);
      console.log(`not ok ${label} (${((Date.now() - started) / 1000).toFixed(1)} s)\n    ${String(error?.message ?? error).split('\n').slice(0, 6).join('\n    ')}`);
      if (this.verbose) console.log(error?.stack);
    } finally {
      clearTimeout(timer);
    }
    return undefined;
  }

  /** A whole group that cannot run: one skipped line, its reason printed. */
  group(name, reason) {
    this.number += 1;
    this.#skipped(`${this.number} ${name}`, reason);
  }

  #skipped(label, reason) {
    this.skips.push(`${label}: ${reason}`);
    console.log(`skip ${label} # ${reason}`);
  }

  /** Prints the counts. @returns {number} the process's exit code */
  finish() {
    const skipped = this.skips.length ? `, ${this.skips.length} skipped` : '';
    for (const line of this.skips) console.log(`# skipped ${line}`);
    for (const line of this.failures) console.log(`# failed ${line}`);
    console.log(`${this.passed} passed, ${this.failures.length} failed${skipped}`);
    return this.failures.length ? 1 : 0;
  }
}
