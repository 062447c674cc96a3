/**
 * A book of 1,000 loans, each on a basket of its own over ten assets, with four tenths of the loans called on a path.
 *
 * Judged by brute force: some of its loans, each run for itself on the same paths, must give the same counts.
 */
import type { Engine } from '#src/core/engine.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { BenchPlan, FinishedRun } from '../bench-plan.ts';
import { type Comparison, compareExactly } from '../judge.ts';
import { BOOK_CASES, bookPlan } from '../operations/book-plans.ts';

const LOANS = 1000;
const CASE = BOOK_CASES.find(({ baskets, loans }) => baskets === 'b' && loans === LOANS)!;
/** Loans that are judged. */
const JUDGED = [0, 500, 999];
const FIGURES = ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const;

export const bookOfBaskets: BenchPlan<BookProduct> = {
  name: 'book',
  title: '1,000 loans on baskets of their own over ten assets, 720 hourly steps',
  paths: { quick: 20, cpu: 2_000, software: 20, gpu: 50_000 },
  plan: (paths, seed) => ({ ...bookPlan(CASE, paths), seed }),
  judge: ([run], engine) => judgeByLoans(run, engine),
};

async function judgeByLoans(
  { plan, outcome }: FinishedRun<BookProduct>,
  engine: Engine,
): Promise<Comparison[]> {
  const comparisons: Comparison[] = [];
  for (const k of JUDGED) {
    const alone = await engine.run(loanOf(plan, k));
    for (const figure of FIGURES)
      comparisons.push(compareExactly(`${figure} of loan ${k}`, outcome.loans[figure][k], alone[figure]));
  }
  return comparisons;
}

/** Loan `k` of a book for itself, on the same paths. */
function loanOf(plan: SimulationPlan<BookProduct>, k: number): SimulationPlan<LoanProduct> {
  const { product, scenarios } = plan;
  const { assets } = scenarios;
  const basket = (weights: Float64Array) =>
    weights.slice(product.basket[k] * assets, (product.basket[k] + 1) * assets);
  return {
    seed: plan.seed,
    paths: plan.paths,
    scenarios,
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: basket(product.collateralWeights),
        loanWeights: basket(product.loanWeights),
      },
      steps: product.termSteps[k],
      topUpSteps: product.topUpSteps[k],
      nominalRatio: product.nominalRatio[k],
      marginCallRatio: product.marginCallRatio[k],
      liquidationRatio: product.liquidationRatio[k],
      recoveryRatio: product.recoveryRatio[k],
    },
  };
}
