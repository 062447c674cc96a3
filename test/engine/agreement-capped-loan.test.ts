/** Loans with capped sales on every engine in single precision against the reference, and their two limits on each. */
import { describe, expect, it } from 'vitest';
import type { CappedLoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { engineCases, engineForTests, inParts, SINGLE_ENGINES } from '../support/engines.ts';
import { gbmPair } from '../support/gbm.ts';
import { expectSameInSlices } from '../support/gpu.ts';
import { differingFlags, expectPathsWithinContract, expectWithinContract } from '../support/parity.ts';
import { randomCappedPlan, randomLoanPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = { reference: 0, simd: 2000, gpu: 3000 } as const;
/** A few paths in a million lie within rounding of a threshold. */
const LARGEST_DIFFERING_SHARE = 2e-5;
const SEEDS = {
  reference: [],
  simd: Array.from({ length: 12 }, (_, i) => 240 + i),
  gpu: [101, 103, 105, 106, 108, 110],
} as const;

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'capped-loan', ['gbm', 'garch'])) {
  describe(`a capped loan under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const paths = PATHS[engine.name];
    const seeds: readonly number[] = SEEDS[engine.name];
    const single = engineForTests(engine);

    for (const { part, tags, some } of inParts(engine, seeds))
      it(`follows the paths of the reference ${part}`, { tags }, async () => {
        let differing = 0;
        for (const seed of some) {
          const plan = randomCappedPlan(seed, model, paths);
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          const told = JSON.stringify({ seed, ...plan.product });
          const differ = new Set(differingFlags(got, wanted));
          differing += differ.size;
          const compared = { scale: 1, except: differ };
          for (const field of ['worstCcr', 'soldAmount', 'callAmount'] as const)
            expectPathsWithinContract(got[field], wanted[field], compared, `${field}; ${told}`);
        }
        const all = paths * some.length;
        const most = Math.ceil(LARGEST_DIFFERING_SHARE * all);
        expect(differing, `${differing} of ${all} paths differ`).toBeLessThanOrEqual(most);
      });

    it('has the figures of the reference', async () => {
      for (const seed of seeds.slice(0, 3)) {
        const plan = randomCappedPlan(seed, model, 2 * paths);
        const [got, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
        const told = JSON.stringify({ seed, ...plan.product });
        for (const count of [
          'marginCalls',
          'liquidations',
          'closeouts',
          'underwater',
          'calls',
          'sellers',
        ] as const) {
          expect(Math.abs(got[count] - wanted[count]), `${count}; ${told}`).toBeLessThanOrEqual(1);
        }
        expectWithinContract(
          got.callAmount / plan.paths,
          wanted.callAmount / plan.paths,
          1,
          `calls; ${told}`,
        );
        expectWithinContract(got.soldAmount / plan.paths, wanted.soldAmount / plan.paths, 1, `sold; ${told}`);
        expectWithinContract(got.worstCcr, wanted.worstCcr, 0, `worst CCR; ${told}`);
      }
    });

    for (const { part, tags, some } of inParts(
      engine,
      engine.tags.length === 0 ? seeds : seeds.slice(0, 4),
      3,
    ))
      it(`equals the loan without a cap where capacity is unlimited, and sells nothing without capacity, ${part}`, {
        tags,
      }, async () => {
        for (const seed of some) {
          const plan = randomLoanPlan(seed, model, paths);
          const capped = (capacityPerStep: number): SimulationPlan<CappedLoanProduct> => ({
            ...plan,
            product: { ...plan.product, kind: 'capped-loan', capacityPerStep },
          });
          const loan = await single.run(plan);
          const { marginCalls, liquidations, closeouts, underwater, worstCcr } = loan;
          const told = JSON.stringify({ seed, ...plan.product });
          const unlimited = await single.run(capped(Number.POSITIVE_INFINITY));
          expect(unlimited, told).toMatchObject({ marginCalls, liquidations, closeouts });
          const none = await single.run(capped(0));
          expect(none, told).toMatchObject({ underwater, worstCcr, sellers: 0, soldAmount: 0 });
        }
      });
  });
}

for (const { engine } of engineCases(SINGLE_ENGINES, 'capped-loan', ['gbm'])) {
  it(`A capped sale over years has all of its many small parts on ${engine.name}`, {
    tags: engine.tags,
  }, async () => {
    const single = await engine.open();
    const plan: SimulationPlan<CappedLoanProduct> = {
      seed: 5,
      paths: 50,
      scenarios: gbmPair(0.3, 1e-6, 0),
      product: {
        kind: 'capped-loan',
        portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
        nominalRatio: 3,
        marginCallRatio: 2.99,
        liquidationRatio: 1.01,
        recoveryRatio: 3,
        topUpSteps: 0,
        steps: 43_800,
        capacityPerStep: 1.7e-5,
      },
    };
    const [got, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
    // Half a unit of 2^-24 per step, always in the same direction, would make 1e-4 of it.
    expect(Math.abs(got.soldAmount / wanted.soldAmount - 1)).toBeLessThan(2e-6);
    expect(got.worstCcr / wanted.worstCcr).toBeCloseTo(1, 4);
    await single.close();
  });
}

describe('a capped loan on the GPU in slices', { tags: ['slow'] }, () => {
  it('has the same outcome for any workgroup, block of paths and time slice', async () => {
    const plan = randomCappedPlan(103, 'gbm', 700);
    const dispatches = [
      { workgroupSize: 32, maxPaths: 200 },
      { workgroupSize: 64, parallelPaths: 1, sliceMilliseconds: 0.01 },
    ];
    await expectSameInSlices(dispatches, engine => engine.run(plan));
  });
});
