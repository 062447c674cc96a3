/**
 * /loan_origination: the nominal ratio N, and with it M and R, that bring one score to a target.
 *
 * C_t / L_t does not depend on N: every candidate is judged on the same paths, thousands in one pass.
 */
import type { LoanOutcome } from '../core/engine.ts';
import { RiskError } from '../core/errors.ts';
import { loanFigures } from '../core/figures/loan.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import { type AccuracyFigures, without } from './accuracy/figures.ts';
import { nominalRatioAccuracy } from './accuracy/origination.ts';
import { loanMembers, loanPlan } from './loan-risk.ts';
import { type LoanScenarios, loanScenarios } from './loan-scenarios.ts';
import type { IncludedMembers, Operation } from './operation.ts';
import { judgedOneByOne, LOAN_BY_LOAN, lowestCandidate, mostPasses, ratiosAt } from './origination-ratios.ts';
import { originationScorer } from './origination-score.ts';
import { type OriginationResult, searchNominalRatio } from './origination-search.ts';
import { processedArguments } from './processed-arguments.ts';
import { modelMembers, runOn } from './run-plan.ts';
import type { Warning } from './warnings.ts';

type Params = LoanOriginationRequest['params'];

/** Share of closed out loans above which a caller is warned. */
const MOSTLY = 0.5;

/** Answers /loan_origination. */
export const loanOrigination: Operation<LoanOriginationRequest> = async (request, context) => {
  const { params } = request;
  const low = lowestCandidate(params);
  refuseIfEmpty(low, params);
  const set = await loanScenarios(request, context);
  const probe = loanPlan(set, ratiosAt(low, params), context);
  const { value, engine } = await context.engines.use(
    probe,
    context.compute,
    async engine => {
      const score = originationScorer(params, probe, plan => engine.run(plan, { signal: context.signal }));
      const { score_target, error_tolerance, variable_max } = params.opt_param;
      const search = {
        target: score_target,
        tolerance: error_tolerance,
        low,
        high: variable_max,
        ...(judgedOneByOne(params.opt_param) ? LOAN_BY_LOAN : {}),
      };
      const result = await searchNominalRatio(search, score);
      const found = reached(result, params, low);
      const ratios = ratiosAt(found.nominalRatio, params);
      const plan = loanPlan(set, ratios, context);
      const missed = Math.abs(found.score - score_target) > error_tolerance;
      return { ratios, found, missed, plan, run: await runOn(engine, plan, context) };
    },
    { runs: mostPasses(params), log: context.log },
  );
  const { N, M, R } = value.ratios;
  const members = await loanMembers(value.plan, value.run, Object.keys(set.volatilityFigures), context);
  return {
    resultMember: 'Output',
    arguments: processedArguments(params, { N, M, R, ...set.addedArguments }),
    result: { ...loanFigures(value.run.outcome, set.steps), ...set.volatilityFigures, N, M },
    engine,
    filled: set.filled,
    basis: set.basis,
    plan: value.plan,
    warnings: originationWarnings(params, value.run.outcome, value.missed),
    fitted: set.fitted,
    included: {
      ...withRatios(members, ratioAccuracy(params, value.found, set, context.query.confidence)),
      ...modelMembers(set, params, context),
    },
  };
};

/** Adds how sure N and M are to the accuracy of the loan, where that is asked for. */
function withRatios(members: IncludedMembers, ratios: AccuracyFigures): IncludedMembers {
  if (members.Accuracy === undefined) return members;
  const { figures } = members.Accuracy as { figures: AccuracyFigures };
  return { ...members, Accuracy: { ...members.Accuracy, figures: { ...figures, ...ratios } } };
}

/** N by the intervals of the candidates' scores, and M as it follows from N; windows of history tell neither. */
function ratioAccuracy(
  params: Params,
  found: FoundRatio,
  set: LoanScenarios,
  level: number,
): AccuracyFigures {
  const { score_variable, score_target } = params.opt_param;
  if (score_variable === 'WorstCaseCCR' || set.scenarios.kind === 'historical')
    return { N: without('inverted'), M: without('inverted') };
  const N = nominalRatioAccuracy({ ...found, paths: set.paths }, found, score_target, level);
  const marginCallAt = (nominalRatio: number | null) =>
    nominalRatio === null ? null : ratiosAt(nominalRatio, params).M;
  return { N, M: { ...N, low: marginCallAt(N.low), high: marginCallAt(N.high) } };
}

/** Where the target is met, and the loan is not what the caller may think. */
function originationWarnings(
  { opt_param: { score_variable, score_target, error_tolerance } }: Params,
  { closeouts, paths }: LoanOutcome,
  missed: boolean,
): Warning[] {
  const warnings: Warning[] = [];
  const closedOut = closeouts / paths;
  if (score_variable === 'PrLiquidation' && closedOut > MOSTLY)
    warnings.push({
      code: 'mostly-closed-out',
      message:
        `PrCloseout is ${closedOut} at the N found: most loans are closed out before they can be liquidated, and that ` +
        'is what keeps PrLiquidation low. PrForcedSale as score_variable counts both.',
    });
  if (missed)
    warnings.push({
      code: 'stair-spans-target',
      message:
        `No candidate has ${score_variable} within ${error_tolerance} of ${score_target}: between two neighbours it jumps over ` +
        'the target, and the nearer side is answered. More paths or a larger error_tolerance help.',
    });
  return warnings;
}

/** L itself is no candidate: a range that ends just above it holds none. */
function refuseIfEmpty(low: number, params: Params): void {
  const { variable_max } = params.opt_param;
  if (low < variable_max) return;
  throw new RiskError('invalid-request', 'The request is not valid.', {
    faults: [
      {
        path: 'params.opt_param.variable_max',
        message: `variable_max is ${variable_max}; it must be above the lowest candidate, ${low}.`,
      },
    ],
  });
}

/** An origination that reached its target. */
type FoundRatio = Extract<OriginationResult, { readonly found: true }>;

/** What was found, or a refusal that says how near the range comes. */
function reached(result: OriginationResult, params: Params, low: number): FoundRatio {
  if (result.found) return result;
  const { score_variable, score_target, variable_max } = params.opt_param;
  const { nearest, scoreAtLow, scoreAtHigh } = result;
  throw new RiskError(
    'target-not-reachable',
    `${score_variable} = ${score_target} cannot be reached: the nearest is N = ${nearest.nominalRatio} with ` +
      `${score_variable} = ${nearest.score}. At the ends of the range, N = ${low} gives ${scoreAtLow} and ` +
      `N = ${variable_max} gives ${scoreAtHigh}.`,
    {
      faults: [
        {
          path: 'params.opt_param.score_target',
          message: `score_target must be within error_tolerance of a score of the range: ${scoreAtLow} at N = ${low}, ${scoreAtHigh} at N = ${variable_max}, nearest ${nearest.score} at N = ${nearest.nominalRatio}; got ${score_target}`,
        },
      ],
    },
  );
}
