/** Loans on shifted paths on the GPU: weights and sums against double precision, and the same sums however a run is cut. */

import { describe, expect, it } from 'vitest';
import { weightedSums } from '#src/core/figures/loan.js';
import { gpuSupports, mergeGpuRanges } from '#src/core/gpu/gpu-engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { shiftOf } from '#src/core/plan/model/gbm-shifted.js';
import { PRODUCT_KINDS } from '#src/core/plan/product/kinds.js';
import type { LoanQuantity } from '#src/core/plan/product/loan.js';
import { PRODUCTS, type Product } from '#src/core/plan/products.js';
import type {
  GbmScenarios,
  GbmShiftedScenarios,
  LoanProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { isNearlyRiskless } from '#src/core/plan/single-precision.js';
import { weightOfPath } from '#src/core/rules/models.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { withAssetThresholds } from '../support/any-terms.ts';
import { openTestGpuEngine } from '../support/gpu.ts';
import { logRatioTolerance } from '../support/parity.ts';
import { Dice, randomLoanPlan, randomUnderWayPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

type LoanPlan = SimulationPlan<LoanProduct>;
type ShiftedPlan = LoanPlan & { readonly scenarios: GbmShiftedScenarios };

/** The plan with every second path shifted. */
function shifted(plan: LoanPlan): ShiftedPlan {
  const { portfolio, steps } = plan.product;
  const exposed = { collateral: portfolio.collateralWeights, debt: portfolio.loanWeights };
  return { ...plan, scenarios: shiftedScenarios(plan.scenarios as GbmScenarios, exposed, steps, plan.seed) };
}

/** How far log prices may drift apart in single precision. */
const driftOf = ({ scenarios, product }: ShiftedPlan): number =>
  logRatioTolerance(Math.max(...scenarios.annualVolatility) * Math.sqrt(product.steps / 8760), product.steps);

/**
 * How far a weight may be from that of double precision, as a share of it: its exponent is linear in the log prices, and the power of two
 * may miss by 3 + 2 |x| units in the last place (WGSL).
 */
function weightTolerance(plan: ShiftedPlan): number {
  const exposure = plan.scenarios.exposures.reduce((sum, d) => sum + Math.abs(d), 0);
  return Math.abs(shiftOf(plan.scenarios).exponent.slope) * exposure * driftOf(plan) + 5e-6;
}

/** Pairs and baskets, of few numbers of assets: pipelines are compiled for each, and the software driver is slow. */
const SEEDS = [101, 102, 105, 109];
const planOf = (seed: number, paths: number): ShiftedPlan => shifted(randomLoanPlan(seed, 'gbm', paths));
const underWayOf = (seed: number, paths: number): ShiftedPlan =>
  shifted(randomUnderWayPlan(seed, 'gbm', paths));

/** Two volatile assets against each other, and most calls are answered: added amounts depend on the price of the debt. */
function answeredPair(paths: number): ShiftedPlan {
  const { product, ...plan } = randomLoanPlan(101, 'gbm', paths);
  const answers = { share: 0.8, delaySteps: 3, startStep: 0, toRatio: 1.4, nameHigh: 3, nameLow: 4 };
  return shifted({
    ...plan,
    scenarios: {
      kind: 'gbm',
      assets: 2,
      annualVolatility: Float64Array.of(0.9, 0.5),
      factor: Float64Array.of(0.9, 0, 0.25, Math.sqrt(0.5 ** 2 - 0.25 ** 2)),
    },
    product: {
      ...product,
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      nominalRatio: 1.4,
      marginCallRatio: 1.3,
      liquidationRatio: 1.05,
      recoveryRatio: 1.35,
      topUpSteps: 12,
      answers,
    },
  });
}

/** A loan on three assets with thresholds of liquidation by asset. */
const byAsset = (paths: number): ShiftedPlan => withAssetThresholds(planOf(105, paths), new Dice(105));

/** A loan of nearly equal baskets, in differences from one. */
function nearlySame(paths: number): ShiftedPlan {
  const { product, ...plan } = randomLoanPlan(105, 'gbm', paths);
  const portfolio = {
    collateralWeights: Float64Array.of(0.4, 0.3, 0.2, 0.1),
    loanWeights: Float64Array.of(0.39995, 0.30005, 0.2, 0.1),
  };
  const near = shifted({ ...plan, product: { ...product, portfolio } });
  expect(isNearlyRiskless(near)).toBe(true);
  return near;
}

async function weightedOf(plan: ShiftedPlan, dispatch: DispatchOptions = {}) {
  const { weighted } = await (await openTestGpuEngine(dispatch)).run(plan);
  if (weighted === undefined) throw new Error('no weights');
  return weightedSums(weighted);
}

describe('Shifted paths on the GPU', () => {
  describe.each([
    ...SEEDS.map(seed => [`plan ${seed}`, planOf(seed, 40)] as const),
    ['baskets that hold almost the same', nearlySame(40)] as const,
  ])('have, for %s,', (name, plan) => {
    const tags = name === 'plan 101' ? [] : ['slow'];
    it('the weights of a plain loop over the normals, path by path', { tags }, async () => {
      const engine = await openTestGpuEngine();
      const bound = weightTolerance(plan);
      let odd = 0;
      for (let first = 0; first < plan.paths; first++) {
        const range = await engine.runRange(plan, { first, count: 1 });
        const { weighted } = mergeGpuRanges({ ...plan, paths: 1 }, [range]);
        const { paths } = weightedSums(weighted ?? new Float64Array(0));
        const wanted = weightOfPath(plan.seed, plan.scenarios, first);
        const told = `path ${first}: ${paths.once} against ${wanted}`;
        expect(Math.abs(paths.once / wanted - 1), told).toBeLessThan(bound);
        expect(Math.abs(paths.twice / wanted ** 2 - 1), told).toBeLessThan(2 * bound);
        expect(paths.odd, told).toBe(first % 2 === 1 ? paths.once : 0);
        odd += paths.odd;
      }
      // Odd paths fall: their weights are small, and not all the same.
      expect(odd).toBeGreaterThan(0);
      expect(odd).toBeLessThan(10);
    });
  });

  it.each([
    ...SEEDS.map(seed => ['at the start', planOf(seed, 2001)] as const),
    ...SEEDS.map(seed => ['under way', underWayOf(seed, 501)] as const),
    ['with answered calls', answeredPair(1001)] as const,
    ['with thresholds by asset', byAsset(1001)] as const,
  ])('have the sums of the reference, of a loan %s', { tags: ['slow'] }, async (_name, plan) => {
    const reference = sharedReference(2);
    const engine = await openTestGpuEngine();
    const [got, wanted] = await Promise.all([engine.trace(plan), reference.trace(plan)]);
    const { weighted } = await reference.run(plan);
    if (weighted === undefined) throw new Error('no weights');
    const differing = [...wanted.flags.keys()].filter(
      p => got.flags[p] !== wanted.flags[p] || got.endStep[p] !== wanted.endStep[p],
    );
    expect(differing.length, 'paths within rounding of a threshold').toBeLessThanOrEqual(1);
    const [ours, theirs] = [await weightedOf(plan), weightedSums(weighted)];
    const relative = 2 * weightTolerance(plan);
    for (const [name, sums] of Object.entries(theirs)) {
      // Contribution of a path within rounding of a threshold, whose weight and its square are at most 4; 3 for amounts.
      const steps = plan.product.steps ** (name === 'closedStepSquares' ? 2 : name === 'closedSteps' ? 1 : 0);
      const flipped = 4 * 3 * steps * differing.length;
      // Losses and amounts follow the ratio, which is of the size of 1 there.
      const drift = 4 * driftOf(plan) * theirs.paths.once;
      for (const kind of ['once', 'odd', 'twice'] as const) {
        const got = ours[name as LoanQuantity][kind];
        const bound = relative * Math.abs(sums[kind]) + flipped + (/loss|topUpA/.test(name) ? drift : 0);
        const told = `${name} ${kind}: ${got} against ${sums[kind]}`;
        expect(Math.abs(got - sums[kind]), told).toBeLessThanOrEqual(bound);
      }
    }
    // There are losses, or the comparisons would be trivial.
    expect(theirs.loss.odd).toBeGreaterThan(0);
  });

  it.each([
    ['plan 101', planOf(101, 333)],
    ['plan 105', planOf(105, 333)],
    ['a loan under way', underWayOf(102, 333)],
    ['thresholds by asset', byAsset(333)],
    ['baskets that hold almost the same', nearlySame(333)],
  ] as const)('have the same sums for any split: %s', { tags: ['slow'] }, async (_name, plan) => {
    const cuts = [0, 1, 50, 178, 333];
    const days: DispatchOptions = { sliceMilliseconds: 1e-6, maxPaths: 96, parallelPaths: 96 };
    const engine = await openTestGpuEngine();
    const whole = await engine.run(plan);
    expect(whole.weighted?.[0]).toBeGreaterThan(0);
    const ranges = [];
    for (const [i, first] of cuts.slice(0, -1).entries())
      ranges.push(await engine.runRange(plan, { first, count: cuts[i + 1] - first }));
    expect(mergeGpuRanges(plan, ranges)).toEqual(whole);
    expect(await (await openTestGpuEngine(days)).run(plan)).toEqual(whole);
    expect(await (await openTestGpuEngine({ workgroupSize: 64 })).run(plan)).toEqual(whole);
  });

  it('weigh exactly 1 where nothing is shifted, and have the sums of plain paths', {
    tags: ['slow'],
  }, async () => {
    const plain = randomLoanPlan(105, 'gbm', 50);
    const { collateralWeights } = plain.product.portfolio;
    const portfolio = { collateralWeights, loanWeights: collateralWeights };
    const plan = shifted({ ...plain, product: { ...plain.product, portfolio } });
    expect(plan.scenarios.distance).toBe(0);
    const sums = await weightedOf(plan);
    expect(sums.paths).toEqual({ once: 50, odd: 25, twice: 50 });
    const moved = planOf(105, 50);
    const still = { ...moved, scenarios: { ...moved.scenarios, distance: 0 } };
    const outcome = await (await openTestGpuEngine()).run(still);
    const { marginCalls, openSteps } = await (await openTestGpuEngine()).run(plain);
    expect(outcome).toMatchObject({ marginCalls, openSteps });
    const { marginCalls: calls, closedSteps } = weightedSums(outcome.weighted ?? new Float64Array(0));
    expect(calls.once).toBe(marginCalls);
    expect(closedSteps.twice).toBe(50 * plain.product.steps - openSteps);
  });

  it('are supported for loans and books only: no other product adds up their weights', () => {
    const { scenarios } = planOf(105, 10);
    const taken = PRODUCT_KINDS.filter(kind => {
      const [product] = PRODUCTS[kind].usual.terms(kind === 'perpetual' ? 1 : 3) as readonly Product[];
      return gpuSupports({ seed: 1, paths: 10, scenarios, product });
    });
    expect(taken).toEqual(['loan', 'book']);
  });
});
