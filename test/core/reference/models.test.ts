/** The hourly paths of every model of the reference against the plain ones: prices, baskets and pairs. */

import { describe, expect, it } from 'vitest';
import { MODELS, type ModelKind } from '#src/core/plan/models.js';
import { LOAN } from '#src/core/plan/product/loan.js';
import { VALUE_AT_RISK } from '#src/core/plan/product/value-at-risk.js';
import type {
  LoanProduct,
  Portfolio,
  Product,
  Scenarios,
  SimulationPlan,
  ValueAtRiskProduct,
} from '#src/core/plan/simulation-plan.js';
import { collateralAt, linear, loanAt } from '#src/core/product/paths.js';
import { FirstPrice } from '#src/core/reference/asset-prices.js';
import { referenceModel } from '#src/core/reference/models.js';
import { pricesOnPath, weightOfPath } from '#src/core/rules/models.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { HEAVY_TAILS, heavyTailed } from '../../support/heavy-tails.ts';
import { Dice, randomGarch, randomGbm, randomHistory } from '../../support/random-plans.ts';

const ASSETS = 3;
/** More than a block of 96, ending within a day. */
const STEPS = 131;
const PATHS = [0, 3];

const BASKETS: Portfolio = {
  collateralWeights: Float64Array.of(0.75, 0.25, 0),
  loanWeights: Float64Array.of(0, 0.4, 0.6),
};
/** Pairs, which alone have two assets, either way round. */
const PAIRS: readonly Portfolio[] = [
  { collateralWeights: Float64Array.of(2, 0), loanWeights: Float64Array.of(0, 0.5) },
  { collateralWeights: Float64Array.of(0, 2), loanWeights: Float64Array.of(0.5, 0) },
];

/** Shifted against the loans of a portfolio. */
const shiftedOf = ({ collateralWeights: collateral, loanWeights: debt }: Portfolio) =>
  shiftedScenarios(randomGbm(new Dice(1), debt.length), { collateral, debt }, STEPS, 9);
const assetsOf = ({ loanWeights }: Portfolio) => loanWeights.length;
const MAKERS: readonly (readonly [name: string, scenariosOf: (portfolio: Portfolio) => Scenarios])[] = [
  ['gbm', portfolio => randomGbm(new Dice(1), assetsOf(portfolio))],
  ['gbm-shifted', shiftedOf],
  ['garch', portfolio => randomGarch(new Dice(2), assetsOf(portfolio))],
  ['historical', portfolio => randomHistory(new Dice(4), assetsOf(portfolio), STEPS, 5)],
  ...HEAVY_TAILS.map(
    model => [model, (portfolio: Portfolio) => heavyTailed(model, assetsOf(portfolio), 2)] as const,
  ),
];

/** Digits: the reference reads multipliers and cumulants from tables, which are not exact. */
const DIGITS = 8;

function expectNear(found: ArrayLike<number>, wanted: readonly number[], what: string) {
  expect(found.length, what).toBe(wanted.length);
  wanted.forEach((value, t) => {
    expect(found[t], `${what}, step ${t + 1}`).toBeCloseTo(value, DIGITS);
  });
}

