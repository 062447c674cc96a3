import { describe, expect, it } from 'vitest';
import { lowestValue, readSums } from '#src/core/gpu/results.js';
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
      // The device stores the largest inverted key; here it is the only word after no sums.
      expect(lowestValue(Uint32Array.of(~key)), `key of ${values[i]}`).toBe(values[i]);
    }
  });

  it('counts fractions in units of 2^-23', async () => {
    const units = [0.1, 0.6, 1.75, 3.9].map(count => count * 2 ** -23);
    const fractions = Float32Array.of(0, 2 ** -24, 2 ** -23, 0.25, 0.3, 0.5, 1 - 2 ** -23, 1, ...units);
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
    const words = Uint32Array.of(5, 1, 1 << 23, 0, 3, 0, 7, 0, 1 << 22, 0, 0);
    expect(readSums({ calls: 'count', loss: 'fraction', sold: 'amount' }, words)).toMatchObject({
      calls: 2 ** 32 + 5,
      loss: 1,
      sold: 3 * 2 ** 24 + 7.5,
    });
  });

  it('reads squares and fine amounts', () => {
    // 4099 = 4096 + 3, and its square in units of 2^-46; an amount of four digits.
    const square = [1, 0, 3, 0, 9, 0];
    const words = Uint32Array.of(...square, ...square, 2, 0, 5, 0, 1 << 23, 0, 1 << 22, 0, 0);
    expect(
      readSums({ steps: 'count-square', loss: 'fraction-square', sold: 'fine-amount' }, words),
    ).toMatchObject({
      steps: 4099 ** 2,
      loss: 4099 ** 2 * 2 ** -46,
      sold: 2 * 2 ** 24 + 5.5 + 2 ** -26,
    });
  });
});
