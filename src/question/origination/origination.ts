/**
 * /loan_origination: the nominal ratio N, and with it M and R, that bring one score to a target.
 *
 * C_t / L_t does not depend on N: every candidate is judged on the same paths, thousands in one pass.
 */
import { RiskError, refuseIfFaulty } from '../../core/errors.ts';
import { type AccuracyFigures, without } from '../../core/figures/accuracy.ts';
import { isLossScore, isShareScore } from '../../core/figures/origination.ts';
import { graceSteps } from '../../core/plan/grid.ts';
import type { LoanProduct, SimulationPlan } from '../../core/plan/simulation-plan.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import type { ScenarioSet } from '../../models/methodology/methodology.ts';
import { type Asked, answering, type QuestionRow, type Ran, runOn } from '../answer.ts';
import {
  accuracyOfLoan,
  distributionOfLoan,
  type LoanRatios,
  loanProduct,
  loanResult,
  loanWarnings,
} from '../loan/loan.ts';
import { loanNeed } from '../loan/need.ts';
import { BODY_BYTES, FULL_QUERY, type Question } from '../question.ts';
import { loanRequests } from '../workload.ts';
import { judgedOneByOne, LOAN_BY_LOAN, lowestCandidate, mostPasses, ratiosAt } from './ratios.ts';
import { type LoanOriginationRequest, ORIGINATION_READING, type SearchTerms } from './request.ts';
import { bookOfSearch, originationScorer } from './score.ts';
import { nominalRatioAccuracy, type OriginationResult, rootsOf, searchNominalRatio } from './search.ts';

/** Share of closed out loans above which the answer has a warning. */
const MOSTLY = 0.5;

/** The result of the search beside the loan at its N. */
interface Found {
  readonly ratios: LoanRatios;
  readonly found: FoundRatio;
  /** Whether the score of the answer is further from the target than the tolerance. */
  readonly missed: boolean;
}
type RanSearch = Ran<LoanOriginationRequest, LoanProduct> & Found;

const ORIGINATION: QuestionRow<LoanOriginationRequest, LoanProduct, undefined, RanSearch> = {
  resultMember: 'Output',
  need(request) {
    refuseIfEmpty(lowestCandidate(request.terms), request.terms);
    const { sale_delay } = request.terms;
    const need = loanNeed(request);
    if (sale_delay === undefined) return need;
    // Sales go on after the term.
    return { ...need, termSteps: grid => need.termSteps(grid) + graceSteps(sale_delay, grid) };
  },
  product: ({ request, set }) => productAt(lowestCandidate(request.terms), request, set),
  run: searched,
  result(ran) {
    const { N, M } = ran.ratios;
    const { score_variable } = ran.request.terms.opt_param;
    return {
      ...loanResult(ran),
      N,
      M,
      ...(isLossScore(score_variable) && { AdvanceRate: 1 / N, [score_variable]: ran.found.score }),
      ...otherRoots(ran),
    };
  },
  accuracy: async ran => ({ ...(await accuracyOfLoan(ran)), ...ratioAccuracy(ran) }),
  distribution: distributionOfLoan,
  warnings: ran => [...originationWarnings(ran), ...loanWarnings(ran)],
  addedArguments(ran) {
    const { N, M, R } = ran.ratios;
    return { N, M, R };
  },
};

/** Every N that meets the target by its score, where there are several; the answer is the largest, which lends least. */
function otherRoots({ found, request }: RanSearch) {
  const { score_target: target, error_tolerance: tolerance } = request.terms.opt_param;
  const lower = rootsOf(found, { target, tolerance }).slice(0, -1);
  if (lower.length === 0) return {};
  return {
    Candidates: Object.fromEntries(
      [...lower, found].map(({ nominalRatio, score }) => [String(nominalRatio), score]),
    ),
  };
}

const productAt = (nominalRatio: number, request: LoanOriginationRequest, set: ScenarioSet) =>
  loanProduct(request, ratiosAt(nominalRatio, request.terms), set);

