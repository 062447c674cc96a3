/** Perpetual positions on every engine in single precision against the double-precision reference, path by path. */
import { describe, expect, it } from 'vitest';
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL, type PathRecords } from '#src/core/engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { positionStart } from '#src/core/plan/product/perpetual.js';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { quantilesType7 } from '#src/core/stats/quantile.js';
import { engineCases, engineForTests, SINGLE_ENGINES } from '../support/engines.ts';
import { gbmOfOne } from '../support/gbm.ts';
import { expectSameInSlices, expectStopOnAbort } from '../support/gpu.ts';
import {
  differingFlags,
  expectWithinContract,
  logRatioTolerance,
  nearestMarginThreshold,
} from '../support/parity.ts';
import { randomPerpetualPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = 1200;
/** A few paths in a million lie within rounding of a threshold. */
const LARGEST_DIFFERING_SHARE = 2e-5;
/** The last bins are 1.2e-4 wide at most and the middle of one is taken; equity near liquidation adds its rounding. */
const LEVERAGE_TOLERANCE = 1.2e-4;
const AMOUNTS = ['finalEquity', 'accumulatedFunding', 'maxEquityDrawdown'] as const;

type PerpetualPlan = SimulationPlan<PerpetualProduct>;

/** A position on one asset of constant volatility, at a price of 100 and without a profit so far. */
function positionPlan(options: {
  readonly volatility: number;
  readonly leverage: number;
  readonly steps: number;
  readonly contract?: 'linear' | 'inverse';
  readonly side?: 1 | -1;
  readonly paths?: number;
  readonly fundingRate?: number;
}): PerpetualPlan {
  const { volatility, leverage, steps, contract = 'linear', side = 1 } = options;
  const price = 100;
  return {
    seed: 11,
    paths: options.paths ?? 64,
    scenarios: gbmOfOne(volatility),
    product: {
      kind: 'perpetual',
      contract,
      quantity: side * (contract === 'linear' ? 10 : 10 * price),
      entryPrice: price,
      startPrice: price,
      initialMargin: (contract === 'linear' ? 10 * price : 10) / leverage,
      unrealizedPnl: 0,
      fundingRatePerInterval: options.fundingRate ?? 0.0001,
      settlements: Uint32Array.from({ length: steps }, (_, t) => (t % 8 === 7 ? 1 : 0)),
      debitsOnly: false,
      maintenanceMarginRate: 0.005,
      takerFeeRate: 0,
      marginCallMultiple: 1.25,
      steps,
    },
  };
}

function initialEquityOf({ initialMargin, unrealizedPnl }: PerpetualProduct): number {
  return initialMargin + unrealizedPnl;
}

function initialLeverageOf(product: PerpetualProduct): number {
  const { contract, quantity, startPrice } = product;
  const notional = Math.abs(contract === 'linear' ? quantity * startPrice : quantity / startPrice);
  return notional / initialEquityOf(product);
}

/** The plan after its price is multiplied by `factor` at the start. */
function afterShock(plan: PerpetualPlan, factor: number): PerpetualPlan {
  const { contract, quantity, entryPrice, startPrice } = plan.product;
  const price = factor * startPrice;
  const unrealizedPnl =
    contract === 'linear' ? quantity * (price - entryPrice) : quantity * (1 / entryPrice - 1 / price);
  const equityBefore = initialEquityOf(plan.product);
  return { ...plan, product: { ...plan.product, startPrice: price, unrealizedPnl, equityBefore } };
}

/** Difference of an amount of one path, in initial equities or in its own size where that is larger. */
function amountDifference(got: PathRecords, wanted: PathRecords, field: string, equity: number, p: number) {
  const expected = wanted[field][p];
  return Math.abs(got[field][p] - expected) / Math.max(equity, Math.abs(expected));
}

function leverageDifference(got: PathRecords, wanted: PathRecords, p: number): number {
  return Math.abs(got.medianLeverage[p] / wanted.medianLeverage[p] - 1);
}

function largestLeverageDifference(got: PathRecords, wanted: PathRecords): number {
  return Math.max(...[...wanted.flags.keys()].map(p => leverageDifference(got, wanted, p)));
}

/**
 * Compares the records of every path and returns the number of different ends. A path with different flags or amounts was
 * within rounding of a threshold at some step, at which one engine liquidates it and the other does not.
 */
function expectSamePaths(
  plan: PerpetualPlan,
  got: PathRecords,
  wanted: PathRecords,
  bounds: { readonly amount: number; readonly leverage: number },
  told: string,
): number {
  const equity = initialEquityOf(plan.product);
  let explained = 0;
  for (const p of wanted.flags.keys()) {
    const amounts = AMOUNTS.map(field => amountDifference(got, wanted, field, equity, p));
    const leverage = leverageDifference(got, wanted, p);
    const alike = got.flags[p] === wanted.flags[p];
    if (alike && Math.max(...amounts) < bounds.amount && leverage < bounds.leverage) continue;
    const records = JSON.stringify({ p, amounts, leverage, got: got.flags[p], wanted: wanted.flags[p] });
    expect(nearestMarginThreshold(plan, p), `${records}; ${told}`).toBeLessThan(bounds.amount);
    explained++;
  }
  return explained;
}

for (const { engine, model } of engineCases(SINGLE_ENGINES, 'perpetual', ['gbm', 'garch'])) {
  describe(`a position under ${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const single = engineForTests(engine);
    const paths = PATHS * engine.partOfPaths;

    const seeds = Array.from({ length: 6 }, (_, i) => 200 + i);

    it('follows the paths of the reference', async () => {
      let differing = 0;
      for (const seed of seeds) {
        const plan = randomPerpetualPlan(seed, model, paths);
        const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        const told = JSON.stringify({ seed, model, ...plan.product, settlements: undefined });
        // An error of the log price moves the equity by that times the leverage at the start.
        const bound = Math.max(1, initialLeverageOf(plan.product)) * logRatioTolerance(1, plan.product.steps);
        const bounds = { amount: bound, leverage: LEVERAGE_TOLERANCE };
        differing += expectSamePaths(plan, got, wanted, bounds, told);
      }
      const bound = Math.ceil(LARGEST_DIFFERING_SHARE * paths * seeds.length);
      expect(differing, `${differing} of ${paths * seeds.length} paths differ`).toBeLessThanOrEqual(bound);
    });

    it('follows the paths of the reference after a shock of the price', async () => {
      let differing = 0;
      const shocked = seeds.flatMap(seed => [0.9, 0.99, 1.2].map(factor => ({ seed, factor })));
      const plans = shocked
        .map(({ seed, factor }) => ({
          seed,
          factor,
          plan: afterShock(randomPerpetualPlan(seed, model, paths / 4), factor),
        }))
        .filter(({ plan }) => !positionStart(plan.product).liquidated);
      expect(plans.length).toBeGreaterThan(8);
      for (const { seed, factor, plan } of plans) {
        const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        const told = JSON.stringify({ seed, factor, model, ...plan.product, settlements: undefined });
        const bound = Math.max(1, initialLeverageOf(plan.product)) * logRatioTolerance(1, plan.product.steps);
        const bounds = { amount: bound, leverage: LEVERAGE_TOLERANCE };
        differing += expectSamePaths(plan, got, wanted, bounds, told);
      }
      expect(differing, `${differing} paths differ`).toBeLessThanOrEqual(1);
    });

    it('has the quantiles of the reference', async () => {
      for (const seed of seeds.slice(0, 3)) {
        const plan = randomPerpetualPlan(seed, model, 2 * paths);
        const [got, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
        const told = JSON.stringify({ seed, model, ...plan.product, settlements: undefined });
        expect(Math.abs(got.marginCalls - wanted.marginCalls), told).toBeLessThanOrEqual(1);
        expect(Math.abs(got.liquidations - wanted.liquidations), told).toBeLessThanOrEqual(1);
        for (const field of [...AMOUNTS, 'medianLeverage'] as const) {
          const [quantiles, expected] = [got, wanted].map(outcome =>
            quantilesType7(outcome[field].slice(), [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]),
          );
          const spread = expected[5] - expected[1];
          const scale = field === 'medianLeverage' ? spread : Math.max(plan.product.initialMargin, spread);
          for (const [i, quantile] of expected.entries()) {
            expectWithinContract(quantiles[i], quantile, scale, `${field}; ${told}`);
          }
        }
      }
    });
  });
}

for (const { engine } of engineCases(SINGLE_ENGINES, 'perpetual', ['gbm'])) {
  describe(`the median leverage on ${engine.name}`, { tags: engine.tags }, () => {
    const single = engineForTests(engine);

    it('is the initial leverage where prices do not move', async () => {
      for (const leverage of [0.001, 1, 7.3, 150]) {
        const plan = positionPlan({ volatility: 0, leverage, steps: 30, fundingRate: 0 });
        const { medianLeverage } = await single.run(plan);
        for (const median of medianLeverage) expect(Math.abs(median / leverage - 1)).toBeLessThan(1e-4);
      }
    });

    it('is exact for very few values', async () => {
      for (const steps of [1, 2, 3, 4]) {
        for (const contract of ['linear', 'inverse'] as const) {
          // Half of the positions are liquidated in the first steps, some in step 1: the initial leverage is all they have.
          const plan = positionPlan({ volatility: 4, leverage: 40, steps, contract, paths: 500 });
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          expect(differingFlags(got, wanted)).toEqual([]);
          expect(wanted.flags.filter(flags => flags & FLAG_LIQUIDATION).length).toBeGreaterThan(50);
          expect(largestLeverageDifference(got, wanted), `${steps} steps`).toBeLessThan(LEVERAGE_TOLERANCE);
        }
      }
    });

    it('is found many powers of two from the initial leverage', async () => {
      // The price falls to nothing, and with it a short position's notional and leverage.
      const plan = positionPlan({ volatility: 9, leverage: 0.02, steps: 3000, side: -1, fundingRate: 0 });
      const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
      expect(differingFlags(got, wanted)).toEqual([]);
      const far = wanted.medianLeverage.filter(median => median < 0.02 * 2 ** -8);
      expect(far.length, 'paths whose median lies outside the bins of the first run').toBeGreaterThan(10);
      // Relative to itself the notional carries the error of the log price, which has wandered over a range of ten.
      const bound = LEVERAGE_TOLERANCE + logRatioTolerance(10, 3000);
      expect(largestLeverageDifference(got, wanted)).toBeLessThan(bound);
    });
  });

  describe(`a position on ${engine.name}`, { tags: engine.tags }, () => {
    const single = engineForTests(engine);

    it('is accurate over ten years of hours', { tags: ['slow'] }, async () => {
      const steps = 87_600;
      for (const contract of ['linear', 'inverse'] as const) {
        const plan = positionPlan({
          volatility: 0.5,
          leverage: 0.6,
          steps,
          contract,
          paths: 32,
          fundingRate: 1e-5,
        });
        const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        // Equity moves like the price, whose logarithm has spread to 1.6.
        const bounds = { amount: 2 * logRatioTolerance(1.6, steps), leverage: 2 * LEVERAGE_TOLERANCE };
        expect(expectSamePaths(plan, got, wanted, bounds, contract)).toBeLessThanOrEqual(1);
      }
    });

    it('has the sums of its records', async () => {
      const plan = positionPlan({ volatility: 1, leverage: 15, steps: 200, paths: 700 });
      const [outcome, records] = await Promise.all([single.run(plan), single.trace(plan)]);
      const { flags, ...columns } = records;
      expect(outcome).toMatchObject(columns);
      expect(outcome.liquidations).toBe(flags.filter(flag => flag & FLAG_LIQUIDATION).length);
      expect(outcome.marginCalls).toBe(flags.filter(flag => flag & FLAG_MARGIN_CALL).length);
      expect(outcome.marginCalls).toBeGreaterThan(outcome.liquidations);
      expect(outcome.liquidations).toBeGreaterThan(50);
    });

    it('adds no credit where only debits count', async () => {
      const long = positionPlan({ volatility: 0.8, leverage: 3, steps: 100, fundingRate: -0.001 });
      const debitsOnly = await single.run({ ...long, product: { ...long.product, debitsOnly: true } });
      expect([...new Set(debitsOnly.accumulatedFunding)]).toEqual([0]);
      const credited = await single.run(long);
      expect(credited.accumulatedFunding.every(funding => funding > 0)).toBe(true);
    });
  });
}

describe('a position on the GPU in slices', { tags: ['slow'] }, () => {
  it.each(['gbm', 'garch'] as const)(
    'has the same outcome for any workgroup, block of paths and time slice, under %s',
    async model => {
      const dispatches: DispatchOptions[] = [
        { workgroupSize: 8 },
        { maxPaths: 100 },
        // One day per dispatch: state and bins are put down and taken up.
        { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
        { sliceMilliseconds: 1e-6, maxPaths: 96, parallelPaths: 96 },
      ];
      for (const steps of [1, 3, 24, 49, 290]) {
        const long = randomPerpetualPlan(207, model, 300);
        const settlements = Uint32Array.from({ length: steps }, (_, t) => (t % 5 === 2 ? 2 : 0));
        const plan = { ...long, product: { ...long.product, steps, settlements } };
        await expectSameInSlices(dispatches, engine => engine.trace(plan));
      }
    },
  );

  it('stops on an abort', async () => {
    // Hours on a software device, and seconds on any.
    const plan = positionPlan({ volatility: 0.5, leverage: 2, steps: 8760, paths: 10_000_000 });
    await expectStopOnAbort(plan, { ...plan, paths: 64, product: { ...plan.product, steps: 24 } });
  });
});
