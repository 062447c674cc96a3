import { BOOK_QUESTION } from '../book/question.ts';
import type { Question } from '../question.ts';
import { paramsMember } from '../workload.ts';
import { type StressRequest, stressSchema } from './request.ts';
import { stress } from './stress.ts';

export const STRESS_QUESTION: Question<StressRequest> = {
  name: 'stress',
  path: '/stress',
  schema: stressSchema,
  amounts: 'both',
  query: { include: ['accuracy', 'loans', 'model', 'path', 'warnings'], sampling: [] },
  answer: stress,
  /** The work of a book for each scenario, under either set of terms; a replay counts as one path. */
  workload({ type, params: { compare, scenarios, mc_iter, ...params } }) {
    const runs = (scenarios.length + 1) * (compare === undefined ? 1 : 2);
    const paths = mc_iter === undefined ? {} : { mc_iter: Math.max(1, mc_iter) };
    const one = BOOK_QUESTION.workload({ type, params: { ...params, ...paths } });
    return { ...one, work: runs * one.work };
  },
  planMember: paramsMember('loans'),
  seriesMember: ({ type, params }, asset, sent) => BOOK_QUESTION.seriesMember({ type, params }, asset, sent),
};
