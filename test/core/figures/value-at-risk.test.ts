/** Intervals of value at risk: of independent paths, of scrambles of Sobol points, and of windows of history. */
import { describe, expect, it } from 'vitest';
import type { Tail, ValueAtRiskOutcome } from '#src/core/engine.js';
import { without } from '#src/core/figures/accuracy.js';
import { exactTailFigures, tailAccuracy, tailWindowFigures } from '#src/core/figures/value-at-risk.js';
import { MODELS } from '#src/core/plan/models.js';
import { VALUE_AT_RISK } from '#src/core/plan/product/value-at-risk.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';

/** Two-sided quantiles of 95 %: of the normal law, and of Student's t with 15 degrees of freedom. */
const Z = 1.959963984540054;
const T15 = 2.131449545559323;
const DAYS = Float64Array.of(1);
/** 10 of 64 points are in the tail. */
const Q = 0.84375;

/** @param missing members that the tail lacks */
function accuracyOf(
  kind: 'gbm' | 'gbm-sobol',
  paths: number,
  tail: Partial<Tail>,
  missing: readonly string[] = [],
) {
  const [product] = VALUE_AT_RISK.usual.terms(3) as ValueAtRiskProduct[];
  const plan = {
    seed: 1,
    paths,
    scenarios: MODELS[kind].usual(3),
    product: { ...product, quantiles: Float64Array.of(Q) },
  } as SimulationPlan<ValueAtRiskProduct>;
  const whole: Tail = {
    quantile: 10,
    tailMean: 8,
    level: 10,
    shortfallSquares: 900,
    low: 9,
    high: 11,
    ...tail,
  };
  const all = Object.fromEntries(Object.entries(whole).filter(([name]) => !missing.includes(name)));
  const outcome: ValueAtRiskOutcome = {
    kind: 'value-at-risk',
    paths,
    horizons: [{ collateral: [all], loan: [all], netExposure: [all] }],
  } as unknown as ValueAtRiskOutcome;
  const { CollateralVar, CollateralCVar } = tailAccuracy(plan, outcome, DAYS, 0.95)[1][Q];
  return { quantile: CollateralVar, tailMean: CollateralCVar };
}

describe('The intervals of independent paths', () => {
  it('are those of order statistics and of the mean shortfall', () => {
    const { quantile, tailMean } = accuracyOf('gbm', 1024, {});
    expect(quantile).toMatchObject({ low: 9, high: 11, method: 'order-statistics' });
    expect(quantile.standard_error).toBeCloseTo(1 / Z, 12);
    // The mean of max(0, level - value) over 1 - q, of 1024 paths of which 160 are in the tail.
    const mean = (2 * 160) / 1024;
    const error = Math.sqrt((900 / 1024 - mean * mean) / 1023) / (1 - Q);
    expect(tailMean.standard_error).toBeCloseTo(error, 12);
    expect(tailMean.low).toBeCloseTo(8 - Z * error, 12);
    expect(tailMean.high).toBeCloseTo(8 + Z * error, 12);
  });

  it('of tail means are given from 100 paths in the tail on', () => {
    expect(accuracyOf('gbm', 640, {}).tailMean.method).toBe('normal');
    expect(accuracyOf('gbm', 639, {}).tailMean).toEqual(without('too-few-events'));
  });

  it('of tail means reach further down where shortfalls are skewed', () => {
    const { low, high } = accuracyOf('gbm', 1024, { shortfallCubes: 9000 }).tailMean;
    expect(8 - (low ?? 0)).toBeGreaterThan(1.05 * ((high ?? 0) - 8));
  });
});

