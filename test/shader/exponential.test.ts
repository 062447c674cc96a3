import { describe, expect, it } from 'vitest';
import { evaluateOnGpu } from '../support/gpu.ts';
import { Dice } from '../support/random-plans.ts';

const FILES = ['lib/four_steps.wgsl', 'lib/exponential.wgsl'];
const dice = new Dice(3);
const near = Array.from({ length: 2000 }, () => dice.between(-0.5, 0.5));
const tiny = Array.from({ length: 1000 }, () => dice.pick([-1, 1]) * 2 ** dice.between(-30, -1));
const far = Array.from({ length: 2000 }, () => dice.between(-100, 100));
const edges = [0, -0, 0.5, -0.5, 1, -1, 1.5, 100, -100, 0.49999997, -0.50000006, 63.5, 1e-30];
const inputs = Float32Array.from([...near, ...tiny, ...far, ...edges, 0, 0, 0]);

async function evaluate(field: 'value' | 'minus_one'): Promise<Float32Array> {
  const words = new Uint32Array(inputs.slice(0, 4 * Math.floor(inputs.length / 4)).buffer);
  const expression = `bitcast<vec4<u32>>(exponential(bitcast<vec4<f32>>(input)).${field})`;
  return new Float32Array((await evaluateOnGpu(FILES, expression, words)).buffer as ArrayBuffer);
}

/** Units in the last place of single precision. */
const unit = (x: number) => 2 ** (Math.floor(Math.log2(Math.abs(x))) - 23);

describe('exponential.wgsl', () => {
  it('raises 2 to a power within two units in the last place', async () => {
    const values = await evaluate('value');
    for (const [i, value] of values.entries()) {
      const exact = 2 ** inputs[i];
      // Each of eight fused steps rounds; only the last two, half a unit each, are not scaled down by f ln 2 < 0.35.
      expect(Math.abs(value - exact), `2^${inputs[i]}`).toBeLessThan(2 * unit(exact));
    }
  });

  it('has the exact difference of a power near 1 from 1', async () => {
    const values = await evaluate('minus_one');
    for (const [i, value] of values.entries()) {
      const x = inputs[i];
      if (Math.abs(x) > 0.5 || x === 0) continue;
      const exact = Math.expm1(x * Math.LN2);
      expect(Math.abs(value - exact), `2^${x} - 1`).toBeLessThan(2 * unit(exact));
    }
  });

  it('is exactly 0 at 0, and the power less one elsewhere', async () => {
    const [values, differences] = await Promise.all([evaluate('value'), evaluate('minus_one')]);
    for (const [i, x] of inputs.subarray(0, values.length).entries()) {
      if (x === 0) expect([values[i], Math.abs(differences[i])]).toEqual([1, 0]);
      if (Math.abs(x) <= 0.5) continue;
      const bound = 2 * unit(Math.max(1, values[i]));
      expect(Math.abs(differences[i] - (2 ** x - 1)), `2^${x} - 1`).toBeLessThan(bound);
    }
  });

  it('is finite for exponents beyond any price', async () => {
    const words = new Uint32Array(Float32Array.of(1e30, -1e30, 3e38, 101).buffer);
    const expression = 'bitcast<vec4<u32>>(exponential(bitcast<vec4<f32>>(input)).value)';
    const values = new Float32Array((await evaluateOnGpu(FILES, expression, words)).buffer as ArrayBuffer);
    expect([...values]).toEqual([2 ** 100, 2 ** -100, 2 ** 100, 2 ** 100]);
  });
});
