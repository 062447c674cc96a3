import { METHODOLOGIES } from '../../methodology/methodologies.ts';
import { COMMON_QUERY, type Question } from '../question.ts';
import { paramsMember, pathsOf, workload } from '../workload.ts';
import { backtest } from './backtest.ts';
import { type BacktestRequest, backtestRequest } from './request.ts';

export const BACKTEST_QUESTION: Question<BacktestRequest> = {
  name: 'backtest',
  path: '/backtest',
  schema: backtestRequest,
  query: COMMON_QUERY,
  answer: backtest,
  workload({ type, params }) {
    const days = params.to - params.from + 1;
    return workload(
      {
        product: 'value-at-risk',
        model: METHODOLOGIES[type].kind,
        paths: pathsOf(params),
        steps: 1,
        assets: new Set([...Object.keys(params.weights), ...Object.keys(params.short_weights ?? {})]).size,
        quantiles: params.quantile.length,
        days: params.horizon,
      },
      params.model_lookback,
      // Scores are compared to those of GBM, which is forecast beside any other methodology.
      { passes: type === 'GBM' ? days : 2 * days, fits: days },
    );
  },
  planMember: paramsMember('horizon'),
  seriesMember({ params }, asset, sent) {
    const map = (['weights', 'short_weights'] as const).find(name =>
      Object.hasOwn(params[name] ?? {}, asset),
    );
    return map && `params.${map}.${sent(map, asset)}`;
  },
};
