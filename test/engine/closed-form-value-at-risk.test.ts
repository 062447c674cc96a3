/**
 * Value at risk under GBM on every engine against lognormal closed forms and numerical integration, on 20 parameter sets.
 *
 * @module-tag slow
 */
import { describe, expect, it } from 'vitest';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { valueAtRisk } from '#src/core/rules/value-at-risk.js';
import { lognormalTail } from '../support/closed-forms/lognormal-tail.ts';
import { netExposureTail } from '../support/closed-forms/net-exposure-tail.ts';
import { ENGINES, engineCases, engineForTests } from '../support/engines.ts';
import { gbmPair } from '../support/gbm.ts';
import { meanWithError } from '../support/mean-with-error.ts';
import { Dice } from '../support/random-plans.ts';
import { ZScores } from '../support/standard-errors.ts';

const SETS = 20;
const PATHS = 20_000;

function pairPlan(seed: number) {
  const dice = new Dice(seed);
  const sigmaC = dice.between(0.3, 1.5);
  const sigmaL = dice.between(0.05, 0.9);
  const rho = dice.between(-0.9, 0.9);
  const collateralValue = dice.between(1e3, 1e7);
  const loanValue = collateralValue * dice.between(0.3, 1.1);
  const horizonsDays = [dice.between(0.2, 2), dice.between(3, 12), dice.between(20, 90)];
  const quantiles = [dice.between(0.8, 0.92), dice.between(0.93, 0.97), dice.between(0.98, 0.995)];
  const plan: SimulationPlan<ValueAtRiskProduct> = {
    seed,
    paths: PATHS,
    scenarios: gbmPair(sigmaC, sigmaL, rho),
    product: {
      kind: 'value-at-risk',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      collateralValue,
      loanValue,
      horizonYears: Float64Array.from(horizonsDays, days => days / 365),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.from(quantiles),
    },
  };
  return { plan, sigmaC, sigmaL, rho };
}

type Parameters = ReturnType<typeof pairPlan>;

/** The closed forms of collateral, loan and net exposure at horizon k, at the quantile of the same rank. */
function closedForms({ plan, sigmaC, sigmaL, rho }: Parameters, k: number) {
  const { collateralValue, loanValue, horizonYears, quantiles } = plan.product;
  const exposure = {
    collateralValue,
    loanValue,
    collateralVolatility: sigmaC,
    loanVolatility: sigmaL,
    correlation: rho,
    years: horizonYears[k],
  };
  return [
    lognormalTail(collateralValue, sigmaC, horizonYears[k], quantiles[k]),
    lognormalTail(loanValue, sigmaL, horizonYears[k], quantiles[k]),
    netExposureTail(exposure, quantiles[k]),
  ] as const;
}

const withClosedForms = (parameters: Parameters) => ({
  ...parameters,
  closed: [0, 1, 2].map(k => closedForms(parameters, k)),
});
let cases: readonly ReturnType<typeof withClosedForms>[] | undefined;

/** Each set with its closed forms by horizon: integrated once for all engines, and not where the tests are left out. */
function casesOf() {
  cases ??= Array.from({ length: SETS }, (_, i) => withClosedForms(pairPlan(i + 1)));
  return cases;
}

for (const { engine } of engineCases(ENGINES, 'value-at-risk', ['gbm'])) {
  describe(`value at risk of one asset against one asset on ${engine.name}`, () => {
    const tested = engineForTests(engine);

    it('has the quantiles and tail means of the closed forms', async () => {
      const scores = new ZScores('share at or below the closed-form VaR');
      const tailMeans = new ZScores('CVaR');
      for (const { plan, sigmaC, sigmaL, rho, closed: closedAt } of casesOf()) {
        const { horizonYears, quantiles, collateralValue, loanValue } = plan.product;
        const [outcome, records] = await Promise.all([tested.run(plan), tested.trace(plan)]);
        horizonYears.forEach((years, k) => {
          const collateral = records[`collateral.${k}`].map(c => collateralValue * c);
          const loan = records[`loan.${k}`].map(l => loanValue * l);
          const net = collateral.map((c, p) => c - loan[p]);
          // One quantile per horizon, so that the comparisons stay nearly independent.
          const q = quantiles[k];
          const tails = outcome.horizons[k];
          const [ofCollateral, ofLoan, ofNet] = closedAt[k];
          // The GPU rounds a net exposure to single precision, after it has multiplied the loan's gain.
          const netRounding = engine.name === 'gpu' ? 2 ** -22 : 1e-9;
          const compared = [
            [collateral, tails.collateral[k], ofCollateral, 1e-9],
            [loan, tails.loan[k], ofLoan, 1e-9],
            [net, tails.netExposure[k], ofNet, netRounding],
          ] as const;
          compared.forEach(([values, tail, closed, rounding], which) => {
            const told = JSON.stringify({ seed: plan.seed, years, q, sigmaC, sigmaL, rho, which });
            const share = values.filter(v => v <= closed.quantile).length / PATHS;
            scores.add(share, 1 - q, Math.sqrt((q * (1 - q)) / PATHS), told);
            // The VaR reported is the type-7 quantile of these very values.
            expect(Math.abs(tail.quantile - type7(values, 1 - q)), told).toBeLessThan(
              rounding * collateralValue,
            );
            expect(Math.abs(tail.tailMean - valueAtRisk([...values], q).CVar), told).toBeLessThan(
              rounding * collateralValue,
            );
            // CVaR = VaR - E[(VaR - V)+] / (1 - q): the error is that of the shortfall mean.
            const shortfall = meanWithError(values.map(v => Math.max(0, closed.quantile - v)));
            tailMeans.add(tail.tailMean, closed.tailMean, shortfall.standardError / (1 - q), told);
            expect(tail.tailMean, told).toBeLessThanOrEqual(tail.quantile);
          });
        });
      }
      scores.judge();
      tailMeans.judge();
    });

    it('has a falling quantile and tail mean for a rising level', async () => {
      const { plan } = pairPlan(99);
      const quantiles = Float64Array.from({ length: 60 }, (_, i) => 0.01 + i * 0.0166);
      const { horizons } = await tested.run({ ...plan, product: { ...plan.product, quantiles } });
      for (const { collateral, loan, netExposure } of horizons) {
        for (const tails of [collateral, loan, netExposure]) {
          for (let i = 1; i < tails.length; i++) {
            expect(tails[i].quantile).toBeLessThanOrEqual(tails[i - 1].quantile);
            expect(tails[i].tailMean).toBeLessThanOrEqual(tails[i - 1].tailMean);
          }
        }
      }
    });

    it('has the same paths with further horizons', async () => {
      const { plan } = pairPlan(5);
      const shorter = { ...plan.product, horizonYears: plan.product.horizonYears.slice(0, 2) };
      const [whole, part] = await Promise.all([tested.run(plan), tested.run({ ...plan, product: shorter })]);
      expect(part.horizons).toEqual(whole.horizons.slice(0, 2));
    });
  });
}

/** Hyndman-Fan type 7 by sorting. */
function type7(values: Float64Array, p: number): number {
  const sorted = values.slice().sort();
  const h = (sorted.length - 1) * p;
  const low = Math.floor(h);
  return sorted[low] + (h - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
}
