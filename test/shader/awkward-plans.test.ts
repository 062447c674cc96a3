/**
 * Small plans of every product under every model against the reference, path by path: slices of some paths and days, numbers that are no
 * multiple of a workgroup, a quad, a group of steps or a day, calls and growth of a debt from the start. Pipelines take most of the time.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import type { HeldSlots } from '#src/core/distribution/bins.js';
import { gpuProduct } from '#src/core/gpu/products.js';
import { ACCOUNT } from '#src/core/plan/product/account.js';
import type { ProductKind } from '#src/core/plan/product/kinds.js';
import { sumOfWeights } from '#src/core/plan/ratio-path.js';
import type { Portfolio, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { thirtyLoans } from '../support/book-cases.ts';
import { openTestGpuEngine } from '../support/gpu.ts';
import { heavyTailed } from '../support/heavy-tails.ts';
import { randomBook } from '../support/random-books.ts';
import { Dice, randomGarch, randomGbm } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const PATHS = 131;
/** Two blocks of 66 and 65 paths, a day at a time. */
const SLICED = { sliceMilliseconds: 1e-6, maxPaths: 80, parallelPaths: 80 };
const STEPS = 61;

const MODELS = ['gbm', 'garch', 'student-t', 'filtered-historical', 'bootstrap'] as const;
type Model = (typeof MODELS)[number];

function scenariosOf(model: Model, assets: number): Scenarios {
  if (model === 'gbm') return randomGbm(new Dice(2), assets);
  if (model === 'garch') return randomGarch(new Dice(2), assets);
  if (model !== 'bootstrap') return heavyTailed(model, assets, 11, 1);
  // Rows of hours for the products on an odd number of assets, rows of days for the others.
  return heavyTailed(assets % 2 === 1 ? 'bootstrap by hours' : 'bootstrap by days', assets, 11, 1);
}

/** Baskets that share an asset. */
function portfolioOf(assets: number): Portfolio {
  const collateralWeights = Float64Array.from({ length: assets }, (_, i) => (i + 2) / assets ** 2);
  const loanWeights = new Float64Array(assets);
  loanWeights[1] = 0.2;
  loanWeights[assets - 1] = 0.8;
  collateralWeights[0] += 1 - sumOfWeights(collateralWeights);
  return { collateralWeights, loanWeights };
}

/** A loan that is called at the start, and whose debt grows. */
const LOAN = {
  steps: STEPS,
  nominalRatio: 1.16,
  marginCallRatio: 1.17,
  liquidationRatio: 1.12,
  recoveryRatio: 1.19,
  topUpSteps: 9,
  debtGrowth: 1.01,
  start: { status: 'called', deadlineStep: 8 },
} as const;
const ANSWERS = { share: 0.7, delaySteps: 2, startStep: 3, toRatio: 1.2, nameHigh: 3, nameLow: 4 };

type Columns = Readonly<Record<string, Float64Array>>;
type PlanOf = (model: Model) => SimulationPlan;
const planOn = (model: Model, assets: number) => ({
  seed: 2 ** 31 + 7,
  paths: PATHS,
  scenarios: scenariosOf(model, assets),
  distribution: { daySteps: 24 } as const,
});

