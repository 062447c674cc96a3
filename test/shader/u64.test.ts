/** The 64-bit integers of lib/u64.wgsl against those of the host. */
import { describe, expect, it } from 'vitest';
import { evaluateOnGpu } from '../support/gpu.ts';

const WORD = 2n ** 32n;
const low = (value: bigint) => Number(value % WORD);
const high = (value: bigint) => Number(value / WORD);

/** The first two words of each result as an integer of 64 bits. */
const integers = (words: Uint32Array) =>
  Array.from({ length: words.length / 4 }, (_, i) => BigInt(words[4 * i]) + WORD * BigInt(words[4 * i + 1]));

/** A function of lib/u64.wgsl of two numbers, or of the words of one. */
async function u64(expression: string, pairs: readonly (readonly [bigint, bigint])[]): Promise<Uint32Array> {
  const words = Uint32Array.from(pairs.flatMap(([a, b]) => [low(a), high(a), low(b), high(b)]));
  return evaluateOnGpu(['lib/u64.wgsl'], expression, words);
}

const NUMBERS = [
  0n,
  1n,
  2n,
  WORD - 2n,
  WORD - 1n,
  WORD,
  WORD + 1n,
  5n * WORD - 1n,
  2n ** 60n,
  2n ** 62n - 1n,
];
const PAIRS = NUMBERS.flatMap(a => NUMBERS.map((b): [bigint, bigint] => [a, b]));

describe('lib/u64.wgsl', () => {
  it('adds', async () => {
    const sums = await u64('vec4(u64_sum(input.xy, input.zw), 0u, 0u)', PAIRS);
    expect(integers(sums)).toEqual(PAIRS.map(([a, b]) => a + b));
  });

  it('has a carry where a sum of words exceeds one word', async () => {
    const pairs = PAIRS.map(([a, b]): [bigint, bigint] => [a % WORD, b % WORD]);
    const carries = await u64('vec4(u64_carry(input.x, input.z), 0u, 0u, 0u)', pairs);
    expect(integers(carries)).toEqual(pairs.map(([a, b]) => (a + b) / WORD));
  });

  it('subtracts the smaller number from the larger one, and compares', async () => {
    const pairs = PAIRS.map(([a, b]): [bigint, bigint] => (a < b ? [b, a] : [a, b]));
    const differences = await u64('vec4(u64_difference(input.xy, input.zw), 0u, 0u)', pairs);
    expect(integers(differences)).toEqual(pairs.map(([a, b]) => a - b));
    const below = await u64('vec4(u32(u64_below(input.xy, input.zw)), 0u, 0u, 0u)', PAIRS);
    expect(integers(below)).toEqual(PAIRS.map(([a, b]) => (a < b ? 1n : 0n)));
  });

  it('multiplies numbers below 2^20', async () => {
    const factors = [0n, 1n, 255n, 256n, 4097n, 2n ** 19n + 3n, 2n ** 20n - 1n];
    const pairs = factors.flatMap(a => factors.map((b): [bigint, bigint] => [a, b]));
    const products = await u64('vec4(u64_product(input.x, input.z), 0u, 0u)', pairs);
    expect(integers(products)).toEqual(pairs.map(([a, b]) => a * b));
  });

  it('rounds numbers to the nearest integer, from 0 to 2^60', async () => {
    const numbers = Float32Array.of(
      -3,
      0,
      0.25,
      0.75,
      1,
      2.75,
      8388607,
      8388608,
      2 ** 32,
      3e12,
      2 ** 60,
      2 ** 61,
      1,
      1,
      1,
      1,
    );
    const words = new Uint32Array(4 * numbers.length);
    for (const [i, bits] of new Uint32Array(numbers.buffer).entries()) words[4 * i] = bits;
    const rounded = await evaluateOnGpu(
      ['lib/u64.wgsl'],
      'vec4(u64_of(bitcast<f32>(input.x)), 0u, 0u)',
      words,
    );
    const expected = Array.from(numbers, x => BigInt(Math.round(Math.min(Math.max(x, 0), 2 ** 60))));
    expect(integers(rounded)).toEqual(expected);
  });
});
