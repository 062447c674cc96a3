/**
 * Repeatable noise for the sample market: a pure function of a stream and a position.
 *
 * Integers and additions only, so that the sample market is the same on every machine. It serves illustrations:
 * simulations draw from another generator.
 */

/** Mixes 32 bits so that each one of them depends on all (finaliser of MurmurHash3, A. Appleby, public domain). */
function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * A bell-shaped number with mean 0 and variance 1, between -3.47 and 3.47: the scaled sum of four uniforms of 16 bits.
 *
 * @param stream which noise
 * @param position hour or day, whole
 */
export function noise(stream: number, position: number): number {
  const one = mix(Math.imul(position, 0x9e3779b1) ^ mix(stream));
  const two = mix(one ^ 0x6a09e667);
  const sum = (one & 0xffff) + (one >>> 16) + (two & 0xffff) + (two >>> 16);
  // Four uniforms on 0..65535 have mean 4 x 32767.5 and variance 4 x (65536^2 - 1) / 12.
  return (sum - 131_070) / 37_837.22747;
}