/** Each product on another number of assets: whole quads, and quads with some places empty. */
const PLANS: Readonly<Record<ProductKind, PlanOf>> = {
  loan: model => ({
    ...planOn(model, 8),
    product: { kind: 'loan', ...LOAN, portfolio: portfolioOf(8), answers: ANSWERS },
  }),
  'capped-loan': model => ({
    ...planOn(model, 11),
    product: { kind: 'capped-loan', ...LOAN, portfolio: portfolioOf(11), capacityPerStep: 0.02 },
  }),
  origination: model => {
    const { distribution: _, ...plan } = planOn(model, 3);
    const ratios = Float64Array.from({ length: 13 }, (_unused, k) => 1.13 + 0.02 * k);
    return {
      ...plan,
      product: {
        kind: 'origination',
        portfolio: portfolioOf(3),
        steps: STEPS,
        topUpSteps: 5,
        score: 'closeout',
        liquidationThreshold: ratios.map(n => 1.08 / n),
        marginCallThreshold: ratios.map(n => (1.1 + n) / 2 / n),
      },
    };
  },
  'value-at-risk': model => {
    const days = model === 'bootstrap' ? [1, 2, 5, 9, 30] : [0.25, 1, 1.5, 1.75, 2, 9.125, 30];
    return {
      ...planOn(model, 14),
      product: {
        kind: 'value-at-risk',
        portfolio: portfolioOf(14),
        collateralValue: 150_000,
        loanValue: 100_000,
        horizonYears: Float64Array.from(days, d => d / 365),
        horizonSteps: Uint32Array.from(model === 'bootstrap' ? days : []),
        quantiles: Float64Array.of(0.5, 0.9, 0.99),
      },
    };
  },
  'advance-rate': model => {
    const { distribution: _, ...plan } = planOn(model, 7);
    return {
      ...plan,
      product: {
        kind: 'advance-rate',
        portfolio: portfolioOf(7),
        steps: STEPS,
        horizonSteps: Uint32Array.of(3, 22, 30),
        lowest: true,
        saleCost: 0.02,
        after: { ratio: 0.98, withinSteps: 31 },
        confidences: Float64Array.of(0.6, 0.9),
        expectedLosses: Float64Array.of(0.001),
        rates: Float64Array.of(0.9, 1.1),
      },
    };
  },
  perpetual: model => ({
    ...planOn(model, 1),
    product: {
      kind: 'perpetual',
      contract: 'inverse',
      quantity: -1000,
      entryPrice: 100,
      startPrice: 125,
      initialMargin: 3,
      unrealizedPnl: -2,
      fundingRatePerInterval: -1e-3,
      settlements: Uint32Array.from({ length: STEPS }, (_, t) => (t % 8 === 2 ? 2 : 0)),
      debitsOnly: true,
      maintenanceMarginRate: 0.005,
      maintenanceAmount: 0.01,
      takerFeeRate: 0.001,
      marginCallMultiple: 1.25,
      steps: STEPS,
    },
  }),
  account: model => ({ ...planOn(model, 5), product: { ...ACCOUNT.usual.terms(5)[0], steps: STEPS } }),
  book: model => ({ ...thirtyLoans(PATHS), scenarios: scenariosOf(model, 4) }),
};

const KINDS = Object.keys(PLANS) as ProductKind[];

/** Figures that the device finds in bins, relative to themselves. */
const COARSE: Readonly<Record<string, number>> = { medianLeverage: 1.2e-4 };
/** Relative to figures of at least a tenth: prices are right to 1e-6, and amounts are differences of prices. */
const CLOSE = 3e-5;

/** The least size that a figure is compared with, by name. */
type Sizes = Readonly<Record<string, number>>;

function expectSameColumns(got: Columns, wanted: Columns, sizes: Sizes = {}): void {
  for (const [name, values] of Object.entries(wanted)) {
    const room = (value: number) => (COARSE[name] ?? CLOSE) * Math.max(sizes[name] ?? 0.1, Math.abs(value));
    const differing = [...values.keys()].filter(
      // A path without a trigger has an infinite ratio.
      p => got[name][p] !== values[p] && !(Math.abs(got[name][p] - values[p]) <= room(values[p])),
    );
    expect(
      differing.map(place => ({ place, got: got[name][place], wanted: values[place] })),
      name,
    ).toEqual([]);
  }
}

/** Expects the figures of an outcome that are numbers, or lists of one number per path or loan. */
function expectSameFigures(got: object, wanted: object, sizes?: Sizes): void {
  const columns = (outcome: object) =>
    Object.fromEntries(
      Object.entries(outcome).flatMap(([name, value]) => {
        if (value instanceof Float64Array && name !== 'distribution') return [[name, value]];
        return typeof value === 'number' ? [[name, Float64Array.of(value)]] : [];
      }),
    );
  expectSameColumns(columns(got), columns(wanted), sizes);
}

/** A loan of this size, USD, and in units. */
const LOAN_VALUE = 1e6;
const BOOK_SIZES: Sizes = {
  loss: LOAN_VALUE,
  unsold: LOAN_VALUE,
  sold: LOAN_VALUE,
  peakDay: LOAN_VALUE,
  lossUnits: 2 ** 32,
  unsoldUnits: 2 ** 32,
};

