/**
 * The four ratios of an origination candidate, and the number of passes of a search over the paths.
 *
 * Must not know: engines, paths.
 */
import { isLossScore } from '../../core/figures/origination.ts';
import type { LoanRatios } from '../loan/loan.ts';
import type { SearchTerms } from './request.ts';

/** The lowest candidate lies above L by this factor. */
const ABOVE_LIQUIDATION = 1 + 1e-6;
/** Passes where one pass judges all candidates: the candidates, at most two refinements. */
const SCAN_PASSES = 3;

/** A search in which every candidate is a run of its own. */
export const LOAN_BY_LOAN = { intervals: 64, resolution: 1e-6, halvingsPerPass: 1 } as const;

/** The lowest N that can be a candidate: above L, and not below M where M is fixed. */
export function lowestCandidate({ L, opt_param }: Pick<SearchTerms, 'L' | 'opt_param'>): number {
  const fixed = typeof opt_param.M === 'number' ? opt_param.M : 0;
  return Math.max(opt_param.variable_min, L * ABOVE_LIQUIDATION, fixed);
}

/** The ratios at the nominal ratio N: M is the number sent or the middle of L and N clamped to the range, R the number sent or N. */
export function ratiosAt(
  nominalRatio: number,
  { L, opt_param }: Pick<SearchTerms, 'L' | 'opt_param'>,
): LoanRatios {
  const { variable_min, variable_max } = opt_param;
  const middle = Math.min(Math.max((L + nominalRatio) / 2, variable_min), variable_max, nominalRatio);
  return {
    N: nominalRatio,
    M: typeof opt_param.M === 'number' ? opt_param.M : middle,
    L,
    R: typeof opt_param.R === 'number' ? opt_param.R : nominalRatio,
  };
}

/**
 * Whether each candidate needs a run of its own. With R = N all candidates cure a call at the same price, and one pass follows all of
 * them; with a fixed R they do not, and scores that depend on cures need a run each, as losses do, and all scores after a shock.
 */
export function judgedOneByOne({
  opt_param: { R, score_variable },
  price_shock,
}: Pick<SearchTerms, 'opt_param' | 'price_shock'>): boolean {
  // After a shock some candidates start called or liquidated, and others do not.
  if (price_shock !== undefined || isLossScore(score_variable)) return true;
  const dependsOnCures =
    score_variable === 'PrLiquidation' ||
    score_variable === 'PrCloseout' ||
    score_variable === 'PrForcedSale';
  return typeof R === 'number' && dependsOnCures;
}

/** Most passes of a search over the paths, including the loan at the N found. */
export function mostPasses(terms: SearchTerms): number {
  const { opt_param } = terms;
  if (judgedOneByOne(terms)) {
    const { variable_min, variable_max } = opt_param;
    const { intervals, resolution } = LOAN_BY_LOAN;
    const width = (variable_max - variable_min) / intervals;
    const halvings = Math.max(0, Math.ceil(Math.log2(width / resolution)));
    // Each halving judges both ends of its interval and the middle.
    return intervals + 1 + 3 * (halvings + 1) + 1;
  }
  const scans = opt_param.score_variable === 'PrForcedSale' ? 2 : 1;
  return scans * SCAN_PASSES + 1;
}
