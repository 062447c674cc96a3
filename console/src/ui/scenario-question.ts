/** What the panels of scenarios ask of /stress. */
import { USUAL } from '#core/figures/usual.ts';
import { type AnswerOf, post } from '../api/request.ts';
import { draws } from '../state/methodologies.ts';

export type StressAnswer = AnswerOf<'/stress'>;

export interface ScenarioQuestion {
  readonly type: string;
  /** Members beside loans, scenarios and paths. */
  readonly params: Readonly<Record<string, unknown>>;
  readonly loans: readonly Readonly<Record<string, unknown>>[];
  readonly seed: string;
  /** Of each scenario. */
  readonly paths?: number | string;
}

/** @throws Error of `post` */
export async function askScenarios(
  { type, params, loans, seed, paths }: ScenarioQuestion,
  scenarios: readonly unknown[],
  include: string,
): Promise<StressAnswer> {
  const body = {
    type,
    params: {
      quantile: [...USUAL.levels],
      ...params,
      ...(draws(type) ? { mc_iter: paths } : {}),
      scenarios,
      loans,
    },
  };
  return (await post('/stress', body, { seed, include })).body;
}
