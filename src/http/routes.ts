/** The routes of the questions. */
import type { Question } from '../question/question.ts';
import { QUESTIONS } from '../question/questions.ts';
import { bookRoute } from './book-route.ts';
import { type Route, route } from './route.ts';

/**
 * The five operations of the interface, books and back-tests.
 *
 * @param allowPlan whether an answer may hold its simulation plan, which holds market data
 */
export function operationRoutes({ allowPlan }: { readonly allowPlan: boolean }): readonly Route[] {
  return QUESTIONS.map((question): Route => {
    const { include } = question.query;
    const query = {
      ...question.query,
      include: allowPlan ? include : include.filter(member => member !== 'plan'),
    };
    return question.name === 'book' ? bookRoute(query) : route(question as Question<never>, query);
  });
}

/** The operations with everything that their queries can ask for. */
export const ROUTES = operationRoutes({ allowPlan: true });
