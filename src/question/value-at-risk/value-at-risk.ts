/**
 * /var: value at risk of collateral, loan and net exposure (methodology part 5).
 */
import type { z } from 'zod';
import { type Fault, refuseIfFaulty } from '../../core/errors.ts';
import type { AccuracyFigures } from '../../core/figures/accuracy.ts';
import { tailDistribution } from '../../core/figures/distribution.ts';
import { keyedTails, tailAccuracy, tailWindowFigures } from '../../core/figures/value-at-risk.ts';
import { DAYS_PER_YEAR, roundedSteps, stepsOfDays } from '../../core/plan/grid.ts';
import { SCRAMBLES, sobolPaths } from '../../core/plan/model/gbm-sobol.ts';
import type { GbmScenarios, ValueAtRiskProduct } from '../../core/plan/simulation-plan.ts';
import { refuseSobolOnGpu } from '../../engine/plan-refusals.ts';
import { sobolScenarios } from '../../models/calibration/correlation-factor.ts';
import { unresolvedHorizons } from '../../models/methodology/horizons.ts';
import { METHODOLOGIES } from '../../models/methodology/methodologies.ts';
import type { Need, ScenarioSet } from '../../models/methodology/methodology.ts';
import {
  fewRowsWarnings,
  gbmTailWarnings,
  sharesBelow,
  tailWarnings,
} from '../../models/methodology/warnings.ts';
import type { Day } from '../../text/calendar-date.ts';
import { accuracyOverWindows } from '../accuracy/windows.ts';
import {
  type Asked,
  accuracyOfWindow,
  answering,
  type QuestionRow,
  type Ran,
  runOnce,
  wantsAccuracy,
} from '../answer.ts';
import { windowOf } from '../loan/need.ts';
import { BODY_BYTES, FULL_QUERY, type OperationContext, type Question } from '../question.ts';
import {
  analysisDate,
  horizonsDays,
  MAX_MC_ITER,
  meaning,
  modelLookback,
  quantiles,
  rising,
  valueUsd,
} from '../request/fields.ts';
import { perDay } from '../request/parse.ts';
import { priceShock, shockedBasketsAreUsed } from '../request/price-shock.ts';
import { proxies } from '../request/proxies.ts';
import { fewDistinctSymbols } from '../request/rules.ts';
import { basketMembers } from '../request/weight-map.ts';
import { asSent, type Resolved, type ResolvedBaskets, reading, resolvedBaskets } from '../resolved.ts';
import { samplingFaults } from '../sampling.ts';
import { rowsOfHorizons } from '../table.ts';
import { typedRequest } from '../typed-request.ts';
import { paramsMember, pathsOf, weightMember, workload } from '../workload.ts';

export const valueAtRiskRequest = perDay((today: Day, resolve) =>
  typedRequest('value-at-risk', {
    terms: {
      ...basketMembers(resolve),
      analysis_date: analysisDate(today),
      model_lookback: modelLookback(),
      var_duration: horizonsDays,
      quantile: quantiles,
      loan_value: meaning(valueUsd, 'Value of the loan today.', 'USD'),
      collateral_value: meaning(valueUsd, 'Value of the collateral today.', 'USD'),
      price_shock: priceShock(resolve),
      proxy: proxies(resolve),
    },
    rules: [fewDistinctSymbols, shockedBasketsAreUsed],
  }),
);

type SentValueAtRisk = z.infer<ReturnType<typeof valueAtRiskRequest>>;

export interface ValueAtRiskRequest extends Resolved<SentValueAtRisk['params']>, ResolvedBaskets {}

export const resolveValueAtRisk = (sent: SentValueAtRisk): ValueAtRiskRequest => ({
  ...asSent(sent),
  ...resolvedBaskets(sent.params),
});

/** The row of one day, which a back-test asks for every day. */
export const VALUE_AT_RISK: QuestionRow<ValueAtRiskRequest, ValueAtRiskProduct> = {
  resultMember: 'Output',
  need: tailNeed,
  prepare: preparedTails,
  product: tailProduct,
  run: (plan, asked, options) => runOnce(plan, asked, { ...options, traced: true }),
  result: ({ outcome, plan: { product }, request: { terms }, set }) => ({
    ...keyedTails(outcome, rising(terms.var_duration), product.quantiles),
    ...set.volatilityFigures,
  }),
  accuracy,
  distribution: ({ outcome, plan, request: { terms } }) =>
    plan.distribution && tailDistribution(outcome, rising(terms.var_duration), plan.product),
  warnings: ({ set, request: { terms } }) => [
    ...tailWarnings(set.paths, terms.quantile),
    ...gbmTailWarnings(set.scenarios.kind, terms.quantile),
    ...fewRowsWarnings(set.rows, Math.min(...terms.var_duration), sharesBelow(terms.quantile)),
  ],
  addedArguments: ({ request: { terms }, set: { scenarios, gridHours } }) => {
    const longestDays = Math.max(...terms.var_duration);
    if (scenarios.kind !== 'historical') return { lookback_factor: 1 };
    return {
      lookback_factor: 1 + longestDays / terms.model_lookback,
      dt: gridHours / 24,
      var_duration_max: longestDays,
    };
  },
};

