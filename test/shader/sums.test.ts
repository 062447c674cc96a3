/** Squares and amounts that kernel/sums.wgsl adds in integers. */
import { describe, expect, it } from 'vitest';
import { evaluateOnGpu } from '../support/gpu.ts';

/** The four sums of kernel/sums.wgsl for an input. */
async function added(call: string, inputs: Uint32Array): Promise<number[][]> {
  const words = new Uint32Array(4 * inputs.length);
  for (const [i, input] of inputs.entries()) words[4 * i] = input;
  const functions = `
    const workgroup_size = 32u;
    const SUM_COUNT = 4u * workgroup_size;
    @group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>>;
    fn sums_of(first: u32, input: u32) -> vec4<u32> {
      ${call};
      return vec4(
        atomicLoad(&group_sums[first]), atomicLoad(&group_sums[first + 1u]),
        atomicLoad(&group_sums[first + 2u]), atomicLoad(&group_sums[first + 3u]),
      );
    }`;
  const files = ['lib/order.wgsl', 'lib/u64.wgsl', 'kernel/sums.wgsl'];
  const found = await evaluateOnGpu(
    files,
    'sums_of(4u * (id.x % workgroup_size), input.x)',
    words,
    functions,
  );
  return Array.from(inputs, (_, i) => [...found.subarray(4 * i, 4 * i + 4)]);
}

const AMOUNTS = Float32Array.of(
  0,
  2 ** -40,
  0.1,
  0.75,
  1,
  3.7,
  2 ** 24 - 1,
  2 ** 24 + 2,
  123456792,
  2 ** 40,
  2.5e14,
);

describe('kernel/sums.wgsl', () => {
  it('adds a square in three sums', async () => {
    const values = Uint32Array.of(0, 1, 4095, 4096, 4097, 123456, 2 ** 24 - 1);
    for (const [i, [aa, ab, bb, next]] of (await added('square_add(first, input)', values)).entries()) {
      expect(aa * 2 ** 24 + ab * 2 ** 13 + bb, `${values[i]}`).toBe(values[i] ** 2);
      expect(next).toBe(0);
    }
  });

  it('adds an amount in three sums, to 23 bits of fraction', async () => {
    const found = await added('amount_add(first, bitcast<f32>(input))', new Uint32Array(AMOUNTS.buffer));
    for (const [i, [upper, lower, fraction, next]] of found.entries()) {
      const sum = upper * 2 ** 24 + lower + fraction * 2 ** -23;
      expect(Math.abs(sum - AMOUNTS[i]), `${AMOUNTS[i]}`).toBeLessThanOrEqual(2 ** -24);
      expect(Math.max(upper, lower), `${AMOUNTS[i]}`).toBeLessThan(2 ** 24);
      expect(next).toBe(0);
    }
  });

  it('adds an amount in four sums, to 48 bits of fraction', async () => {
    const found = await added('fine_amount_add(first, bitcast<f32>(input))', new Uint32Array(AMOUNTS.buffer));
    for (const [i, digits] of found.entries()) {
      const [upper, lower, high, last] = digits;
      const sum = upper * 2 ** 24 + lower + high * 2 ** -24 + last * 2 ** -48;
      expect(sum, `${AMOUNTS[i]}`).toBe(AMOUNTS[i]);
      expect(Math.max(...digits), `${AMOUNTS[i]}`).toBeLessThan(2 ** 24);
    }
  });
});
