/** The question /isolated_perp_risk. */
import { FUNDING_PATH } from '../../market/missing-data.ts';
import { METHODOLOGIES } from '../../methodology/methodologies.ts';
import { answering } from '../answer.ts';
import { FULL_QUERY, type Question } from '../question.ts';
import { pathsMember, pathsOf, workload } from '../workload.ts';
import { PERPETUAL } from './perpetual.ts';
import { type PerpetualRequest, perpetualRequest } from './request.ts';

export const PERPETUAL_QUESTION: Question<PerpetualRequest> = {
  name: 'perpetual',
  path: '/isolated_perp_risk',
  schema: perpetualRequest,
  query: FULL_QUERY,
  answer: answering(PERPETUAL),
  workload: request =>
    workload(
      {
        product: 'perpetual',
        model: METHODOLOGIES[request.model].kind,
        paths: pathsOf(request),
        steps: request.trade_duration_hours,
        assets: 1,
      },
      request.model_lookback,
    ),
  planMember: ({ model }, field) => (field === 'steps' ? 'trade_duration_hours' : pathsMember(model)),
  seriesMember({ market }, series) {
    if (series.startsWith(FUNDING_PATH)) return 'funding_rate';
    return series === market ? 'market' : undefined;
  },
};
