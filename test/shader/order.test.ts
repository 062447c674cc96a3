import { describe, expect, it } from 'vitest';
import { fixedPointSum, integerSum, lowestValue } from '#src/engine/gpu/results.js';
import { evaluateOnGpu } from '../support/gpu.ts';

const values = Float32Array.of(-3e38, -1.5, -1e-30, -0, 0, 1e-30, 0.5, 0.99999994, 1, 1.0000001, 1.5, 3e38);
const bits = () => new Uint32Array(values.slice().buffer);

describe('order.wgsl', () => {
  it('orders numbers by their keys', async () => {
    const keys = await evaluateOnGpu(
      ['lib/order.wgsl'],
      'vec4(order_key(bitcast<f32>(input.x)), order_key(bitcast<f32>(input.y)), order_key(bitcast<f32>(input.z)), order_key(bitcast<f32>(input.w)))',
      bits(),
    );
    for (let i = 1; i < keys.length; i++) {
      expect(keys[i], `${values[i - 1]} before ${values[i]}`).toBeGreaterThan(keys[i - 1]);
    }
    for (const [i, key] of keys.entries()) {
      // The device keeps the largest inverted key; here it is the only word after no sums.
      expect(lowestValue(Uint32Array.of(~key), 0), `key of ${values[i]}`).toBe(values[i]);
    }
  });

  it('counts fractions in units of 2^-23', async () => {
    const fractions = Float32Array.of(0, 2 ** -24, 2 ** -23, 0.25, 0.3, 0.5, 1 - 2 ** -23, 1);
    const counts = await evaluateOnGpu(
      ['lib/order.wgsl'],
      'vec4(fixed_point(bitcast<f32>(input.x)), fixed_point(bitcast<f32>(input.y)), fixed_point(bitcast<f32>(input.z)), fixed_point(bitcast<f32>(input.w)))',
      new Uint32Array(fractions.buffer),
    );
    for (const [i, count] of counts.entries()) {
      expect(Math.abs(count * 2 ** -23 - fractions[i]), `${fractions[i]}`).toBeLessThanOrEqual(2 ** -24);
    }
  });

  it('reads sums of two words', () => {
    const words = Uint32Array.of(5, 1, 1 << 23, 0, 0);
    expect(integerSum(words, 0)).toBe(2 ** 32 + 5);
    expect(fixedPointSum(words, 1)).toBe(1);
  });
});