/** Searches N and runs the loan at the N found, on one engine. */
async function searched(
  probe: SimulationPlan<LoanProduct>,
  asked: Asked<LoanOriginationRequest>,
): Promise<RanSearch> {
  const { context, request, set } = asked;
  const { terms } = request;
  const { score_target, error_tolerance, variable_max } = terms.opt_param;
  const low = lowestCandidate(terms);
  const isLoss = isLossScore(terms.opt_param.score_variable);
  const { value, engine } = await context.engines.use(
    // An engine that follows books follows loans.
    isLoss ? { ...probe, product: bookOfSearch(probe.product, terms, set.stepHours) } : probe,
    context.compute,
    async engine => {
      const score = originationScorer(
        terms,
        probe,
        plan => engine.run(plan, { signal: context.signal }),
        nominalRatio => productAt(nominalRatio, request, set),
        set.stepHours,
      );
      const search = {
        target: score_target,
        tolerance: error_tolerance,
        low,
        high: variable_max,
        ...(judgedOneByOne(terms) ? LOAN_BY_LOAN : {}),
      };
      const found = reached(await searchNominalRatio(search, score), terms, low);
      const plan = { ...probe, product: productAt(found.nominalRatio, request, set) };
      return { found, plan, ...(await runOn(engine, plan, context, { traced: true })) };
    },
    { runs: mostPasses(terms), log: context.log },
  );
  const { found } = value;
  const missed = Math.abs(found.score - score_target) > error_tolerance;
  return { ...asked, ...value, engine, ratios: ratiosAt(found.nominalRatio, terms), missed };
}

/** Intervals of N by candidate scores, and of M, which follows from N; none for historical windows. */
function ratioAccuracy({ request: { terms }, found, set, context }: RanSearch): AccuracyFigures {
  const { score_variable, score_target } = terms.opt_param;
  if (!isShareScore(score_variable) || set.scenarios.kind === 'historical')
    return { N: without('inverted'), M: without('inverted') };
  const candidates = { ...found, paths: set.paths };
  const N = nominalRatioAccuracy(candidates, found, score_target, context.query.confidence);
  const marginCallAt = (nominalRatio: number | null) =>
    nominalRatio === null ? null : ratiosAt(nominalRatio, terms).M;
  return { N, M: { ...N, low: marginCallAt(N.low), high: marginCallAt(N.high) } };
}

/** Warnings where most loans are closed out, or the score misses its target. */
function originationWarnings({
  request,
  outcome: { closeouts, paths },
  missed,
}: RanSearch): readonly Warning[] {
  const { score_variable, score_target, error_tolerance } = request.terms.opt_param;
  const closedOut = closeouts / paths;
  return [
    ...warnIf(
      score_variable === 'PrLiquidation' && closedOut > MOSTLY,
      'mostly-closed-out',
      `PrCloseout is ${closedOut} at the N found: most loans are closed out before they can be liquidated, ` +
        'which keeps PrLiquidation low. Use PrForcedSale as score_variable to count both.',
    ),
    ...warnIf(
      missed,
      'stair-spans-target',
      `No candidate has ${score_variable} within ${error_tolerance} of ${score_target}: it jumps over the target between two ` +
        'neighbours, and the answer is the nearer one. Use more paths or a larger error_tolerance.',
    ),
  ];
}

/** Refuses a range without candidates: L itself is none. */
function refuseIfEmpty(low: number, { opt_param }: SearchTerms): void {
  const { variable_max } = opt_param;
  if (low < variable_max) return;
  const message = `variable_max is ${variable_max}; it must be above the lowest candidate, ${low}.`;
  refuseIfFaulty([{ code: 'out_of_range', path: 'params.opt_param.variable_max', message }]);
}

type FoundRatio = Extract<OriginationResult, { readonly found: true }>;

/** The N found, or a refusal with the nearest value of the range. */
function reached(result: OriginationResult, { opt_param }: SearchTerms, low: number): FoundRatio {
  if (result.found) return result;
  const { score_variable, score_target, variable_max } = opt_param;
  const { nearest, scoreAtLow, scoreAtHigh } = result;
  throw new RiskError(
    'target-not-reachable',
    `${score_variable} = ${score_target} cannot be reached: the nearest is N = ${nearest.nominalRatio} with ` +
      `${score_variable} = ${nearest.score}. At the ends of the range, N = ${low} gives ${scoreAtLow} and ` +
      `N = ${variable_max} gives ${scoreAtHigh}.`,
    {
      faults: [
        {
          code: 'not_reachable',
          path: 'params.opt_param.score_target',
          message: `score_target must be within error_tolerance of a score of the range: ${scoreAtLow} at N = ${low}, ${scoreAtHigh} at N = ${variable_max}, nearest ${nearest.score} at N = ${nearest.nominalRatio}; got ${score_target}`,
        },
      ],
    },
  );
}

export const ORIGINATION_QUESTION: Question<LoanOriginationRequest> = {
  name: 'origination',
  path: '/loan_origination',
  ...ORIGINATION_READING,
  query: FULL_QUERY,
  answer: answering(ORIGINATION),
  bodyBytes: BODY_BYTES,
  // A pass over the candidates is weighed as one over a loan.
  ...loanRequests<LoanOriginationRequest>('loan', ({ terms }) => mostPasses(terms), 'origination'),
};
