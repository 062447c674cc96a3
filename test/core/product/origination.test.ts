/** The one-pass origination scan against one plain loan per candidate. */

import { describe, expect, it } from 'vitest';
import type { OriginationProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { loanOnPath } from '#src/core/rules/loan.js';
import { basketsOnPath } from '#src/core/rules/models.js';
import { ratiosOfCandidate } from '#src/core/rules/origination.js';
import { runHere } from '../../support/in-process.ts';
import { type ModelKind, randomLoanPlan } from '../../support/random-plans.ts';

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const CANDIDATES = 60;
const PATHS = 60;

describe.each(MODELS)('an origination scan under %s', model => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('counts every candidate of case %i as its own loan would', seed => {
    const loan = randomLoanPlan(seed, model, PATHS);
    const L = loan.product.liquidationRatio;
    // Narrow enough that the paths of a few days reach the thresholds.
    const ratios = Float64Array.from({ length: CANDIDATES }, (_, k) => L * (1.0005 + 0.004 * k));
    const rules = { L, variableMin: 1.03 * L, variableMax: 100 };
    const M = (n: number) => ratiosOfCandidate(rules, n).M;
    const product = (score: OriginationProduct['score']): OriginationProduct => ({
      kind: 'origination',
      portfolio: loan.product.portfolio,
      steps: loan.product.steps,
      topUpSteps: loan.product.topUpSteps,
      score,
      liquidationThreshold: score === 'path-minimum' ? ratios.map(n => M(n) / n) : ratios.map(n => L / n),
      marginCallThreshold: score === 'path-minimum' ? new Float64Array(0) : ratios.map(n => M(n) / n),
    });
    const scan = (score: OriginationProduct['score']): SimulationPlan<OriginationProduct> => ({
      ...loan,
      product: product(score),
    });
    const [minimum, liquidation, closeout] = (['path-minimum', 'liquidation', 'closeout'] as const).map(
      score => runHere(scan(score)),
    );
    const none = () => new Array<number>(CANDIDATES).fill(0);
    const expected = { calls: none(), liquidated: none(), closedOut: none() };
    let worst = Number.POSITIVE_INFINITY;
    for (let p = 0; p < PATHS; p++) {
      const { collateral, loan: debt } = basketsOnPath(loan, p, loan.product.steps);
      worst = Math.min(worst, ...collateral.slice(1).map((c, t) => c / debt[t + 1]));
      ratios.forEach((N, k) => {
        const terms = { ...ratiosOfCandidate(rules, N), topUpSteps: loan.product.topUpSteps };
        const plain = loanOnPath(terms, collateral, debt);
        expected.calls[k] += Number(plain.marginCall);
        expected.liquidated[k] += Number(plain.liquidation);
        expected.closedOut[k] += Number(plain.closeout);
      });
    }
    const inputs = JSON.stringify({ seed, L, steps: loan.product.steps, topUp: loan.product.topUpSteps });
    expect([...minimum.counts], inputs).toEqual(expected.calls);
    expect([...liquidation.counts], inputs).toEqual(expected.liquidated);
    expect([...closeout.counts], inputs).toEqual(expected.closedOut);
    for (const { paths, worstRatio } of [minimum, liquidation, closeout]) {
      expect(paths, inputs).toBe(PATHS);
      expect(worstRatio, inputs).toBeCloseTo(worst, 10);
    }
  });
});

it('A candidate that is called on the first step is closed out at its deadline, also on the last one', () => {
  const flat = Float64Array.of(1, 1, 1, 1);
  const closeouts = [1, 2, 3].map(topUpSteps => {
    const product: OriginationProduct = {
      kind: 'origination',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      steps: 3,
      topUpSteps,
      score: 'closeout',
      liquidationThreshold: Float64Array.of(0.5),
      marginCallThreshold: Float64Array.of(0.9),
    };
    const prices = [Float64Array.of(1, 0.75, 0.75, 0.75), flat];
    const scenarios = { kind: 'historical', assets: 2, prices, lead: 3 } as const;
    return runHere({ seed: 0, paths: 1, scenarios, product }).counts[0];
  });
  expect(closeouts).toEqual([1, 1, 0]);
});
