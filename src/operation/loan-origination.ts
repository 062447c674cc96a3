/**
 * /loan_origination: the nominal ratio N, and with it M and R, that bring one score to a target.
 *
 * C_t / L_t does not depend on N: every candidate is judged on the same paths, thousands in one pass.
 */
import type { Engine } from '../engine/engine.ts';
import { RiskError } from '../errors.ts';
import type { OriginationScore, SimulationPlan } from '../plan/simulation-plan.ts';
import type { LoanOriginationRequest } from '../request/loan-origination-request.ts';
import { loanFigures } from './loan-figures.ts';
import { loanPlan } from './loan-risk.ts';
import { type LoanScenarios, loanScenarios } from './loan-scenarios.ts';
import type { Operation } from './operation.ts';
import { type OriginationResult, type ScoreMany, searchNominalRatio } from './origination-search.ts';
import { processedArguments } from './processed-arguments.ts';

type Params = LoanOriginationRequest['params'];

/** The lowest candidate lies above L by this factor. */
const ABOVE_LIQUIDATION = 1 + 1e-6;
/** Passes over the paths: the candidates, at most two refinements, the loan at the N found. */
export const MOST_PASSES = 4;

/** Answers /loan_origination. */
export const loanOrigination: Operation<LoanOriginationRequest> = async (request, context) => {
  const { params } = request;
  const low = Math.max(params.opt_param.variable_min, params.L * ABOVE_LIQUIDATION);
  refuseIfEmpty(low, params);
  const set = await loanScenarios(request, context);
  const probe = loanPlan(set, ratiosAt(low, params), context.seed);
  const { value, engine } = await context.engines.use(
    probe,
    context.compute,
    async engine => {
      const score = scorer(params, set, context.seed, engine, context.signal);
      const { score_target, error_tolerance, variable_max } = params.opt_param;
      const search = { target: score_target, tolerance: error_tolerance, low, high: variable_max };
      const result = await searchNominalRatio(search, score);
      const ratios = ratiosAt(reached(result, params, low), params);
      const plan = loanPlan(set, ratios, context.seed);
      return { ratios, outcome: await engine.run(plan, { signal: context.signal }) };
    },
    { runs: MOST_PASSES, log: context.log },
  );
  const { N, M, R } = value.ratios;
  return {
    resultMember: 'Output',
    arguments: processedArguments(params, { N, M, R, ...set.addedArguments }),
    result: { ...loanFigures(value.outcome, set.steps), ...set.volatilityFigures, N, M },
    engine,
    filled: set.filled,
    basis: set.basis,
  };
};

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

/** The one unknown is N: R = N and M = (L + N) / 2, held inside the range. */
function ratiosAt(nominalRatio: number, params: Params) {
  const { variable_min, variable_max } = params.opt_param;
  const middle = (params.L + nominalRatio) / 2;
  const M = Math.min(Math.max(middle, variable_min), variable_max, nominalRatio);
  return { N: nominalRatio, M, L: params.L, R: nominalRatio };
}

/** Scores many N in one pass over the paths; `WorstCaseCCR` needs one pass for all N ever asked for. */
function scorer(
  params: Params,
  set: LoanScenarios,
  seed: number,
  engine: Engine,
  signal: AbortSignal,
): ScoreMany {
  const scan = async (score: OriginationScore, liquidation: Float64Array, marginCall: Float64Array) => {
    const plan: SimulationPlan & { product: { kind: 'origination' } } = {
      seed,
      paths: set.paths,
      scenarios: set.scenarios,
      product: {
        kind: 'origination',
        portfolio: set.portfolio,
        steps: set.steps,
        topUpSteps: set.topUpSteps,
        score,
        liquidationThreshold: liquidation,
        marginCallThreshold: marginCall,
      },
    };
    return engine.run(plan, { signal });
  };
  const liquidationThresholds = (ns: Float64Array) => ns.map(n => params.L / n);
  const marginCallThresholds = (ns: Float64Array) => ns.map(n => ratiosAt(n, params).M / n);
  const none = new Float64Array(0);
  const shares = async (outcome: ReturnType<typeof scan>) => {
    const { counts, paths } = await outcome;
    return counts.map(count => count / paths);
  };
  switch (params.opt_param.score_variable) {
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
      return ns => shares(scan('liquidation', liquidationThresholds(ns), marginCallThresholds(ns)));
    case 'PrCloseout':
      return ns => shares(scan('closeout', liquidationThresholds(ns), marginCallThresholds(ns)));
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

/** The N found, or a refusal that says how near the range comes. */
function reached(result: OriginationResult, params: Params, low: number): number {
  if (result.found) return result.nominalRatio;
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
          message: `score_target must lie between the scores of the range, ${scoreAtLow} at N = ${low} to ${scoreAtHigh} at N = ${variable_max}; nearest ${nearest.score} at N = ${nearest.nominalRatio}; got ${score_target}`,
        },
      ],
    },
  );
}
