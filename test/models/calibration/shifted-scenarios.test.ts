/** Where and how far paths are shifted, and the weights that make up for it. */
import { describe, expect, it } from 'vitest';
import { shiftOf } from '#src/core/plan/model/gbm-shifted.js';
import type { GbmScenarios } from '#src/core/plan/simulation-plan.js';
import { normalFromWord } from '#src/core/random/normal.js';
import { PILOT_KEY, pilotNormals } from '#src/core/random/pilot-normals.js';
import { threefry4x32 } from '#src/core/random/threefry.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { Dice, randomGbm } from '../../support/random-plans.ts';

/** BTC and ETH with a correlation of 0.8, and a dollar. */
const three: GbmScenarios = {
  kind: 'gbm',
  assets: 3,
  annualVolatility: Float64Array.of(0.5, 0.7, 0),
  factor: Float64Array.of(0.5, 0, 0, 0.56, 0.42, 0, 0, 0, 0),
};
const STEPS = 720;

describe('The shift', () => {
  it('moves the collateral of a loan of dollars down, most at the highest volatility', () => {
    const exposed = { collateral: Float64Array.of(1, 1, 0), debt: Float64Array.of(0, 0, 1) };
    const scenarios = shiftedScenarios(three, exposed, STEPS, 1);
    expect([...scenarios.exposures]).toEqual([0.5, 0.5, -1]);
    const [btc, eth, dollar] = shiftOf(scenarios).perStep;
    expect(btc).toBeLessThan(0);
    expect(eth).toBeLessThan(btc);
    expect(dollar).toBe(0);
    // The lowest 11 of 1,024 normals: their median is the quantile at 6 / 1,024.
    expect(scenarios.distance).toBeGreaterThan(2.2);
    expect(scenarios.distance).toBeLessThan(2.9);
  });

  it('reaches the median place of the eleven pilot paths with the lowest ratio', () => {
    const exposed = { collateral: Float64Array.of(3, 1, 0.5), debt: Float64Array.of(0.5, 1, 1) };
    const steps = 8758;
    for (const seed of [1, 2, 3]) {
      const { distance, exposures } = shiftedScenarios(three, exposed, steps, seed);
      // Weighed steps are whole groups of four.
      const years = 8760 / 8760;
      const { factor, annualVolatility } = three;
      const loadings = [0, 1, 2].map(j => exposures.reduce((sum, d, i) => sum + d * factor[3 * i + j], 0));
      const size = Math.hypot(...loadings);
      const pilots = Array.from({ length: 1024 }, (_, p) => {
        const z = Array.from(pilotNormals(seed, p, 3));
        const prices = [0, 1, 2].map(i => {
          const shock = z.reduce((sum, each, j) => sum + factor[3 * i + j] * each, 0);
          return Math.exp(shock * Math.sqrt(years) - (annualVolatility[i] ** 2 / 2) * years);
        });
        const of = (side: Float64Array) => prices.reduce((sum, price, i) => sum + side[i] * price, 0);
        const place = -z.reduce((sum, each, j) => sum + loadings[j] * each, 0) / size;
        return { place, ratio: of(exposed.collateral) / of(exposed.debt) };
      });
      const lowest = pilots.sort((a, b) => a.ratio - b.ratio).slice(0, 11);
      const places = lowest.map(({ place }) => place).sort((a, b) => a - b);
      expect(distance, `seed ${seed}`).toBeCloseTo(places[5], 12);
    }
  });

  it('reaches for the barriers of a loan that lie beyond the pilot paths, and for no other', () => {
    const exposed = { collateral: Float64Array.of(1, 0, 0), debt: Float64Array.of(0, 0, 1) };
    const deviation = 0.5 * Math.sqrt(STEPS / 8760);
    const barrier = (place: number) => Math.exp(-place * deviation - deviation ** 2 / 2);
    const distanceTo = (...places: number[]) =>
      shiftedScenarios(three, exposed, STEPS, 1, places.map(barrier)).distance;
    const { distance } = shiftedScenarios(three, exposed, STEPS, 1);
    expect(distanceTo(0.5, 1, 2)).toBe(distance);
    expect(distanceTo(0.5, 1, 7)).toBeCloseTo(7, 9);
    expect(distanceTo(-1, 4, 5, 7)).toBeCloseTo(5.5, 9);
    expect(distanceTo(4, 25)).toBeCloseTo(4, 9);
    // Of two coins along their direction: the ratio there is the barrier.
    const both = { collateral: Float64Array.of(1, 1, 0), debt: Float64Array.of(0, 0, 1) };
    const far = shiftedScenarios(three, both, STEPS, 1, [0.4]);
    const { perStep } = shiftOf(far);
    const prices = [0, 1].map(i =>
      Math.exp(STEPS * perStep[i] - (three.annualVolatility[i] ** 2 * STEPS) / 17520),
    );
    expect((prices[0] + prices[1]) / 2).toBeCloseTo(0.4, 9);
  });

  it('moves the debt up where the debt alone moves', () => {
    const exposed = { collateral: Float64Array.of(0, 0, 5), debt: Float64Array.of(3, 0, 0) };
    const { perStep } = shiftOf(shiftedScenarios(three, exposed, STEPS, 1));
    expect(perStep[0]).toBeGreaterThan(0);
    expect(perStep[2]).toBe(0);
  });

  it('moves the mean of sum d_i ln S_i by the distance in its standard deviations', () => {
    const dice = new Dice(4);
    for (let n = 1; n <= 32; n += 5) {
      const gbm = randomGbm(dice, n);
      const random = () => Float64Array.from({ length: n }, () => dice.between(0.1, 1));
      const scenarios = shiftedScenarios(gbm, { collateral: random(), debt: random() }, 100, n);
      const { perStep } = shiftOf(scenarios);
      const moved = scenarios.exposures.reduce((sum, d, i) => sum + 100 * d * perStep[i], 0);
      let variance = 0;
      for (let j = 0; j < n; j++) {
        let loading = 0;
        for (let i = 0; i < n; i++) loading += scenarios.exposures[i] * gbm.factor[i * n + j];
        variance += (loading * loading * 100) / 8760;
      }
      if (n === 1) expect(scenarios.distance).toBe(0);
      else expect(moved / (scenarios.distance * Math.sqrt(variance))).toBeCloseTo(-1, 9);
    }
  });

  it('depends on the seed and on shares only', () => {
    const of = (scale: number, seed: number) =>
      shiftedScenarios(
        three,
        { collateral: Float64Array.of(scale, scale, 0), debt: Float64Array.of(0, 0, 7 * scale) },
        STEPS,
        seed,
      );
    expect(of(1, 5)).toEqual(of(1, 5));
    expect(of(4, 5)).toEqual(of(1, 5));
    expect(of(1, 6).distance).not.toBe(of(1, 5).distance);
  });
});

