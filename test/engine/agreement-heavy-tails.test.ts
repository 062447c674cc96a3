/**
 * Student's t, filtered historical simulation and the bootstrap on every engine in single precision against the
 * double-precision reference, path by path, for every product.
 */
import { describe, expect, it } from 'vitest';
import type { PathRecords } from '#src/core/engine.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  PerpetualProduct,
  SimulationPlan,
  ValueAtRiskProduct,
} from '#src/core/plan/simulation-plan.js';
import { engineForTests, SINGLE_ENGINES } from '../support/engines.ts';
import { expectSameInSlices, openTestGpuEngine } from '../support/gpu.ts';
import { HEAVY_TAILS, type HeavyTail, heavyTailed, kindOfHeavyTail } from '../support/heavy-tails.ts';
import {
  differingFlags,
  expectWithinContract,
  largestDifference,
  logRatioTolerance,
  nearestMarginThreshold,
  nearestThreshold,
} from '../support/parity.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const PATHS = 500;
const PRODUCTS = ['loan', 'capped-loan', 'origination', 'perpetual', 'value-at-risk'] as const;
/** A basket in one quad of assets, a pair, and a basket in two quads; ends at the end of a day, beyond a block of draws, inside a day. */
const CASES = [
  [3, 48],
  [2, 250],
  [6, 101],
] as const;

function portfolioOf(assets: number) {
  const collateralWeights = new Float64Array(assets).fill(1 / (assets - 1));
  collateralWeights[assets - 1] = 0;
  const loanWeights = new Float64Array(assets);
  loanWeights[assets - 1] = 1;
  return { collateralWeights, loanWeights };
}

function loanPlan(model: HeavyTail, assets: number, steps: number): SimulationPlan<LoanProduct> {
  return {
    seed: 2 ** 31 + 5,
    paths: PATHS,
    scenarios: heavyTailed(model, assets, 11),
    product: {
      kind: 'loan',
      portfolio: portfolioOf(assets),
      steps,
      nominalRatio: 1.4,
      marginCallRatio: 1.3,
      liquidationRatio: 1.15,
      recoveryRatio: 1.38,
      topUpSteps: 12,
    },
  };
}

/** The engines that run any of the products under a model with heavy tails, and which of them. */
const TESTED = SINGLE_ENGINES.flatMap(engine =>
  HEAVY_TAILS.map(model => {
    const has = (product: ProductKind) => engine.has(product, kindOfHeavyTail(model));
    return { engine, model, has };
  }),
).filter(({ has }) => PRODUCTS.some(has));

/** Standard deviation of a column of logarithms. */
const spreadOf = (values: Float64Array) =>
  Math.sqrt(values.reduce((sum, x) => sum + Math.log(x) ** 2, 0) / values.length);

/** Every path whose flags differ came within rounding of a threshold. */
function expectExplained(
  got: PathRecords,
  wanted: PathRecords,
  nearest: (path: number) => number,
  bound: number,
  told: string,
): void {
  for (const path of differingFlags(got, wanted))
    expect(nearest(path), `path ${path}; ${told}`).toBeLessThan(bound);
}

