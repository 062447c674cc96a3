/**
 * The score of a loan at many nominal ratios, for the search of /loan_origination and the curve of the console.
 *
 * Takes: the plan of the loan at any nominal ratio, the terms of the search, a function that runs a plan. Gives: a function that scores
 * many N. Must not know: engines, HTTP.
 */
import type { LoanOutcome } from '../../core/engine.ts';
import { lossSums } from '../../core/figures/book-loan.ts';
import { loanSums } from '../../core/figures/loan.ts';
import { figureValue } from '../../core/figures/of-sums.ts';
import { isLossScore, LOSS_SCORES, ORIGINATION_SCORES } from '../../core/figures/origination.ts';
import { bookOfLoan } from '../../core/plan/book-of-loan.ts';
import { type GridHours, graceSteps } from '../../core/plan/grid.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import type { OutcomeOf, Product } from '../../core/plan/products.ts';
import type { LoanProduct, OriginationScore, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { judgedOneByOne, ratiosAt } from './ratios.ts';
import type { SearchTerms } from './request.ts';
import type { ScoreMany } from './search.ts';

/** The terms that a score depends on. */
export type ScoreTerms = Pick<SearchTerms, 'L' | 'opt_param' | 'price_shock' | 'sale_delay' | 'sale_cost'>;

/** Runs a plan on the engine of the caller. */
export type RunPlan = <P extends Product>(plan: SimulationPlan<P>) => Promise<OutcomeOf<P>>;

/**
 * Scores many N in one pass over the paths; `WorstCaseCCR` needs one pass for all calls together. Scores are shares of the paths, for
 * `WorstCaseCCR` a collateral coverage ratio.
 *
 * @param productAt the loan at a nominal ratio; the loan of the plan with other ratios where absent
 */
export function originationScorer(
  terms: ScoreTerms,
  asked: SimulationPlan<LoanProduct>,
  run: RunPlan,
  productAt: (nominalRatio: number) => LoanProduct = n => loanAt(n, terms, asked.product),
  stepHours: GridHours = 1,
): ScoreMany {
  // A candidate needs no distribution.
  const loan: typeof asked = {
    seed: asked.seed,
    paths: asked.paths,
    scenarios: asked.scenarios,
    product: asked.product,
  };
  const scan = (score: OriginationScore, liquidation: Float64Array, marginCall: Float64Array) =>
    run({
      ...loan,
      product: {
        kind: 'origination',
        portfolio: loan.product.portfolio,
        steps: loan.product.steps,
        topUpSteps: loan.product.topUpSteps,
        ...(loan.product.debtGrowth === undefined ? {} : { debtGrowth: loan.product.debtGrowth }),
        score,
        liquidationThreshold: liquidation,
        marginCallThreshold: marginCall,
      },
    });
  const liquidationThresholds = (ns: Float64Array) => ns.map(n => terms.L / n);
  const marginCallThresholds = (ns: Float64Array) => ns.map(n => ratiosAt(n, terms).M / n);
  const none = new Float64Array(0);
  const byLoans = async (ns: Float64Array, score: (outcome: LoanOutcome) => number) => {
    const scores = new Float64Array(ns.length);
    for (const [k, n] of ns.entries()) scores[k] = score(await run({ ...loan, product: productAt(n) }));
    return scores;
  };
  const shares = async (outcome: ReturnType<typeof scan>) => {
    const { counts, paths } = await outcome;
    return counts.map(count => count / paths);
  };
  const ends = (score: OriginationScore, ns: Float64Array) =>
    scan(score, liquidationThresholds(ns), marginCallThresholds(ns));
  const { score_variable } = terms.opt_param;
  if (isLossScore(score_variable))
    return async ns => {
      const scores = new Float64Array(ns.length);
      for (const [k, n] of ns.entries()) {
        const product = bookOfSearch(productAt(n), terms, stepHours);
        const sums = lossSums(await run({ ...loan, product }), 0);
        scores[k] = figureValue(LOSS_SCORES[score_variable], sums, undefined);
      }
      return scores;
    };
  if (judgedOneByOne(terms))
    return ns =>
      byLoans(ns, outcome =>
        figureValue(ORIGINATION_SCORES[score_variable], loanSums(outcome, loan.product), loan.product),
      );
  switch (score_variable) {
    case 'PrUnderwater':
      return ns =>
        shares(
          scan(
            'path-minimum',
            ns.map(n => 1 / n),
            none,
          ),
        );
    case 'PrMarginCall':
      return ns => shares(scan('path-minimum', marginCallThresholds(ns), none));
    case 'PrLiquidation':
      return ns => shares(ends('liquidation', ns));
    case 'PrCloseout':
      return ns => shares(ends('closeout', ns));
    case 'PrForcedSale':
      return async ns => {
        const { counts: closedOut, paths } = await ends('closeout', ns);
        const { counts: liquidated } = await ends('liquidation', ns);
        // Equal numbers of paths are equal scores; a sum of two quotients may differ in the last bit.
        return closedOut.map((count, k) => (count + liquidated[k]) / paths);
      };
    case 'WorstCaseCCR': {
      let outcome: ReturnType<typeof scan> | undefined;
      return async ns => {
        outcome ??= scan('path-minimum', Float64Array.of(1), none);
        const { worstRatio } = await outcome;
        return ns.map(n => n * worstRatio);
      };
    }
  }
}

/** The book of a loan of a search whose score is a loss. */
export const bookOfSearch = (
  loan: LoanProduct,
  { sale_delay, sale_cost }: Pick<ScoreTerms, 'sale_delay' | 'sale_cost'>,
  stepHours: GridHours,
): BookProduct =>
  bookOfLoan(loan, {
    saleDelaySteps: graceSteps(Number(sale_delay), stepHours),
    saleCost: Number(sale_cost),
    stepHours,
  });

/** The same loan at another nominal ratio, prices not shocked. */
function loanAt(nominalRatio: number, terms: ScoreTerms, loan: LoanProduct): LoanProduct {
  const { N, M, L, R } = ratiosAt(nominalRatio, terms);
  return { ...loan, nominalRatio: N, marginCallRatio: M, liquidationRatio: L, recoveryRatio: R };
}
