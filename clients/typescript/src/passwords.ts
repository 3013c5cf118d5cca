/**
 * What the service takes for a password: its SHA-256 as 64 hexadecimal digits.
 *
 * Browsers have SHA-256 only on HTTPS, and a game server at home has none, so it is written out.
 */
export function hashPassword(password: string): string {
  const message = padded(new TextEncoder().encode(password));
  const state = Uint32Array.from(ROOTS);
  for (let at = 0; at < message.byteLength; at += 64) absorb(state, new DataView(message, at, 64));
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

// FIPS 180-4; the names are the standard's. The constants are the first 32 bits behind the
// point of the square roots of the first 8 primes, and of the cube roots of the first 64.
const ROOTS = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
];
const K = [
  0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
  0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
  0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
  0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
  0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
  0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
  0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
  0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
];

/** Section 5.1.1: a one, zeros, and the length in bits, up to whole blocks. */
function padded(bytes: Uint8Array): ArrayBuffer {
  const buffer = new ArrayBuffer((((bytes.length + 8) >> 6) + 1) * 64);
  new Uint8Array(buffer).set(bytes);
  const view = new DataView(buffer);
  view.setUint8(bytes.length, 0x80);
  view.setUint32(buffer.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  view.setUint32(buffer.byteLength - 4, (bytes.length * 8) >>> 0);
  return buffer;
}

/** Section 6.2.2. */
function absorb(state: Uint32Array, block: DataView): void {
  const W = schedule(block);
  let [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = state;
  for (let t = 0; t < 64; t++) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const T1 = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + word(K, t) + word(W, t);
    const T2 = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + majority;
    [a, b, c, d, e, f, g, h] = [(T1 + T2) | 0, a, b, c, (d + T1) | 0, e, f, g];
  }
  for (const [index, sum] of [a, b, c, d, e, f, g, h].entries()) {
    state[index] = word(state, index) + sum;
  }
}

function schedule(block: DataView): Uint32Array {
  const W = new Uint32Array(64);
  for (let t = 0; t < 16; t++) W[t] = block.getUint32(t * 4);
  for (let t = 16; t < 64; t++) {
    const [early, late] = [word(W, t - 15), word(W, t - 2)];
    const s0 = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const s1 = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    W[t] = s1 + word(W, t - 7) + s0 + word(W, t - 16);
  }
  return W;
}

function turn(bits: number, by: number): number {
  return (bits >>> by) | (bits << (32 - by));
}

function word(words: ArrayLike<number>, at: number): number {
  return words[at] ?? 0;
}
