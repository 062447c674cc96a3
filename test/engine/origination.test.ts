/** The one-pass origination scan against one plain loan per candidate. */
import { describe, expect, it } from 'vitest';
import type { OriginationProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { plainLoan } from '../support/plain/loans.ts';
import { plainBaskets } from '../support/plain/paths.ts';
import { type ModelKind, randomLoanPlan } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const engine = sharedReference(2);

const MODELS: readonly ModelKind[] = ['gbm', 'garch', 'historical'];
const CANDIDATES = 60;
const PATHS = 60;

describe.each(MODELS)('an origination scan under %s', model => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('counts every candidate of case %i as its own loan would', async seed => {
    const loan = randomLoanPlan(seed, model, PATHS);
    const L = loan.product.liquidationRatio;
    // Narrow enough that the paths of a few days reach the thresholds.
    const ratios = Float64Array.from({ length: CANDIDATES }, (_, k) => L * (1.0005 + 0.004 * k));
    const M = (n: number) => Math.min(n, Math.max((L + n) / 2, L * 1.03));
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
    const [minimum, liquidation, closeout] = await Promise.all([
      engine.run(scan('path-minimum')),
      engine.run(scan('liquidation')),
      engine.run(scan('closeout')),
    ]);
    const expected = {
      calls: new Array(CANDIDATES).fill(0),
      liquidated: [] as number[],
      closedOut: [] as number[],
    };
    expected.liquidated = new Array(CANDIDATES).fill(0);
    expected.closedOut = new Array(CANDIDATES).fill(0);
    for (let p = 0; p < PATHS; p++) {
      const { collateral, loan: debt } = plainBaskets(loan, p, loan.product.steps);
      ratios.forEach((N, k) => {
        const terms = { N, M: M(N), L, R: N, topUpSteps: loan.product.topUpSteps };
        const plain = plainLoan(terms, collateral, debt);
        expected.calls[k] += Number(plain.marginCall);
        expected.liquidated[k] += Number(plain.liquidation);
        expected.closedOut[k] += Number(plain.closeout);
      });
    }
    const inputs = JSON.stringify({ seed, L, steps: loan.product.steps, topUp: loan.product.topUpSteps });
    expect([...minimum.counts], inputs).toEqual(expected.calls);
    expect([...liquidation.counts], inputs).toEqual(expected.liquidated);
    expect([...closeout.counts], inputs).toEqual(expected.closedOut);
  });
});