/** An account's equity is some hundreds of USD, and its positions are thirty times that; shares are of their positions. */
const ACCOUNT_SIZES: Sizes = {
  ...Object.fromEntries(
    ['finalEquity', 'maxEquityDrawdown', 'accumulatedFunding', 'medianLeverage'].map(name => [name, 400]),
  ),
  ...Object.fromEntries(['fees', 'fundShortfall', 'takenOver', 'deleveraged'].map(name => [name, 400])),
  ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`closed.${i}`, 10])),
  ...Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`funding.${i}`, 10])),
  // Sums over the paths.
  ...{ takenOverSquares: 4e4 * PATHS, deleveragedSquares: 4e4 * PATHS, rowClosed: 10 * PATHS },
  ...{ rowClosedSquares: 10 * PATHS, rowFunding: 400 * PATHS, rowFundingSquares: 400 * PATHS },
};
const SIZES: Partial<Record<ProductKind, Sizes>> = { book: BOOK_SIZES, account: ACCOUNT_SIZES };

/** Expects the same counts of a distribution, but for a ratio or two within rounding of the end of its bin. */
function expectSameCounts(got: Float64Array, wanted: Float64Array): void {
  expect(wanted.some(count => count > 0)).toBe(true);
  expect(got.length).toBe(wanted.length);
  const moved = wanted.reduce((sum, count, bin) => sum + Math.abs(count - got[bin]), 0);
  expect(moved).toBeLessThanOrEqual(4);
}

/** Counts from slot `first` on, with zeros before them and behind. */
function slotsOf(held: HeldSlots | undefined): Float64Array {
  const slots = new Float64Array(2 ** 16);
  if (held !== undefined) slots.set(held.counts, held.first);
  return slots;
}

/** Four to six quads, which are no loop, and eight, which are one; the last of each with places that are empty. */
const MANY = [15, 19, 23, 29];
const { start: _, debtGrowth: __, ...PLAIN } = LOAN;
const MANY_PLANS: Readonly<Record<string, (assets: number) => SimulationPlan>> = {
  loan: assets => ({
    ...planOn('gbm', assets),
    product: { kind: 'loan', ...PLAIN, portfolio: portfolioOf(assets) },
  }),
  book: assets => randomBook(6, 40, { assets, loans: 20, baskets: 20, term: STEPS }),
};

const CASES = MODELS.flatMap((_, turn) =>
  // Each turn has every product, under another model.
  KINDS.map((kind, k) => ({ kind, model: MODELS[(turn + k) % MODELS.length] })),
).filter(
  ({ kind, model }) =>
    gpuProduct(kind, model) !== undefined &&
    // The slowest to compile, and equality-account.test.ts has them under every model: slices of normals, and of drawn rows.
    (kind !== 'account' || model === 'gbm' || model === 'filtered-historical'),
);

describe('An awkward plan on the GPU, in slices,', () => {
  for (const { kind, model } of CASES)
    it(`has the paths and the figures of the reference: ${kind} under ${model}`, async () => {
      const gpu = await openTestGpuEngine(SLICED);
      const reference = sharedReference(1);
      const plan = PLANS[kind](model);
      expectSameColumns(await gpu.trace(plan), await reference.trace(plan), SIZES[kind]);
      const [got, wanted] = [await gpu.run(plan), await reference.run(plan)];
      expectSameFigures(got, wanted, kind === 'account' ? ACCOUNT_SIZES : undefined);
      if ('distribution' in wanted && wanted.distribution !== undefined)
        expectSameCounts(
          ('distribution' in got && got.distribution) || new Float64Array(0),
          wanted.distribution,
        );
      if (got.kind === 'value-at-risk' && wanted.kind === 'value-at-risk')
        for (const [k, horizon] of wanted.horizons.entries())
          for (const value of ['collateral', 'loan', 'netExposure'] as const) {
            for (const [i, { quantile, tailMean, level }] of horizon[value].entries())
              expectSameFigures(got.horizons[k][value][i], { quantile, tailMean, level });
            expectSameCounts(
              slotsOf(got.horizons[k].distribution?.[value].counts),
              slotsOf(horizon.distribution?.[value].counts),
            );
          }
      if (got.kind === 'book' && wanted.kind === 'book') {
        expectSameFigures(got.loans, wanted.loans, BOOK_SIZES);
      }
    });

  for (const [kind, planOf] of Object.entries(MANY_PLANS))
    for (const assets of MANY)
      it(`has the paths of the reference: ${kind} on ${assets} assets`, async () => {
        const gpu = await openTestGpuEngine(SLICED);
        const plan = planOf(assets);
        expectSameColumns(
          await gpu.trace(plan),
          await sharedReference(1).trace(plan),
          kind === 'book' ? BOOK_SIZES : {},
        );
      });
});
