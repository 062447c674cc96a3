/** The kernel itself: its draws and its edges. */

import { describe, expect, it } from 'vitest';
import { normalOf, normalsOfPath } from '#src/core/rules/draws.js';
import { instantiateKernel } from '#src/core/simd/kernel.js';
import { leastSingle, NO_RULES, writeRules } from '#src/core/simd/parameters.js';
import { readKernel } from '#src/engine/wasm/read-kernel.js';

/** Another instance: that of the thread has the model of another test. */
const kernel = instantiateKernel(readKernel());

/** A pair whose log ratio is the sum of the normals of asset `asset` (phase 0 or a quarter turn): the walk shows the draws. */
function showDraws(seed: number, asset: number): void {
  const { PAIR } = kernel.exports;
  kernel.exports.configure(seed | 0, 2, true);
  for (const [place, value] of [2 * Math.LN2, 0, 0, 0].entries()) kernel.put(PAIR, place, value);
  kernel.putInteger(PAIR, 1, asset * 2 ** 30);
  writeRules(kernel, NO_RULES);
}

describe('the draws of the kernel', () => {
  it.each([
    [0, 0],
    [0xdeadbeef, 1],
  ])('are the normals of the plain generator, tails included (seed %i, asset %i)', (seed, asset) => {
    showDraws(seed, asset);
    let largest = 0;
    let tails = 0;
    for (let path = 0; path < 30_000; path += 4) {
      kernel.exports.simulatePaths(path, 4, false, 0);
      const values = kernel.exports.PATHS.value / 4;
      for (let lane = 0; lane < 4; lane++) {
        let walk = 0;
        for (const [step, normals] of normalsOfPath(seed, path + lane, 4, asset + 1).entries()) {
          const z = normals[asset];
          walk += z;
          if (Math.abs(z) > 3) tails++;
          largest = Math.max(largest, Math.abs(kernel.singles[values + 4 * step + lane] - walk));
        }
      }
    }
    expect(tails).toBeGreaterThan(250);
    // Four normals, each within 1.6e-6 (1.6e-7 on average), and as many sums of up to 12, rounded to singles.
    expect(largest).toBeLessThan(3e-6);
  });

  it('are those of later steps in later blocks', () => {
    const steps = 1003;
    showDraws(77, 1);
    kernel.reserve(kernel.pathBytes(steps));
    kernel.exports.simulatePaths(5, steps, false, 0);
    const path = new Float64Array(steps);
    for (let lane = 0; lane < 4; lane++) {
      kernel.copyPath(0, lane, steps, path);
      for (let step = 1; step < steps; step++) {
        const z = normalOf(77, 5 + lane, step, 1);
        // The walk reaches 100 or so: two roundings of 8e-6.
        expect(Math.abs(path[step] - path[step - 1] - z), `lane ${lane}, step ${step}`).toBeLessThan(2e-5);
      }
    }
  });
});

describe('a packet of paths', () => {
  it('has the same numbers of a path in any lane', () => {
    const first = [1000, 1001, 1002, 1003];
    showDraws(3, 0);
    const results = first.map(path => {
      kernel.exports.runLoans(path, 2, 90, 0);
      const at = kernel.exports.RESULTS.value / 4 + (1003 - path);
      return [kernel.integers[at], kernel.integers[at + 4]];
    });
    for (const result of results) expect(result).toEqual(results[0]);
  });
});

describe('thresholds', () => {
  it('are the least singles that are not below them', () => {
    for (const threshold of [1 / 3, -1 / 3, 1e-3, -0.143100843640673, 1, 0, 1e30, -1e-42]) {
      const single = leastSingle(threshold);
      expect(single, `${threshold}`).toBeGreaterThanOrEqual(threshold);
      expect(Math.fround(single), `${threshold}`).toBe(single);
      const spacing = Math.max(Math.abs(single) * 2 ** -23, 2 ** -149);
      expect(single - threshold, `${threshold}`).toBeLessThan(spacing);
    }
    expect(leastSingle(Number.NEGATIVE_INFINITY)).toBe(Number.NEGATIVE_INFINITY);
  });
});