describe('The intervals of scrambles', () => {
  const scrambled = { tailMeanError: 0.5, skewness: 0 };

  it("are of Student's t with 15 degrees of freedom, about the figure", () => {
    const { quantile, tailMean } = accuracyOf('gbm-sobol', 1024, { scrambled });
    expect(quantile).toMatchObject({ low: 9, high: 11, method: 'scrambles' });
    expect(quantile.standard_error).toBeCloseTo(1 / T15, 10);
    expect(tailMean).toMatchObject({ standard_error: 0.5, method: 'scrambles' });
    expect(tailMean.low).toBeCloseTo(8 - 0.5 * T15, 10);
    expect(tailMean.high).toBeCloseTo(8 + 0.5 * T15, 10);
  });

  it('are given from ten points of each in the tail on', () => {
    const none = { quantile: without('scrambles'), tailMean: without('scrambles') };
    expect(accuracyOf('gbm-sobol', 512, { scrambled })).toEqual(none);
    expect(accuracyOf('gbm-sobol', 1024, {})).toEqual(none);
    const { quantile } = accuracyOf('gbm-sobol', 1024, { scrambled }, ['low']);
    expect(quantile).toMatchObject({ standard_error: null, low: null, high: 11 });
  });
});

it('Windows contribute their values, and their distances below a quantile over the share of the tail', () => {
  const product = {
    collateralValue: 10,
    loanValue: 4,
    quantiles: Float64Array.of(0.75),
  } as ValueAtRiskProduct;
  const tail = { quantile: 6, tailMean: 5, level: 6 };
  const outcome = {
    horizons: [{ collateral: [tail], loan: [tail], netExposure: [tail] }],
  } as unknown as ValueAtRiskOutcome;
  const records = { 'collateral.0': Float64Array.of(1, 0.5), 'loan.0': Float64Array.of(1, 2) };
  const { CollateralVar, CollateralCVar, LoanCVar, NetExposureVar, NetExposureCVar } = tailWindowFigures(
    product,
    outcome,
    records,
    0,
  )['0.75'];
  expect(CollateralVar).toMatchObject({
    kind: 'quantile',
    values: Float64Array.of(10, 5),
    probability: 0.25,
    quantile: 6,
  });
  expect(CollateralCVar).toMatchObject({
    kind: 'tail-mean',
    contributions: Float64Array.of(0, 4),
    estimate: 5,
    probability: 0.25,
  });
  expect(LoanCVar).toMatchObject({ contributions: Float64Array.of(8, 0) });
  expect(NetExposureVar).toMatchObject({ values: Float64Array.of(6, -3) });
  expect(NetExposureCVar).toMatchObject({ contributions: Float64Array.of(0, 36), tail: 'lower' });
});

describe('The exact figures of a pair', () => {
  const of = (annualVolatility: Float64Array, kind: 'gbm' | 'garch' = 'gbm') => {
    const product = {
      portfolio: { collateralWeights: Float64Array.of(0.5, 0), loanWeights: Float64Array.of(0, 0.25) },
      collateralValue: 100,
      loanValue: 40,
      horizonYears: Float64Array.of(0.25, 1),
      quantiles: Float64Array.of(0.5, 0.975),
    };
    const plan = { scenarios: { kind, annualVolatility }, product };
    const exact = exactTailFigures(plan as unknown as SimulationPlan<ValueAtRiskProduct>, 0, 1);
    return Object.fromEntries(Object.entries(exact).map(([name, { value }]) => [name, value]));
  };

  it('of assets that do not move are their values', () => {
    expect(of(new Float64Array(2))).toEqual({
      CollateralVar: 50,
      CollateralCVar: 50,
      LoanVar: 10,
      LoanCVar: 10,
      NetExposureVar: 40,
      NetExposureCVar: 40,
    });
  });

  it('are the quantile of a lognormal law, of either side, without one of the net exposure where the debt moves', () => {
    const { CollateralVar, LoanVar, ...others } = of(Float64Array.of(0.8, 0.2));
    expect(CollateralVar).toBeCloseTo(50 * Math.exp(-0.08 - 0.4 * Z), 10);
    expect(LoanVar).toBeCloseTo(10 * Math.exp(-0.005 - 0.1 * Z), 10);
    expect(Object.keys(others)).toEqual(['CollateralCVar', 'LoanCVar']);
    expect(of(Float64Array.of(0.8, 0)).NetExposureVar).toBeCloseTo(50 * Math.exp(-0.08 - 0.4 * Z) - 10, 10);
    expect(of(Float64Array.of(0.8, 0.2), 'garch')).toEqual({});
  });
});