describe('The weight of a path', () => {
  const exposed = { collateral: Float64Array.of(1, 0, 0), debt: Float64Array.of(0, 0, 1) };
  const scenarios = shiftedScenarios(three, exposed, STEPS, 1);
  const { weightOf } = shiftOf(scenarios);
  const deviation = 0.5 * Math.sqrt(STEPS / 8760);
  const mean = (-(0.5 ** 2) * STEPS) / 8760 / 2;

  it('is the density of the model over half of both', () => {
    for (const z of [-3, 0, 1, scenarios.distance, 5]) {
      const density = (x: number) => Math.exp((-x * x) / 2);
      const [model, moved] = [density(z), density(z - scenarios.distance)];
      expect(weightOf(mean - deviation * z)).toBeCloseTo(model / (model / 2 + moved / 2), 12);
    }
  });

  it('lies between 0 and 2, however far a path ends', () => {
    expect(weightOf(50)).toBe(2);
    expect(weightOf(-50)).toBeGreaterThanOrEqual(0);
    expect(weightOf(-50)).toBeLessThan(1e-100);
  });
});

describe('Pilot normals', () => {
  it('are those of words of another key, four from each block', () => {
    const normals = pilotNormals(9, 17, 6);
    const words = [0, 1].flatMap(block => [...threefry4x32([17, block, 0, 0], [9, PILOT_KEY, 0, 0])]);
    expect([...normals]).toEqual(words.slice(0, 6).map(normalFromWord));
  });

  it('of fewer assets are the first of more', () => {
    expect([...pilotNormals(1, 2, 3)]).toEqual([...pilotNormals(1, 2, 9).subarray(0, 3)]);
  });
});
