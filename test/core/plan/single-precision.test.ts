import { describe, expect, it } from 'vitest';
import { DOUBLE_LOG_RANGE, expectedLogFall } from '#src/core/plan/price-range.js';
import { BOOK, type BookProduct } from '#src/core/plan/product/book.js';
import { PERPETUAL, type PerpetualProduct } from '#src/core/plan/product/perpetual.js';
import type { LoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import {
  beyondSingles,
  measureRatios,
  ratioAccuracy,
  suitsSinglePrecision,
  tooRisklessToSell,
} from '#src/core/plan/single-precision.js';

const STEPS = 8760;

function loan(
  scenarios: Scenarios,
  collateralWeights: readonly number[],
  loanWeights: readonly number[],
): SimulationPlan<LoanProduct> {
  return {
    seed: 1,
    paths: 100,
    scenarios,
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: Float64Array.from(collateralWeights),
        loanWeights: Float64Array.from(loanWeights),
      },
      steps: STEPS,
      topUpSteps: 24,
      nominalRatio: 1.5,
      marginCallRatio: 1.3,
      liquidationRatio: 1.1,
      recoveryRatio: 1.5,
    },
  };
}

/** Two assets of 60 % and 80 % a year with correlation 0.6. */
const gbm: Scenarios = {
  kind: 'gbm',
  assets: 2,
  annualVolatility: Float64Array.of(0.6, 0.8),
  factor: Float64Array.of(0.6, 0, 0.8 * 0.6, 0.8 * 0.8),
};
/** The same as GARCH whose variance stays where it is. */
const garch: Scenarios = {
  kind: 'garch',
  assets: 2,
  omega: Float64Array.of(0.36 / 365, 0.64 / 365),
  alpha: Float64Array.of(0, 0),
  beta: Float64Array.of(0, 0),
  firstVariance: Float64Array.of(0.36 / 365, 0.64 / 365),
  factor: Float64Array.of(1, 0, 0.6, 0.8),
  volatilityScale: 1,
};

const spreadOf = (plan: SimulationPlan) => ratioAccuracy(plan)!.spread;

describe('The spread of the ratio of two baskets', () => {
  it('is that of the difference of the two portfolios: over a year their tracking error', () => {
    // 0.5 x (0.6^2 + 0.8^2 - 2 x 0.6 x 0.6 x 0.8)^(1/2)
    const tracking = 0.5 * Math.sqrt(0.36 + 0.64 - 2 * 0.6 * 0.6 * 0.8);
    for (const scenarios of [gbm, garch]) {
      expect(spreadOf(loan(scenarios, [0.5, 0.5], [1, 0])), scenarios.kind).toBeCloseTo(tracking, 12);
    }
  });

  it('is 0 for equal baskets', () => {
    expect(spreadOf(loan(gbm, [0.5, 0.5], [0.5, 0.5]))).toBe(0);
  });

  it('does not exist for given prices', () => {
    const history: Scenarios = { kind: 'historical', assets: 2, prices: [], lead: 1 };
    expect(ratioAccuracy(loan(history, [0.5, 0.5], [1, 0]))).toBeUndefined();
  });
});

describe('The error of a ratio in single precision', () => {
  /** Half a unit of a single for each group of four steps, by the largest deviation of an asset. */
  const ofPrices = 3e-8 * 0.8 * Math.sqrt(STEPS / 4);

  it('is that of its prices, and of their sums and quotient for baskets', () => {
    expect(ratioAccuracy(loan(gbm, [0.5, 0.5], [1, 0]))?.error).toBeCloseTo(Math.hypot(ofPrices, 3e-7), 16);
    expect(ratioAccuracy(loan(garch, [1, 0], [0, 1]))?.error).toBeCloseTo(ofPrices, 16);
    expect(ratioAccuracy(loan(gbm, [1, 0], [0, 1]))?.error).toBe(0);
  });

  it('is a seventy-thousandth of the spread at the most', () => {
    const share = Math.hypot(ofPrices, 3e-7) / Math.sqrt(0.36 + 0.64 - 2 * 0.6 * 0.6 * 0.8);
    const at = (times: number) => suitsSinglePrecision(loan(gbm, [1 - times * share, times * share], [1, 0]));
    expect([69_999.5, 70_000.5].map(at)).toEqual([false, true]);
  });

  it('is without bound where prices fall by more than 80 in logarithms, by their drift and 8 deviations', () => {
    expect(expectedLogFall(loan(gbm, [1, 0], [0, 1]))).toBeCloseTo(0.64 / 2 + 8 * 0.8, 12);
    const still = { ...gbm, annualVolatility: Float64Array.of(0, 0) } as Scenarios;
    expect(expectedLogFall(loan(still, [1, 0], [0, 1]))).toBe(0);
    // The smallest normal double is exp(-708).
    expect(DOUBLE_LOG_RANGE).toBe(700);
    // s^2 / 2 + 8 s = 80.
    const falling = (sigma: number) =>
      beyondSingles(
        loan({ ...gbm, annualVolatility: Float64Array.of(0.1, sigma) } as Scenarios, [1, 0], [0, 1]),
      );
    expect(falling(6.9666)).toBeUndefined();
    expect(falling(6.9667)).toBe(
      'these volatilities over this term take prices below what single precision holds',
    );
  });
});

