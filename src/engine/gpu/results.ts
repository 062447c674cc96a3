/**
 * Reads the integer sums that a simulation brings back; twin of shaders/lib/order.wgsl and kernel/sums.wgsl.
 *
 * Takes: the words of the sums buffer. Gives: exact counts, sums in fixed point, and the lowest value of all paths.
 */

/** Fixed-point unit of a real sum: 2^-23. */
const FIXED_POINT = 2 ** -23;

/** Words of the sums buffer of a product with so many sums. */
export function sumWords(sumCount: number): number {
  return 2 * sumCount + 1;
}

/** Sum number `sum`: an exact integer below 2^53. */
export function integerSum(words: Uint32Array, sum: number): number {
  return words[2 * sum + 1] * 2 ** 32 + words[2 * sum];
}

/** Sum number `sum` of numbers in 0..1 that were added in fixed point. */
export function fixedPointSum(words: Uint32Array, sum: number): number {
  return integerSum(words, sum) * FIXED_POINT;
}

/** The lowest value that any path gave to `lowest_take`; the last word holds its inverted order key. */
export function lowestValue(words: Uint32Array, sumCount: number): number {
  return numberOfKey(~words[2 * sumCount] >>> 0);
}

/** The number whose order key this is. */
export function numberOfKey(key: number): number {
  const bits = key >= 0x80000000 ? key ^ 0x80000000 : ~key;
  return new Float32Array(new Uint32Array([bits]).buffer)[0];
}

/** The order key of a single-precision number. */
export function keyOfNumber(value: number): number {
  const [bits] = new Uint32Array(new Float32Array([value]).buffer);
  return (bits ^ (bits >= 0x80000000 ? 0xffffffff : 0x80000000)) >>> 0;
}