describe.each(MAKERS)('Paths under %s', (_, make) => {
  const known = new Map([BASKETS, ...PAIRS].map(portfolio => [portfolio, make(portfolio)] as const));
  const scenariosOf = (portfolio: Portfolio) => known.get(portfolio) as Scenarios;
  const planOf = (portfolio: Portfolio) =>
    ({
      seed: 9,
      paths: 5,
      scenarios: scenariosOf(portfolio),
      product: { ...LOAN.usual.terms(assetsOf(portfolio))[0], portfolio, steps: STEPS },
    }) as SimulationPlan<LoanProduct>;
  const basketsOf = (portfolio: Portfolio, path: number) => {
    const { collateralWeights, loanWeights } = portfolio;
    const basket = (weights: Float64Array) =>
      pricesOnPath(planOf(portfolio), path, STEPS)
        .slice(1)
        .map(now => now.reduce((sum, price, i) => sum + weights[i] * price, 0));
    return { collateral: basket(collateralWeights), loan: basket(loanWeights) };
  };
  const expectWeight = (weight: number | undefined, path: number, portfolio: Portfolio) => {
    const scenarios = scenariosOf(portfolio);
    if (scenarios.kind === 'gbm-shifted')
      expect(weight).toBeCloseTo(weightOfPath(9, scenarios, path), DIGITS);
    else expect(weight).toBeUndefined();
  };

  it('have the prices of all assets, or of the first alone', () => {
    const prices = referenceModel(planOf(BASKETS)).prices(planOf(BASKETS), STEPS);
    const columns = Array.from({ length: ASSETS }, () => new Float64Array(STEPS));
    const first = new FirstPrice(referenceModel(planOf(BASKETS)).prices(planOf(BASKETS), STEPS), STEPS);
    for (const path of PATHS) {
      const plain = pricesOnPath(planOf(BASKETS), path, STEPS).slice(1);
      prices.simulate(path, columns);
      columns.forEach((column, i) => {
        expectNear(
          column,
          plain.map(now => now[i]),
          `asset ${i} of path ${path}`,
        );
      });
      expectWeight(prices.weight, path, BASKETS);
      first.simulate(path);
      expect([...first.price]).toEqual([...columns[0]]);
    }
  });

  it('have collateral and loan of baskets, their ratio and its lowest value', () => {
    const paths = referenceModel(planOf(BASKETS)).portfolio(planOf(BASKETS), false);
    expect(paths.domain).toBe('ratio');
    for (const path of PATHS) {
      const { collateral, loan } = basketsOf(BASKETS, path);
      paths.simulate(path);
      expectNear(paths.collateral, collateral, `collateral of path ${path}`);
      expectNear(paths.loan, loan, `loan of path ${path}`);
      const ratio = collateral.map((c, t) => c / loan[t]);
      expectNear(paths.ratio, ratio, `ratio of path ${path}`);
      expect(paths.minimum).toBe(Math.min(...paths.ratio));
      expectWeight(paths.weight, path, BASKETS);
    }
  });

  it.each([true, false])('have the ratio of a pair, with amounts: %s', amounts => {
    for (const pair of PAIRS) {
      const paths = referenceModel(planOf(pair)).portfolio(planOf(pair), amounts);
      expect(paths.domain).toBe(planOf(pair).scenarios.kind === 'historical' ? 'ratio' : 'ln');
      for (const path of PATHS) {
        const { collateral, loan } = basketsOf(pair, path);
        paths.simulate(path);
        expectNear(
          Array.from(paths.ratio, value => linear(paths, value)),
          collateral.map((c, t) => c / loan[t]),
          `ratio of path ${path}`,
        );
        expect(paths.minimum).toBe(Math.min(...paths.ratio));
        expectWeight(paths.weight, path, pair);
        if (!amounts) continue;
        for (const step of [1, 2, 96, 97, STEPS]) {
          expect(collateralAt(paths, step), `step ${step}`).toBeCloseTo(collateral[step - 1], DIGITS);
          expect(loanAt(paths, step), `step ${step}`).toBeCloseTo(loan[step - 1], DIGITS);
        }
      }
    }
  });
});

it('A price of history that returns to that of the start gives exactly the ratio of the start', () => {
  // The price times its reciprocal is 1 less half a unit in the last place.
  const price = 49;
  expect((1 / price) * price).not.toBe(1);
  const [terms] = LOAN.usual.terms(2) as readonly LoanProduct[];
  const portfolio = { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) };
  const plan: SimulationPlan<LoanProduct> = {
    seed: 0,
    paths: 1,
    scenarios: {
      kind: 'historical',
      assets: 2,
      prices: [Float64Array.of(price, 50, price), Float64Array.of(1, 1, 1)],
      lead: 2,
    },
    product: { ...terms, portfolio, steps: 2 },
  };
  const paths = referenceModel(plan).portfolio(plan, false);
  paths.simulate(0);
  expect([...paths.ratio]).toEqual([50 / price, 1]);
});

it('A model has no paths of the products that it excludes', () => {
  const [horizons] = VALUE_AT_RISK.usual.terms(ASSETS) as readonly ValueAtRiskProduct[];
  const [loan] = LOAN.usual.terms(ASSETS) as readonly LoanProduct[];
  const planOf = <P extends Product>(kind: ModelKind, product: P) =>
    ({ seed: 1, paths: 16, scenarios: MODELS[kind].usual(ASSETS), product }) as SimulationPlan<P>;
  const garch = planOf('garch', horizons);
  expect(() => referenceModel(garch).horizons(garch, 1)).toThrow('the model has no such paths');
  expect(() => referenceModel(planOf('gbm-shifted', horizons))).toThrow(
    'gbm-shifted has no paths of value-at-risk',
  );
  expect(() => referenceModel(planOf('gbm-sobol', loan))).toThrow('gbm-sobol has no paths of loan');
});
