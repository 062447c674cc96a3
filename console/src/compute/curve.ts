/**
 * The score of an origination against the nominal ratio: the curve on which the N of the answer lies.
 *
 * Takes: the plan of the loan that the answer came with, the terms of the search, and a way to run plans. Gives: scores by
 * candidate with their intervals, scored by the function that the operation itself searches with.
 */

import { shareFigure } from '#core/figures/accuracy.ts';
import { isShareScore } from '#core/figures/origination.ts';
import { type LoanProduct, planSteps, type SimulationPlan } from '#core/plan/simulation-plan.ts';
import { judgedOneByOne, lowestCandidate } from '#src/question/origination/ratios.ts';
import { originationScorer, type RunPlan, type ScoreTerms } from '#src/question/origination/score.ts';
import { LEVEL } from './answer.ts';

/** Points of a curve whose candidates are judged in one pass. */
const POINTS = 401;
/** Points where every candidate is a run of its own. */
const POINTS_ONE_BY_ONE = 33;
/** Paths of a first curve by the reference, and of its last one where their work allows them. */
const QUICK_PATHS = 1000;
const FULL_PATHS = 10_000;
/** Asset-steps of a curve by the reference: about a second. */
const MAX_WORK = 3e7;

export interface ScoreCurve {
  readonly paths: number;
  /** Candidates, rising. */
  readonly nominalRatios: readonly number[];
  /** Shares of the paths; for WorstCaseCCR coverage ratios. */
  readonly scores: readonly number[];
  /** Ends of the interval of each score; null where the score has none. */
  readonly low: readonly (number | null)[];
  readonly high: readonly (number | null)[];
}

/** How many paths of a plan the reference draws a curve from. */
export function curvePaths(plan: SimulationPlan, extent: 'quick' | 'full'): number {
  if (extent === 'quick') return QUICK_PATHS;
  const affordable = Math.floor(MAX_WORK / (planSteps(plan) * plan.scenarios.assets));
  return Math.max(QUICK_PATHS, Math.min(FULL_PATHS, affordable));
}

/** Scores candidates from the lowest that the search takes to `variable_max`. */
export async function curveOf(
  terms: ScoreTerms,
  loan: SimulationPlan<LoanProduct>,
  run: RunPlan,
): Promise<ScoreCurve> {
  const from = lowestCandidate(terms);
  const to = terms.opt_param.variable_max;
  const points = judgedOneByOne(terms) ? POINTS_ONE_BY_ONE : POINTS;
  const nominalRatios = Array.from({ length: points }, (_, k) => from + ((to - from) * k) / (points - 1));
  const scores = await originationScorer(terms, loan, run)(Float64Array.from(nominalRatios));
  const isShare = isShareScore(terms.opt_param.score_variable) && loan.scenarios.kind !== 'historical';
  const intervals = Array.from(scores, score =>
    isShare ? shareFigure(Math.round(score * loan.paths), loan.paths, LEVEL) : undefined,
  );
  return {
    paths: loan.paths,
    nominalRatios,
    scores: Array.from(scores),
    low: intervals.map(interval => interval?.low ?? null),
    high: intervals.map(interval => interval?.high ?? null),
  };
}
