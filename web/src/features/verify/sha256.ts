// SHA-256 (FIPS 180-4) over parts. Web Crypto takes only a whole file in memory and only on https; a visitor may bring
// a video of hundreds of megabytes to a phone.

const K = /* @__PURE__ */ constants();

/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes. */
function constants(): Uint32Array {
  const words = new Uint32Array(64);
  let found = 0;
  for (let n = 2; found < 64; n += 1) {
    let prime = true;
    for (let d = 2; d * d <= n; d += 1) if (n % d === 0) prime = false;
    if (!prime) continue;
    words[found] = fraction(n, 3);
    found += 1;
  }
  return words;
}

/** 32 bits of the fractional part of the `root`-th root of a small prime, exact by whole numbers. */
function fraction(prime: number, root: 2 | 3): number {
  const scaled = BigInt(prime) << BigInt(32 * root);
  let low = 0n;
  let high = 1n << 40n;
  while (low < high) {
    const middle = (low + high + 1n) >> 1n;
    if (middle ** BigInt(root) <= scaled) low = middle;
    else high = middle - 1n;
  }
  return Number(low & 0xffffffffn);
}

const START = [2, 3, 5, 7, 11, 13, 17, 19].map((prime) => fraction(prime, 2));
const BLOCK = 64;

/** A digest that takes its input part by part. Invariant: after `hex()` it is used no more. */
export class Sha256 {
  private readonly state = Uint32Array.from(START);
  private readonly words = new Uint32Array(64);
  private readonly rest = new Uint8Array(BLOCK);
  private held = 0;
  private length = 0;

  update(bytes: Uint8Array): this {
    this.length += bytes.length;
    let at = 0;
    if (this.held > 0) {
      at = Math.min(BLOCK - this.held, bytes.length);
      this.rest.set(bytes.subarray(0, at), this.held);
      this.held += at;
      if (this.held < BLOCK) return this;
      this.block(this.rest, 0);
      this.held = 0;
    }
    for (; at + BLOCK <= bytes.length; at += BLOCK) this.block(bytes, at);
    this.rest.set(bytes.subarray(at));
    this.held = bytes.length - at;
    return this;
  }

  /** Lower-case hex. */
  hex(): string {
    const bits = BigInt(this.length) * 8n;
    const padding = new Uint8Array((this.held < 56 ? 56 : 120) - this.held + 8);
    padding[0] = 0x80;
    new DataView(padding.buffer).setBigUint64(padding.length - 8, bits);
    this.update(padding);
    return [...this.state].map((word) => word.toString(16).padStart(8, '0')).join('');
  }

  private block(bytes: Uint8Array, at: number): void {
    const { state, words: w } = this;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, BLOCK);
    for (let i = 0; i < 16; i += 1) w[i] = view.getUint32(i * 4);
    for (let i = 16; i < 64; i += 1) {
      const x = word(w, i - 15);
      const y = word(w, i - 2);
      const s0 = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      const s1 = turned(y, 17) ^ turned(y, 19) ^ (y >>> 10);
      w[i] = (word(w, i - 16) + s0 + word(w, i - 7) + s1) | 0;
    }
    let [a, b, c, d] = [word(state, 0), word(state, 1), word(state, 2), word(state, 3)];
    let [e, f, g, h] = [word(state, 4), word(state, 5), word(state, 6), word(state, 7)];
    for (let i = 0; i < 64; i += 1) {
      const s1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const one = (h + s1 + ((e & f) ^ (~e & g)) + word(K, i) + word(w, i)) | 0;
      const s0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
      const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    for (const [i, add] of [a, b, c, d, e, f, g, h].entries()) state[i] = word(state, i) + add;
  }
}

/** Every place asked for exists: `i` runs within the array. */
const word = (words: Uint32Array, i: number): number => words[i] as number;

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by));
