/** The routes of the questions. The bodies of those on books are too large to be parsed on the event loop. */
import { BACKTEST_QUESTION } from '../../question/backtest/question.ts';
import { BOOK_QUESTION } from '../../question/book/question.ts';
import { CAPPED_LOAN_QUESTION } from '../../question/capped-loan/question.ts';
import { LOAN_QUESTION } from '../../question/loan/question.ts';
import { ORIGINATION_QUESTION } from '../../question/origination/question.ts';
import { PERPETUAL_QUESTION } from '../../question/perpetual/question.ts';
import type { Question } from '../../question/question.ts';
import { type LongQuestion, type LongRequests, READ } from '../../question/reading/read-bytes.ts';
import { readLongBody } from '../../question/reading/reader.ts';
import type { QuerySupport } from '../../question/request/query.ts';
import type { NamedScenario } from '../../question/scenario/scenario.ts';
import { STRESS_QUESTION } from '../../question/stress/question.ts';
import { VALUE_AT_RISK_QUESTION } from '../../question/value-at-risk/question.ts';
import type { SentNames } from '../../question/workload.ts';
import { HttpRefusal } from './problem.ts';
import { prepared, type Route, route } from './route.ts';

/** Every question, in the order of lists. */
const QUESTIONS = [
  LOAN_QUESTION,
  ORIGINATION_QUESTION,
  VALUE_AT_RISK_QUESTION,
  CAPPED_LOAN_QUESTION,
  PERPETUAL_QUESTION,
  BOOK_QUESTION,
  STRESS_QUESTION,
  BACKTEST_QUESTION,
] as const;

/** Largest body of a question on books. */
const BODY_BYTES = 64 * 2 ** 20;

/** Faults of a book name assets after aliasing. */
const asUsed = (): SentNames => (_map, asset) => asset;

/** The differences between the questions whose bodies are read outside the event loop. */
interface LongRow<Q extends LongQuestion> {
  readonly question: Question<LongRequests[Q]>;
  readonly forms: Pick<Route, 'lines' | 'takesTapes'>;
}

const ROWS: { readonly [Q in LongQuestion]: LongRow<Q> } = {
  book: { question: BOOK_QUESTION, forms: { lines: true, takesTapes: true } },
  stress: { question: STRESS_QUESTION, forms: {} },
};

/** Whether a question is read this way. */
const isLongQuestion = (name: string): name is LongQuestion => Object.hasOwn(ROWS, name);

/** @param scenarios of the server, in addition to those of the program */
export function longBodyRoute<Q extends LongQuestion>(
  name: Q,
  querySupport: QuerySupport,
  scenarios: readonly NamedScenario[],
): Route {
  const { question, forms }: LongRow<Q> = ROWS[name];
  return {
    path: question.path,
    querySupport,
    bodyBytes: BODY_BYTES,
    ...forms,
    schema: question.schema,
    read: (body, today, resolve, sampling) =>
      prepared(READ[name](body, { today, scenarios }, resolve), question, asUsed, sampling),
    async readBytes(bytes, today, symbols, asker, pricesOf, sampling) {
      const terms = { question: name, today, aliases: symbols.aliases(), scenarios };
      const checked = await readLongBody(bytes, terms, asker, pricesOf);
      if ('unreadable' in checked) throw new HttpRefusal(400, checked.unreadable);
      return prepared(checked, question, asUsed, sampling);
    },
  };
}

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