describe('Single precision', () => {
  it('is not enough for baskets that hardly move against each other', () => {
    expect(suitsSinglePrecision(loan(gbm, [0.5, 0.5], [1, 0]))).toBe(true);
    expect(suitsSinglePrecision(loan(gbm, [0.99, 0.01], [1, 0]))).toBe(false);
    expect(suitsSinglePrecision(loan(garch, [0.99, 0.01], [1, 0]))).toBe(false);
    expect(suitsSinglePrecision(loan(gbm, [0.5, 0.5], [0.5, 0.5]))).toBe(false);
  });

  it('is enough on history, where no drawn ratio is compared with a threshold', () => {
    const prices = [Float64Array.of(1, 2, 1), Float64Array.of(1, 1, 1)];
    const history = { kind: 'historical', assets: 2, prices, lead: 1 } as const;
    expect(ratioAccuracy(loan(history, [0.5, 0.5], [0.5, 0.5]))).toBeUndefined();
    expect(suitsSinglePrecision(loan(history, [0.5, 0.5], [0.5, 0.5]))).toBe(true);
  });

  it('is not enough for a book with one loan on such baskets, or on a pair that moves as one', () => {
    const book = (collateral: readonly number[], term: number): SimulationPlan => ({
      ...loan(gbm, [1, 0], [0, 1]),
      product: {
        ...(BOOK.usual.terms(2)[0] as BookProduct),
        collateralWeights: Float64Array.of(1, 0, ...collateral),
        loanWeights: Float64Array.of(0, 1, 0, 1),
        basket: Uint32Array.of(0, 1),
        termSteps: Uint32Array.of(STEPS, term),
      },
    });
    expect(suitsSinglePrecision(book([0.5, 0.5], STEPS))).toBe(true);
    expect(suitsSinglePrecision(book([0.01, 0.99], STEPS))).toBe(false);
    // In an hour the ratio moves by 0.3 %, too little for 70,000 roundings of 1e-7.
    expect(suitsSinglePrecision(book([0.5, 0.5], 48))).toBe(true);
    expect(suitsSinglePrecision(book([0.5, 0.5], 1))).toBe(false);
  });

  it('is measured for a book in turns of the event loop, once', async () => {
    const baskets = 1001;
    const share = (k: number) => (k === 700 ? 0.01 : 0.5);
    const plan: SimulationPlan = {
      ...loan(gbm, [1, 0], [0, 1]),
      product: {
        ...(BOOK.usual.terms(2)[0] as BookProduct),
        collateralWeights: Float64Array.from({ length: 2 * baskets }, (_, i) =>
          i % 2 === 0 ? share(i / 2) : 1 - share((i - 1) / 2),
        ),
        loanWeights: Float64Array.from({ length: 2 * baskets }, (_, i) => i % 2),
        basket: Uint32Array.from({ length: baskets }, (_, k) => k),
        termSteps: new Uint32Array(baskets).fill(STEPS),
      },
    };
    let turns = 0;
    await measureRatios(plan, async () => {
      turns += 1;
    });
    expect(turns).toBe(4);
    expect(ratioAccuracy(plan)).toEqual(ratioAccuracy({ ...plan }));
    expect(ratioAccuracy(plan)).toBe(ratioAccuracy(plan));
    expect(suitsSinglePrecision(plan)).toBe(false);
  });

  it('is enough for any pair under GBM, which is one walk, but not for GARCH pairs that move as one', () => {
    const daily = Float64Array.of(0.36 / 365, 0.36 / 365);
    /** Two assets of 60 % with correlation 0.9999 or, for `far`, 0. */
    const alike = (scenarios: typeof gbm | typeof garch, far = false): Scenarios => {
      const [a, b] = far ? [0, 1] : [0.9999, Math.sqrt(1 - 0.9999 ** 2)];
      const size = scenarios.kind === 'gbm' ? 0.6 : 1;
      return {
        ...scenarios,
        ...(scenarios.kind === 'gbm'
          ? { annualVolatility: Float64Array.of(0.6, 0.6) }
          : { omega: daily, firstVariance: daily }),
        factor: Float64Array.of(size, 0, size * a, size * b),
      } as Scenarios;
    };
    expect(suitsSinglePrecision(loan(alike(gbm), [1, 0], [0, 1]))).toBe(true);
    expect(suitsSinglePrecision(loan(alike(garch), [1, 0], [0, 1]))).toBe(false);
    expect(suitsSinglePrecision(loan(alike(garch, true), [1, 0], [0, 1]))).toBe(true);
  });

  it('is not enough for a position, or a funding, out of all proportion to the equity', () => {
    const position = (terms: Partial<PerpetualProduct>): SimulationPlan => ({
      ...loan(gbm, [1, 0], [0, 1]),
      scenarios: {
        kind: 'gbm',
        assets: 1,
        annualVolatility: Float64Array.of(0.6),
        factor: Float64Array.of(0.6),
      },
      product: { ...(PERPETUAL.usual.terms(1)[0] as PerpetualProduct), ...terms },
    });
    // A position of 100 USD.
    expect(suitsSinglePrecision(position({ initialMargin: 1 }))).toBe(true);
    expect(suitsSinglePrecision(position({ initialMargin: 0.1 }))).toBe(true);
    expect(suitsSinglePrecision(position({ initialMargin: 0.0999 }))).toBe(false);
    expect(suitsSinglePrecision(position({ initialMargin: 1e-227 }))).toBe(false);
    expect(suitsSinglePrecision(position({ initialMargin: 1e22, fundingRatePerInterval: 0 }))).toBe(true);
    expect(suitsSinglePrecision(position({ initialMargin: 1e23, fundingRatePerInterval: 0 }))).toBe(false);
    expect(suitsSinglePrecision(position({ quantity: -1, initialMargin: 0.0999 }))).toBe(false);
    // Three settlements of 70 times the notional, which is five times the equity.
    expect(suitsSinglePrecision(position({ fundingRatePerInterval: 66 }))).toBe(true);
    expect(suitsSinglePrecision(position({ fundingRatePerInterval: -70 }))).toBe(false);
    expect(suitsSinglePrecision(position({ fundingRatePerInterval: 0 }))).toBe(true);
    expect(beyondSingles(position({ initialMargin: 0.05 }))).toBe(
      'the position, or what it pays in funding, is 2000 times its equity, and single precision holds 1e-20 to 1000 times',
    );
  });
});