function tailNeed({ terms, portfolio }: ValueAtRiskRequest, { query, compute }: OperationContext): Need {
  if (query.sampling === 'sobol') refuseSobolOnGpu(compute);
  return {
    ...windowOf(terms),
    portfolio,
    termSteps: gridHours => stepsOfDays(Math.max(...terms.var_duration), gridHours),
    horizons: terms.var_duration.map((days, i) => ({ path: `params.var_duration.${i}`, days })),
  };
}

/**
 * The scenarios of the run: at Sobol points where the query names them.
 * @throws RiskError `invalid-request` where horizons are whole numbers of rows and one is not resolved by them
 */
function preparedTails({ need, set, context }: Asked<ValueAtRiskRequest>): ScenarioSet {
  if (set.horizonHours !== undefined) refuseIfFaulty(unresolvedHorizons(need.horizons, set.horizonHours));
  if (context.query.sampling !== 'sobol') return set;
  return {
    ...set,
    scenarios: sobolScenarios(set.scenarios as GbmScenarios),
    paths: sobolPaths(set.paths),
  };
}

function tailProduct({
  request: { terms, start },
  set: { horizonHours },
  context,
}: Asked<ValueAtRiskRequest>): ValueAtRiskProduct {
  const days = rising(terms.var_duration);
  return {
    kind: 'value-at-risk',
    portfolio: start.portfolio,
    collateralValue: terms.collateral_value,
    loanValue: terms.loan_value,
    horizonYears: days.map(each => each / DAYS_PER_YEAR),
    horizonSteps: Uint32Array.from(
      horizonHours === undefined ? [] : days.map(each => roundedSteps(each, horizonHours)),
    ),
    quantiles: rising(terms.quantile),
    ...(wantsAccuracy(context) ? { intervalLevel: context.query.confidence } : {}),
  };
}

async function accuracy({
  request: { terms },
  plan,
  outcome,
  records,
  set,
  context,
}: Ran<ValueAtRiskRequest, ValueAtRiskProduct>): Promise<AccuracyFigures> {
  const { confidence } = context.query;
  const days = rising(terms.var_duration);
  if (records === undefined)
    return { ...tailAccuracy(plan, outcome, days, confidence), ...accuracyOfWindow(set) };
  const { product, paths } = plan;
  const perHorizon: Record<string, AccuracyFigures> = {};
  for (const [k, steps] of product.horizonSteps.entries()) {
    const figures = tailWindowFigures(product, outcome, records, k);
    perHorizon[days[k]] = await accuracyOverWindows(figures, paths, steps, confidence, context);
  }
  return { ...perHorizon, ...accuracyOfWindow(set) };
}

export const VALUE_AT_RISK_QUESTION: Question<ValueAtRiskRequest> = {
  name: 'value-at-risk',
  path: '/var',
  table: rowsOfHorizons,
  ...reading(valueAtRiskRequest, resolveValueAtRisk),
  query: { ...FULL_QUERY, sampling: ['sobol'] },
  answer: answering(VALUE_AT_RISK),
  bodyBytes: BODY_BYTES,
  workload({ methodology, terms, portfolio }, sampling) {
    const { kind, sobolKind = kind } = METHODOLOGIES[methodology];
    const paths = pathsOf(terms);
    return workload(
      {
        product: 'value-at-risk',
        ...(sampling === 'sobol' ? { model: sobolKind, paths: sobolPaths(paths) } : { model: kind, paths }),
        steps: terms.var_duration.length,
        assets: portfolio.symbols.length,
        quantiles: terms.quantile.length,
        days: Math.max(...terms.var_duration),
      },
      terms.model_lookback,
    );
  },
  samplingFaults: (request, sampling) => (sampling === 'sobol' ? sobolFaults(request) : []),
  planMember: paramsMember('var_duration'),
  seriesMember: ({ terms }, asset, sent) => weightMember(terms, asset, sent),
};

function sobolFaults({ methodology, terms }: ValueAtRiskRequest): readonly Fault[] {
  const faults = samplingFaults('value-at-risk', methodology, 'sobol');
  if (faults.length > 0) return faults;
  const most = sobolPaths(Math.floor(MAX_MC_ITER / 2) + 1);
  const paths = pathsOf(terms);
  if (paths <= most) return [];
  return [
    {
      code: 'out_of_range',
      path: 'params.mc_iter',
      message: `mc_iter must be at most ${most} with sampling=sobol, which takes ${SCRAMBLES} times a power of two; got ${paths}`,
    },
  ];
}
