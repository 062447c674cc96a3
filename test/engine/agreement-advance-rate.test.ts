/**
 * Advance rates on every engine: the exposures of each path against plain code on the same prices, the reference against engines in
 * single precision, and the rates against plain code on the exposures of the same engine.
 */
import { describe, expect, it } from 'vitest';
import type { AdvanceRateOutcome, PathRecords } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import type { AdvanceRateProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import {
  type ExposureRules,
  episodes,
  exposureOnPath,
  lostAt,
  rateAtConfidence,
  rateAtLoss,
} from '#src/core/rules/advance-rate.js';
import { basketsOnPath } from '#src/core/rules/models.js';
import { ENGINES, engineCases, engineForTests, SINGLE_ENGINES } from '../support/engines.ts';
import { expectSameInSlices } from '../support/gpu.ts';
import { expectWithinContract, logRatioTolerance } from '../support/parity.ts';
import { Dice, randomPortfolio, randomScenarios } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

type Plan = SimulationPlan<AdvanceRateProduct>;

/** No multiple of the paths that an engine runs side by side. */
const PATHS = 1003;

/** Exposures of every measure, after a fall and at once, over pairs and baskets. */
function planOf(seed: number, model: 'gbm' | 'garch' | 'historical', paths = PATHS): Plan {
  const dice = new Dice(seed);
  const assets = [1, 2, 4][seed % 3];
  const horizonSteps = Uint32Array.from([dice.whole(1, 4), dice.whole(5, 47), dice.whole(48, 110)]);
  const after = seed % 2 === 1 ? { ratio: dice.between(0.97, 1), withinSteps: dice.whole(1, 60) } : undefined;
  const steps = (after?.withinSteps ?? 0) + horizonSteps[2];
  return {
    seed,
    paths,
    scenarios: randomScenarios(dice, model, assets, steps, paths),
    product: {
      kind: 'advance-rate',
      portfolio: randomPortfolio(dice, assets),
      steps,
      horizonSteps,
      lowest: seed % 4 < 2,
      saleCost: dice.pick([0, 0.02]),
      ...(after && { after }),
      confidences: Float64Array.of(0.6, 0.9, 0.99, 0.9999),
      expectedLosses: Float64Array.of(1e-5, 1e-3, 0.05),
      rates: Float64Array.of(0.5, 0.9, 0.99, 1.5),
      intervalLevel: 0.95,
    },
  };
}
const SEEDS = [1, 2, 3, 4];

const rulesOf = (
  { saleCost, lowest, after, horizonSteps }: AdvanceRateProduct,
  k: number,
): ExposureRules => ({
  steps: horizonSteps[k],
  lowest,
  saleCost,
  ...(after && { after: { fall: 1 - after.ratio, withinSteps: after.withinSteps } }),
});

/** The rates of an outcome by plain code on the records of the same run. */
function expectRates(plan: Plan, outcome: AdvanceRateOutcome, records: PathRecords, told: string) {
  const { saleCost, horizonSteps, confidences, expectedLosses, rates } = plan.product;
  outcome.horizons.forEach((horizon, k) => {
    const all = Array.from(records[`ratio.${k}`], ratio => (1 - saleCost) * ratio);
    const proceeds = all.filter(Number.isFinite);
    const starts = records[`start.${k}`] ?? new Float64Array(plan.paths);
    expect(horizon.exposures, told).toBe(proceeds.length);
    if (proceeds.length === 0) return;
    const wanted = [
      ...Array.from(confidences, q => rateAtConfidence(proceeds, q)),
      ...Array.from(expectedLosses, loss => rateAtLoss(proceeds, loss)),
      ...rates,
    ];
    const got = [...horizon.confidences, ...horizon.expectedLosses, ...horizon.rates];
    got.forEach((at, i) => {
      const where = `level ${i} of horizon ${k}; ${told}`;
      expect(at.rate / wanted[i], where).toBeCloseTo(1, 12);
      const lost = lostAt(proceeds, at.rate);
      expect(at.losing, where).toBe(lost.losing);
      expect(at.loss, where).toBeCloseTo(lost.loss, 9);
      const losing = all.flatMap((value, p) => (value < at.rate ? [p + starts[p]] : []));
      const wantedEpisodes =
        plan.scenarios.kind === 'historical' ? episodes(losing, horizonSteps[k]) : undefined;
      expect(at.episodes, where).toBe(wantedEpisodes);
    });
    horizon.confidences.forEach(({ rate, losing, low = 0, high = rate }, i) => {
      const allowed = proceeds.length * (1 - confidences[i]);
      expect(losing, told).toBeLessThanOrEqual(allowed + 1e-9);
      // A step above it more lose.
      expect(lostAt(proceeds, rate * (1 + 1e-15) + 1e-15).losing, told).toBeGreaterThan(allowed - 1);
      expect([low <= rate, high >= rate], told).toEqual([true, true]);
    });
    for (const [i, { loss }] of horizon.expectedLosses.entries())
      expect(loss / proceeds.length, told).toBeCloseTo(expectedLosses[i], 12);
  });
}

describe('exposures of the reference', () => {
  const reference = sharedReference(2);

  it.each(['gbm', 'garch', 'historical'] as const)('follow plain code under %s', async model => {
    for (const seed of SEEDS) {
      const plan = planOf(seed, model, 67);
      const { product, scenarios } = plan;
      const told = `seed ${seed} under ${model}`;
      const [outcome, records] = await Promise.all([reference.run(plan), reference.trace(plan)]);
      for (let k = 0; k < product.horizonSteps.length; k++) {
        const steps = (product.after?.withinSteps ?? 0) + product.horizonSteps[k];
        for (let p = 0; p < plan.paths; p++) {
          const { collateral, loan } = basketsOnPath(plan, p, steps);
          const ratios = collateral.map((value, t) => value / loan[t]);
          const exposure = exposureOnPath(rulesOf(product, k), ratios);
          const got = records[`ratio.${k}`][p] * (1 - product.saleCost);
          if (exposure === undefined) expect(got, told).toBe(Number.POSITIVE_INFINITY);
          else expect(got / exposure.proceeds, `${told}, path ${p}`).toBeCloseTo(1, 9);
          if (product.after) expect(records[`start.${k}`][p], told).toBe(exposure?.start ?? 0);
        }
      }
      expect(scenarios.kind).toBe(model);
      expectRates(plan, outcome, records, told);
    }
  });
});

for (const { engine, model } of engineCases(ENGINES, 'advance-rate', ['gbm', 'garch'])) {
  describe(`advance rates under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const tested = engineForTests(engine);

    it('follow from the order of the exposures', async () => {
      for (const seed of SEEDS) {
        const plan = planOf(seed, model);
        expectRates(plan, await tested.run(plan), await tested.trace(plan), `seed ${seed}`);
      }
    });
  });
}

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'advance-rate', ['gbm', 'garch'])) {
  describe(`advance rates under ${model} on ${engine.name} and on the reference`, {
    tags: engine.tags,
  }, () => {
    const single = engineForTests(engine);
    const reference = sharedReference(2);

    it('are of the same exposures, but for those that begin within rounding', async () => {
      for (const seed of SEEDS) {
        const plan = planOf(seed, model);
        const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        expect(Object.keys(got)).toEqual(Object.keys(wanted));
        plan.product.horizonSteps.forEach((_, k) => {
          const [mine, theirs] = [got, wanted].map(each => each[`ratio.${k}`]);
          const starts = [got, wanted].map(each => each[`start.${k}`]);
          const differing = [...theirs.keys()].filter(
            p =>
              starts[0]?.[p] !== starts[1]?.[p] ||
              !(mine[p] === theirs[p] || Math.abs(Math.log(mine[p] / theirs[p])) < logRatioTolerance(1, 300)),
          );
          // A threshold lies within the rounding of a path now and then.
          expect(differing.length, `seed ${seed}, horizon ${k}: ${differing}`).toBeLessThanOrEqual(1);
        });
        const [mine, theirs] = [await single.run(plan), await reference.run(plan)];
        theirs.horizons.forEach((horizon, k) => {
          expect(Math.abs(mine.horizons[k].exposures - horizon.exposures)).toBeLessThanOrEqual(1);
          for (const [i, { rate }] of horizon.confidences.entries())
            expectWithinContract(mine.horizons[k].confidences[i].rate, rate, 1, `seed ${seed}, level ${i}`);
        });
      }
    });
  });
}

describe('advance rates on the GPU in slices', { tags: ['slow'] }, () => {
  it('have the same outcome for any workgroup, block of paths, time slice and batch of horizons', async () => {
    const dispatches: DispatchOptions[] = [
      { workgroupSize: 64 },
      { maxPaths: 300 },
      { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
      // One horizon or two in memory at a time, beside the starts.
      { valueBytes: 8 * PATHS },
      { valueBytes: 12 * PATHS },
    ];
    for (const seed of [1, 2])
      await expectSameInSlices(dispatches, async engine => {
        const plan = planOf(seed, 'gbm');
        return [await engine.run(plan), await engine.trace(plan)];
      });
  });
});
