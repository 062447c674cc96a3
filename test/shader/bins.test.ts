/** The slots of bins.wgsl against those of the host. */
import { describe, expect, it } from 'vitest';
import {
  AMOUNT_BINS,
  BINS_PER_UNIT,
  type BinScale,
  RATIO_BINS,
  slotOf,
} from '#src/core/distribution/bins.js';
import { evaluateOnGpu } from '../support/gpu.ts';
import { Dice } from '../support/random-plans.ts';

const dice = new Dice(11);
const COUNT = 4000;
/** Values over all bins and beyond, and many around 1 or 0, where most paths are. */
const ratios = Float32Array.from({ length: COUNT }, (_, i) =>
  Math.exp(i % 2 === 0 ? dice.between(-6, 6) : dice.between(-0.2, 0.2)),
);
const amounts = Float32Array.from({ length: COUNT }, (_, i) => {
  if (i % 4 === 0) return dice.between(-0.05, 0.05);
  return Math.sinh(i % 2 === 0 ? dice.between(-22, 22) : dice.between(-1.5, 1.5));
});
ratios.set([0, 1, 1e-30, 3e38]);
amounts.set([0, 1, -1, 1e-9, 3e38, -3e38]);

/**
 * WGSL lets a logarithm be off by 2^-21 near 1 and by three units in the last place elsewhere; it and its hundredfold are
 * rounded to singles.
 */
const nearness = (coordinate: number) => 2 ** -21 + 5e-7 * Math.abs(coordinate);

async function expectSlots(name: string, scale: BinScale, values: Float32Array): Promise<void> {
  const expression = `vec4(${['x', 'y', 'z', 'w'].map(i => `${name}(bitcast<f32>(input.${i}))`).join(', ')})`;
  const words = new Uint32Array(values.buffer as ArrayBuffer);
  const slots = await evaluateOnGpu(['lib/bins.wgsl'], expression, words);
  let same = 0;
  for (const [i, value] of values.entries()) {
    const expected = slotOf(scale, value);
    const told = `${name}(${value}): ${slots[i]} for ${expected}`;
    if (slots[i] === expected) {
      same++;
      continue;
    }
    const coordinate = scale.coordinate(value);
    const edge = Math.round(BINS_PER_UNIT * coordinate) / BINS_PER_UNIT;
    expect(Math.abs(slots[i] - expected), told).toBe(1);
    expect(Math.abs(coordinate - edge), told).toBeLessThan(nearness(coordinate));
  }
  expect(same, `${name}: slots that are the same`).toBeGreaterThan(0.99 * values.length);
}

describe('bins.wgsl', () => {
  it('counts ratios in the slots of the host, except those at an edge', async () => {
    await expectSlots('ratio_slot', RATIO_BINS, ratios);
  });

  it('counts amounts in the slots of the host, except those at an edge', async () => {
    await expectSlots('amount_slot', AMOUNT_BINS, amounts);
  });
});
