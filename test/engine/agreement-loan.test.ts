/** Loans on every engine in single precision against the double-precision reference, path by path and in their figures. */
import { describe, expect, it } from 'vitest';
import type { LoanOutcome } from '#src/core/engine.js';
import { engineCases, engineForTests, inParts, SINGLE_ENGINES } from '../support/engines.ts';
import { gbmPair } from '../support/gbm.ts';
import {
  differingFlags,
  expectWithinContract,
  largestDifference,
  logRatioTolerance,
  nearestThreshold,
} from '../support/parity.ts';
import { randomLoanPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = 2000;
/** Paths that may differ in a flag: a few in a million lie within rounding of a threshold. */
const LARGEST_DIFFERING_SHARE = 2e-5;
const SEEDS = {
  reference: [],
  simd: Array.from({ length: 40 }, (_, i) => 200 + i),
  // Pipelines are compiled per number of assets and the software driver is slow: few numbers of assets.
  gpu: [101, 102, 103, 105, 106, 107, 109, 116, 122],
} as const;

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'loan', ['gbm', 'garch'])) {
  describe(`a loan under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const seeds: readonly number[] = SEEDS[engine.name];
    const single = engineForTests(engine);

    for (const { part, tags, some } of inParts(engine, seeds))
      it(`follows the paths of the reference ${part}`, { tags }, async () => {
        const shapes = new Set<string>();
        let differing = 0;
        for (const seed of some) {
          const plan = randomLoanPlan(seed, model, PATHS);
          shapes.add(plan.scenarios.assets > 2 ? 'basket' : 'pair');
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          const finals = wanted.finalRatio.map(Math.log);
          const spread = Math.sqrt(finals.reduce((sum, x) => sum + x * x, 0) / PATHS);
          const bound = logRatioTolerance(spread, plan.product.steps);
          const told = JSON.stringify({ seed, model, spread, ...plan.product });
          for (const field of ['minimumRatio', 'finalRatio'] as const) {
            const difference = largestDifference(got[field], wanted[field], Math.log);
            expect(difference, `${field}; ${told}`).toBeLessThan(bound);
          }
          const flags = differingFlags(got, wanted);
          const ends = [...wanted.endStep.keys()].filter(p => got.endStep[p] !== wanted.endStep[p]);
          // Every difference is within rounding of a threshold.
          for (const path of new Set([...flags, ...ends])) {
            expect(nearestThreshold(plan, path), `path ${path}; ${told}`).toBeLessThan(bound);
          }
          differing += flags.length;
        }
        expect(shapes).toEqual(new Set(['pair', 'basket']));
        const paths = PATHS * some.length;
        const most = Math.ceil(LARGEST_DIFFERING_SHARE * paths);
        expect(differing, `${differing} of ${paths} paths differ`).toBeLessThanOrEqual(most);
      });

    for (const { part, tags, some } of inParts(engine, seeds.slice(0, engine.tags.length === 0 ? 12 : 3)))
      it(`has the figures of the reference ${part}`, { tags }, async () => {
        for (const seed of some) {
          const plan = randomLoanPlan(seed, model, 3 * PATHS);
          const [got, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
          const told = JSON.stringify({ seed, model, ...plan.product });
          for (const count of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const) {
            expect(Math.abs(got[count] - wanted[count]), `${count}; ${told}`).toBeLessThanOrEqual(1);
          }
          const lossPerPath = (outcome: LoanOutcome) => outcome.loss / plan.paths;
          const survival = (outcome: LoanOutcome) => outcome.openSteps / plan.paths / plan.product.steps;
          expectWithinContract(lossPerPath(got), lossPerPath(wanted), 1, `loss; ${told}`);
          expectWithinContract(survival(got), survival(wanted), 1, `survival; ${told}`);
          expectWithinContract(got.worstCcr, wanted.worstCcr, 0, `worst CCR; ${told}`);
        }
      });

    // The GPU sums losses in fixed point: test/engine/squares.test.ts tests its outcomes.
    if (engine.name === 'gpu') return;

    it('has the sums of its paths', async () => {
      const states = { marginCalls: 1, liquidations: 2, closeouts: 4, underwater: 8 } as const;
      const seen = { marginCalls: 0, liquidations: 0, closeouts: 0, underwater: 0 };
      for (const seed of seeds.slice(0, 12)) {
        const plan = randomLoanPlan(seed, model, 2 * PATHS + 3);
        const [outcome, records] = await Promise.all([single.run(plan), single.trace(plan)]);
        const told = JSON.stringify({ seed, ...plan.product });
        const { nominalRatio } = plan.product;
        for (const [name, flag] of Object.entries(states) as [keyof typeof states, number][]) {
          const count = records.flags.filter(flags => flags & flag).length;
          seen[name] += count;
          expect(outcome[name], `${name}; ${told}`).toBe(count);
        }
        expect(outcome.openSteps, told).toBe(records.endStep.reduce((a, b) => a + b, 0));
        const lowest = nominalRatio * records.minimumRatio.reduce((a, b) => Math.min(a, b));
        const loss = records.finalRatio.reduce(
          (sum, ratio) => sum + Math.max(0, 1 - nominalRatio * ratio),
          0,
        );
        expect(outcome.worstCcr, told).toBe(lowest);
        // The chunks of a run are added up one by one: the order of a sum of doubles.
        expect(Math.abs(outcome.loss - loss), told).toBeLessThan(1e-9);
      }
      // Every state occurs, or the equalities above would be trivial.
      expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(100);
    });
  });
}

for (const { engine } of engineCases(SINGLE_ENGINES, 'loan', ['gbm'])) {
  it(`A loan of 30 days differs from the reference on a few paths in a million at most on ${engine.name}`, {
    tags: engine.tags,
  }, async () => {
    const single = await engine.open();
    const rho = 0.3;
    const plan = {
      ...randomLoanPlan(1, 'gbm', 10_000),
      scenarios: gbmPair(0.8, 0.1, rho),
      product: {
        kind: 'loan' as const,
        portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
        steps: 720,
        topUpSteps: 24,
        nominalRatio: 1.5,
        marginCallRatio: 1.3,
        liquidationRatio: 1.1,
        recoveryRatio: 1.5,
      },
    };
    const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
    expect(largestDifference(got.minimumRatio, wanted.minimumRatio, Math.log)).toBeLessThan(2e-6);
    expect(differingFlags(got, wanted).length).toBeLessThanOrEqual(1);
    await single.close();
  });
}
