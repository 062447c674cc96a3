/**
 * The normals of one asset along one path: the hot loop of the CPU engine.
 *
 * Takes: seed, path, asset. Gives: the draws of consecutive steps, four per generator block.
 * The rounds of `threefry.ts` and the table of `normal.ts` are written out in one function on purpose: rolled
 * loops and closures ran at less than half the rate. Tests hold it against the plain forms, bit for bit.
 */
import { NORMAL_COLUMNS } from './normal.ts';

const KEY_PARITY = 0x1bd11bda;
/** Constants of this module, so that the compiler knows their lengths. */
const [C0, C1, C2, C3, C4] = NORMAL_COLUMNS;

/**
 * Fills `out[offset + 4 (g - firstGroup) .. + 3]` with the draws of steps 4g .. 4g + 3 for every group g of a range.
 *
 * @param seed key word 0, any 32 bits
 * @param path counter word 0
 * @param asset counter word 2
 * @param firstGroup first step group, floor(step / 4)
 * @param groups number of groups
 * @param out receives 4 x groups standard normals from `offset` on
 */
export function fillNormals(
  seed: number,
  path: number,
  asset: number,
  firstGroup: number,
  groups: number,
  out: Float64Array,
  offset: number,
): void {
  const k0 = seed | 0;
  const k4 = KEY_PARITY ^ k0;
  const c0 = (path + k0) | 0;
  const c2 = asset | 0;
  const end = (firstGroup + groups) | 0;
  let at = offset | 0;
  for (let group = firstGroup | 0; group < end; group++) {
    // Key words 1..3 and counter word 3 are 0, so the first injection adds to word 0 only.
    let x0 = c0;
    let x1 = group;
    let x2 = c2;
    let x3 = 0;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0;
    x2 = (x2 + x3) | 0;
    x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2;
    x0 = (x0 + x3) | 0;
    x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0;
    x2 = (x2 + x1) | 0;
    x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
    x2 = (x2 + x3) | 0;
    x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2;
    x0 = (x0 + x3) | 0;
    x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0;
    x2 = (x2 + x1) | 0;
    x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2;
    // Injection 1: schedule words 1, 2, 3, 4.
    x3 = (x3 + k4 + 1) | 0;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << 6) | (x1 >>> 26)) ^ x0;
    x2 = (x2 + x3) | 0;
    x3 = ((x3 << 20) | (x3 >>> 12)) ^ x2;
    x0 = (x0 + x3) | 0;
    x3 = ((x3 << 17) | (x3 >>> 15)) ^ x0;
    x2 = (x2 + x1) | 0;
    x1 = ((x1 << 11) | (x1 >>> 21)) ^ x2;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << 25) | (x1 >>> 7)) ^ x0;
    x2 = (x2 + x3) | 0;
    x3 = ((x3 << 10) | (x3 >>> 22)) ^ x2;
    x0 = (x0 + x3) | 0;
    x3 = ((x3 << 18) | (x3 >>> 14)) ^ x0;
    x2 = (x2 + x1) | 0;
    x1 = ((x1 << 20) | (x1 >>> 12)) ^ x2;
    // Injection 2: schedule words 2, 3, 4, 0.
    x2 = (x2 + k4) | 0;
    x3 = (x3 + k0 + 2) | 0;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << 10) | (x1 >>> 22)) ^ x0;
    x2 = (x2 + x3) | 0;
    x3 = ((x3 << 26) | (x3 >>> 6)) ^ x2;
    x0 = (x0 + x3) | 0;
    x3 = ((x3 << 11) | (x3 >>> 21)) ^ x0;
    x2 = (x2 + x1) | 0;
    x1 = ((x1 << 21) | (x1 >>> 11)) ^ x2;
    x0 = (x0 + x1) | 0;
    x1 = ((x1 << 13) | (x1 >>> 19)) ^ x0;
    x2 = (x2 + x3) | 0;
    x3 = ((x3 << 27) | (x3 >>> 5)) ^ x2;
    x0 = (x0 + x3) | 0;
    x3 = ((x3 << 23) | (x3 >>> 9)) ^ x0;
    x2 = (x2 + x1) | 0;
    x1 = ((x1 << 5) | (x1 >>> 27)) ^ x2;
    // Injection 3: schedule words 3, 4, 0, 1.
    x1 = (x1 + k4) | 0;
    x2 = (x2 + k0) | 0;
    x3 = (x3 + 3) | 0;

    out[at] = toNormal(x0);
    out[at + 1] = toNormal(x1);
    out[at + 2] = toNormal(x2);
    out[at + 3] = toNormal(x3);
    at = (at + 4) | 0;
  }
}

/** `normalFromWord`, small enough for the compiler to inline. */
function toNormal(word: number): number {
  const sign = word >> 31;
  const magnitude = word ^ sign;
  const zeros = Math.clz32(magnitude);
  const shifted = magnitude << zeros;
  const row = ((zeros << 7) + (shifted >>> 25)) | 0;
  const d = shifted & 0x1ffffff;
  const z = C0[row] + d * (C1[row] + d * (C2[row] + d * (C3[row] + d * C4[row])));
  return z * (sign | 1);
}
