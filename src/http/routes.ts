/** The routes of the questions. */
import type { Question } from '../question/question.ts';
import { QUESTIONS } from '../question/questions.ts';
import type { NamedScenario } from '../scenario/scenario.ts';
import { isLongQuestion, longBodyRoute } from './long-body-route.ts';
import { type Route, route } from './route.ts';

/**
 * The five operations of the interface, books, stress and back-tests.
 *
 * @param allowPlan whether an answer may have its simulation plan, which contains market data
 * @param scenarios of the server, in addition to those of the program
 */
export function operationRoutes({
  allowPlan,
  scenarios = [],
}: {
  readonly allowPlan: boolean;
  readonly scenarios?: readonly NamedScenario[];
}): readonly Route[] {
  return QUESTIONS.map((question): Route => {
    const { include } = question.query;
    const query = {
      ...question.query,
      include: allowPlan ? include : include.filter(member => member !== 'plan'),
    };
    return isLongQuestion(question.name)
      ? longBodyRoute(question.name, query, scenarios)
      : route(question as Question<never>, query);
  });
}

/** The operations with all values of their queries. */
export const ROUTES = operationRoutes({ allowPlan: true });
