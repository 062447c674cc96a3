/** The question /var. */
import type { Fault } from '../../core/errors.ts';
import { SCRAMBLES, sobolPaths } from '../../core/plan/model/gbm-sobol.ts';
import { numberAssets } from '../../core/plan/portfolio.ts';
import { METHODOLOGIES } from '../../methodology/methodologies.ts';
import { MAX_MC_ITER } from '../../request/fields.ts';
import { answering } from '../answer.ts';
import { FULL_QUERY, type Question } from '../question.ts';
import { samplingFaults } from '../sampling.ts';
import { paramsMember, pathsOf, weightMember, workload } from '../workload.ts';
import { type ValueAtRiskRequest, valueAtRiskRequest } from './request.ts';
import { VALUE_AT_RISK } from './value-at-risk.ts';

export const VALUE_AT_RISK_QUESTION: Question<ValueAtRiskRequest> = {
  name: 'value-at-risk',
  path: '/var',
  schema: valueAtRiskRequest,
  query: { ...FULL_QUERY, sampling: ['sobol'] },
  answer: answering(VALUE_AT_RISK),
  workload({ type, params }, sampling) {
    const { kind, sobolKind = kind } = METHODOLOGIES[type];
    const paths = pathsOf(params);
    return workload(
      {
        product: 'value-at-risk',
        ...(sampling === 'sobol' ? { model: sobolKind, paths: sobolPaths(paths) } : { model: kind, paths }),
        steps: params.var_duration.length,
        assets: numberAssets(params.collateral_weights, params.loan_weights).symbols.length,
        quantiles: params.quantile.length,
        days: Math.max(...params.var_duration),
      },
      params.model_lookback,
    );
  },
  samplingFaults: (request, sampling) => (sampling === 'sobol' ? sobolFaults(request) : []),
  planMember: paramsMember('var_duration'),
  seriesMember: ({ params }, asset, sent) => weightMember(params, asset, sent),
};

function sobolFaults({ type, params }: ValueAtRiskRequest): readonly Fault[] {
  const faults = samplingFaults('value-at-risk', type, 'sobol');
  if (faults.length > 0) return faults;
  const most = sobolPaths(Math.floor(MAX_MC_ITER / 2) + 1);
  const paths = pathsOf(params);
  if (paths <= most) return [];
  return [
    {
      path: 'params.mc_iter',
      message: `mc_iter must be at most ${most} with sampling=sobol, which takes ${SCRAMBLES} times a power of two; got ${paths}`,
    },
  ];
}
