/** The scores of a search at many nominal ratios are the figures of the loan at each of them. */
import { describe, expect, it } from 'vitest';
import { bookLoanFigures } from '#src/core/figures/book-loan.js';
import { loanSums } from '#src/core/figures/loan.js';
import { figureValue } from '#src/core/figures/of-sums.js';
import {
  isLossScore,
  type LossScore,
  ORIGINATION_SCORES,
  type ScoreName,
} from '#src/core/figures/origination.js';
import { LOAN_START, plainLending } from '#src/core/plan/book-lending.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { bookProduct } from '#src/question/book/book.js';
import { bookColumns } from '#src/question/book/columns.js';
import type { BookLoan } from '#src/question/book/loan-row.js';
import { ratiosAt } from '#src/question/origination/ratios.js';
import { originationScorer, type RunPlan, type ScoreTerms } from '#src/question/origination/score.js';
import { CPU_ENGINES, engineForTests } from '../../support/engines.ts';
import { randomLoanPlan } from '../../support/random-plans.ts';

const RATIOS = Float64Array.of(1.12, 1.3, 1.7);
const NAMES = (Object.keys(ORIGINATION_SCORES) as ScoreName[]).filter(name => !isLossScore(name));

/** 400 steps, as the loan of the plan. */
const BOOK_ROW = {
  id: 'a',
  collateral_weights: { A: 1 },
  loan_weights: { USD: 1 },
  loan_value: 1e6,
  loan_duration: 400 / 24,
  mc_top_up: 12,
};

describe('The score of an origination', () => {
  const engine = engineForTests(CPU_ENGINES[0]);
  const { portfolio } = randomLoanPlan(3, 'gbm', 150).product;
  const plan: SimulationPlan<LoanProduct> = {
    ...randomLoanPlan(3, 'gbm', 150),
    product: {
      kind: 'loan',
      portfolio,
      steps: 400,
      topUpSteps: 12,
      debtGrowth: 1.02,
      nominalRatio: 1.3,
      marginCallRatio: 1.2,
      liquidationRatio: 1.1,
      recoveryRatio: 1.3,
    },
  };
  const termsOf = (score_variable: ScoreName, fixed: object, more: object = {}) =>
    ({
      L: 1.1,
      opt_param: { score_variable, variable_min: 1.05, variable_max: 2, ...fixed },
      ...more,
    }) as ScoreTerms;
  /** The figure of the loan at each ratio, by a run of its own. */
  const figures = (name: ScoreName, terms: ScoreTerms) =>
    Promise.all(
      Array.from(RATIOS, async nominalRatio => {
        const { N, M, L, R } = ratiosAt(nominalRatio, terms);
        const ratios = { nominalRatio: N, marginCallRatio: M, liquidationRatio: L, recoveryRatio: R };
        const product = { ...plan.product, ...ratios };
        const outcome = await engine.run({ ...plan, product });
        const row = ORIGINATION_SCORES[name] as (typeof ORIGINATION_SCORES)[Exclude<ScoreName, LossScore>];
        return figureValue(row, loanSums(outcome, product), product);
      }),
    );
  let runs = 0;
  const run: RunPlan = asked => {
    runs++;
    return engine.run(asked);
  };

  it.each(NAMES)('of %s is its figure, in few passes', async name => {
    const terms = termsOf(name, {});
    runs = 0;
    const scores = await originationScorer(terms, plan, run)(RATIOS);
    expect(runs).toBe(name === 'PrForcedSale' ? 2 : 1);
    const expected = await figures(name, terms);
    expected.forEach((figure, k) => {
      expect(scores[k], `N = ${RATIOS[k]}`).toBeCloseTo(figure, 12);
    });
    expect(new Set(expected).size).toBeGreaterThan(1);
  });

  it.each(NAMES)(
    'of %s with a fixed R is its figure, by a run of each loan where cures count',
    async name => {
      const terms = termsOf(name, { R: 1.15, M: 1.11 });
      runs = 0;
      const scores = await originationScorer(terms, plan, run)(RATIOS);
      expect(runs).toBe(/^Pr(Liq|Clo|For)/.test(name) ? 3 : 1);
      (await figures(name, terms)).forEach((figure, k) => {
        expect(scores[k], `N = ${RATIOS[k]}`).toBeCloseTo(figure, 12);
      });
    },
  );

  it.each([
    ['open at the start', {}],
    ['called at the start', { start: { status: 'called', deadlineStep: 7 } }],
  ] as const)('of a loss is that of a book of this loan alone, %s', async (_, more) => {
    const sale = { sale_delay: 24, sale_cost: 0.02 };
    const asked = { ...plan, product: { ...plan.product, ...more } };
    for (const name of ['PrLoss', 'ExpectedLossPct'] as const) {
      const scores = await originationScorer(termsOf(name, {}, sale), asked, run)(RATIOS);
      for (const [k, n] of RATIOS.entries()) {
        const { N, M, L, R } = ratiosAt(n, termsOf(name, {}));
        const row = { ...BOOK_ROW, N, M, L, R } as unknown as BookLoan;
        const columns = bookColumns([row]);
        const { lending: _unused, ...product } = bookProduct({ loans: columns, ...sale, quantile: [0.5] }, 1);
        const lending = {
          ...plainLending(1, 0.02),
          debtGrowth: Float64Array.of(1.02),
          ...('start' in more && {
            start: Uint32Array.of(LOAN_START.called),
            startDeadline: Uint32Array.of(more.start.deadlineStep),
          }),
        };
        const outcome = await engine.run({
          ...plan,
          product: {
            ...product,
            collateralWeights: portfolio.collateralWeights,
            loanWeights: portfolio.loanWeights,
            lending,
          },
        });
        const figures = bookLoanFigures(product, outcome, 0);
        const share = outcome.loans.squares!.lossPaths[0] / plan.paths;
        expect(scores[k], `${name}, N = ${n}`).toBeCloseTo(
          name === 'PrLoss' ? share : (100 * figures.ExpectedLoss) / 1e6,
          10,
        );
      }
      // The last candidates lose least.
      expect(scores[0]).toBeGreaterThan(scores[2]);
    }
  });

  it('of PrForcedSale is equal where as many paths end, however they divide', async () => {
    // 29/50 + 16/50 is below 27/50 + 18/50 in double precision.
    const counts = { closeout: Float64Array.of(27, 29, 30), liquidation: Float64Array.of(18, 16, 15) };
    const counted = async ({ product }: { product: { score: keyof typeof counts } }) => ({
      counts: counts[product.score],
      paths: 50,
    });
    const scores = await originationScorer(
      termsOf('PrForcedSale', {}),
      plan,
      counted as unknown as RunPlan,
    )(RATIOS);
    expect([...scores]).toEqual([0.9, 0.9, 0.9]);
  });

  it('after a shock is that of the products of the caller', async () => {
    const terms = termsOf('PrMarginCall', {}, { price_shock: { BTC: -0.1 } });
    const asked: number[] = [];
    const scores = await originationScorer(terms, plan, run, n => {
      asked.push(n);
      return { ...plan.product, nominalRatio: 1.2, marginCallRatio: n };
    })(RATIOS);
    expect(asked).toEqual([...RATIOS]);
    // A call at a ratio above that of the start, which step 1 has in most scenarios.
    expect(scores[2]).toBeGreaterThan(0.9);
    expect(scores[0]).toBeLessThan(scores[2]);
  });
});