describe('What a capped sale brings', () => {
  const capped = (scenarios: Scenarios, collateral: readonly number[]): SimulationPlan => {
    const plan = loan(scenarios, collateral, [1, 0]);
    return { ...plan, product: { ...plan.product, kind: 'capped-loan', capacityPerStep: 0.01 } };
  };

  it('is not told in single precision below a spread of a thousandth', () => {
    // 0.65 of the share that differs: 0.0013 and 0.00065.
    expect(tooRisklessToSell(capped(gbm, [0.998, 0.002]))).toBeUndefined();
    expect(tooRisklessToSell(capped(gbm, [0.999, 0.001]))).toMatch(
      /a standard deviation of ln\(C\/L\) of 0\.00065\d* over the term, below 0\.001\)/,
    );
    const history: Scenarios = { kind: 'historical', assets: 2, prices: [], lead: 1 };
    expect(tooRisklessToSell(capped(history, [1, 0]))).toBeUndefined();
  });

  it('does not matter to a loan, whose difference of baskets is followed', () => {
    expect(tooRisklessToSell(loan(gbm, [0.999, 0.001], [1, 0]))).toBeUndefined();
    expect(tooRisklessToSell(loan(gbm, [0.5, 0.5], [0.5, 0.5]))).toBeUndefined();
  });
});