for (const { engine, model, has } of TESTED) {
  describe(`${model} on ${engine.name}`, { tags: engine.tags }, () => {
    const single = engineForTests(engine);

    if (has('loan')) {
      it('follows the paths of the reference, for loans of pairs and baskets', async () => {
        for (const [assets, steps] of CASES) {
          const plan = loanPlan(model, assets, steps);
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          const bound = logRatioTolerance(spreadOf(wanted.finalRatio), steps);
          const told = `${assets} assets, ${steps} steps, bound ${bound}`;
          expect(spreadOf(wanted.finalRatio), told).toBeGreaterThan(0.01);
          expect(largestDifference(got.finalRatio, wanted.finalRatio, Math.log), told).toBeLessThan(bound);
          expect(largestDifference(got.minimumRatio, wanted.minimumRatio, Math.log), told).toBeLessThan(
            bound,
          );
          expectExplained(got, wanted, path => nearestThreshold(plan, path), bound, told);
        }
      });
    }

    if (has('capped-loan')) {
      it('follows the paths of the reference, for capped sales', async () => {
        // A call is near: the hours of the bootstrap are calm.
        const { product, ...rest } = loanPlan(model, 3, 100);
        const plan: SimulationPlan<CappedLoanProduct> = {
          ...rest,
          product: { ...product, kind: 'capped-loan', marginCallRatio: 1.36, capacityPerStep: 0.01 },
        };
        const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        const bound = logRatioTolerance(1, 100);
        expectExplained(got, wanted, path => nearestThreshold(plan, path), bound, 'capped sale');
        expect(wanted.flags.filter(flag => flag !== 0).length).toBeGreaterThan(10);
      });
    }

    if (has('origination')) {
      it('counts the candidates of the reference', async () => {
        const { product, ...rest } = loanPlan(model, 3, 60);
        const ratios = Float64Array.from({ length: 65 }, (_, k) => 1.105 + 0.01 * k);
        const M = (n: number) => (1.1 + n) / 2;
        for (const score of ['path-minimum', 'liquidation', 'closeout'] as const) {
          const plan: SimulationPlan<OriginationProduct> = {
            ...rest,
            product: {
              kind: 'origination',
              portfolio: product.portfolio,
              steps: product.steps,
              topUpSteps: 6,
              score,
              liquidationThreshold: ratios.map(n => (score === 'path-minimum' ? M(n) : 1.1) / n),
              marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : ratios.map(n => M(n) / n),
            },
          };
          const [got, wanted] = await Promise.all([single.run(plan), reference.run(plan)]);
          expect(wanted.counts[0], score).toBeGreaterThan(0);
          // A path within rounding of a threshold: one of a thousand on 65 candidates at most.
          for (const [k, count] of wanted.counts.entries())
            expect(Math.abs(got.counts[k] - count), `${score}, candidate ${k}`).toBeLessThanOrEqual(1);
          expectWithinContract(got.worstRatio, wanted.worstRatio, 0, score);
        }
      });
    }

    if (has('perpetual')) {
      it('follows the paths of the reference, for perpetual positions', async () => {
        const steps = 100;
        const product: PerpetualProduct = {
          kind: 'perpetual',
          contract: 'linear',
          quantity: -10,
          entryPrice: 100,
          startPrice: 100,
          initialMargin: 100,
          unrealizedPnl: 0,
          fundingRatePerInterval: 1e-4,
          settlements: Uint32Array.from({ length: steps }, (_, t) => (t % 8 === 7 ? 1 : 0)),
          debitsOnly: false,
          maintenanceMarginRate: 0.005,
          takerFeeRate: 0,
          marginCallMultiple: 1.25,
          steps,
        };
        const plan: SimulationPlan<PerpetualProduct> = {
          seed: 9,
          paths: PATHS,
          scenarios: heavyTailed(model, 1, 11),
          product,
        };
        const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
        // Equity is a tenth of the notional: a rounding of the price counts ten times.
        const bound = 10 * logRatioTolerance(1, steps);
        const differing = new Set(differingFlags(got, wanted));
        expectExplained(got, wanted, path => nearestMarginThreshold(plan, path), bound, 'position');
        for (let p = 0; p < PATHS; p++) {
          if (differing.has(p)) continue;
          const difference = Math.abs(got.finalEquity[p] - wanted.finalEquity[p]) / product.initialMargin;
          expect(difference, `path ${p}`).toBeLessThan(bound);
        }
        expect(wanted.flags.filter(flag => flag !== 0).length).toBeGreaterThan(10);
      });
    }

    if (has('value-at-risk')) {
      it('follows the paths of the reference at horizons, within days, at their ends and beyond a group of four', async () => {
        for (const assets of [2, 6]) {
          const days = model.startsWith('bootstrap')
            ? [1, 2, 5, 9, 30]
            : [0.25, 1, 1.5, 1.75, 2, 9.125, 30.5];
          const perRow = model === 'bootstrap by hours' ? 24 : 1;
          const product: ValueAtRiskProduct = {
            kind: 'value-at-risk',
            portfolio: portfolioOf(assets),
            collateralValue: 150_000,
            loanValue: 100_000,
            horizonYears: Float64Array.from(days, d => d / 365),
            horizonSteps: model.startsWith('bootstrap')
              ? Uint32Array.from(days, d => d * perRow)
              : new Uint32Array(0),
            quantiles: Float64Array.of(0.9, 0.99),
          };
          const plan: SimulationPlan<ValueAtRiskProduct> = {
            seed: 77,
            paths: PATHS,
            scenarios: heavyTailed(model, assets, 11),
            product,
          };
          const [got, wanted] = await Promise.all([single.trace(plan), reference.trace(plan)]);
          expect(Object.keys(got)).toEqual(Object.keys(wanted));
          for (const [field, values] of Object.entries(wanted)) {
            const rank = Number(field.split('.')[1]);
            // Rows that are walked add a rounding each.
            const steps = perRow * (days[rank] as number);
            const told = `${field} of ${assets} assets`;
            expect(largestDifference(got[field], values, Math.log), told).toBeLessThan(
              logRatioTolerance(spreadOf(values), steps),
            );
          }
          const [tails, wantedTails] = await Promise.all([single.run(plan), reference.run(plan)]);
          wantedTails.horizons.forEach((horizon, k) => {
            for (const [i, tail] of horizon.netExposure.entries()) {
              const other = tails.horizons[k].netExposure[i];
              const told = `horizon ${k}, level ${i}`;
              expectWithinContract(other.quantile, tail.quantile, 150_000, told);
              expectWithinContract(other.tailMean, tail.tailMean, 150_000, told);
            }
          });
          if (engine.name !== 'gpu') continue;
          // Slices put the state down and take it up between horizons; batches begin anew.
          const cut = await openTestGpuEngine({ maxPaths: 300, valueBytes: 12 * PATHS });
          expect(await cut.trace(plan)).toEqual(got);
        }
      });
    }
  });
}

describe('loans with heavy tails on the GPU in slices', { tags: ['slow'] }, () => {
  it.each(HEAVY_TAILS)(
    'have the same outcome for any workgroup, block of paths and time slice: %s',
    async model => {
      const plan = loanPlan(model, 6, 101);
      const dispatches = [
        { sliceMilliseconds: 1e-6, parallelPaths: 1 << 20 },
        { maxPaths: 100, workgroupSize: 64 },
      ];
      await expectSameInSlices(dispatches, engine => engine.trace(plan));
    },
  );
});
