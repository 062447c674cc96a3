/**
 * Routes of the operations on books: their bodies are too large to be parsed on the event loop.
 */
import { BOOK_QUESTION } from '../question/book/question.ts';
import { readBookRisk } from '../question/book/request.ts';
import type { Question } from '../question/question.ts';
import type { LongQuestion, LongRequests } from '../question/reading/read-bytes.ts';
import { readLongBody } from '../question/reading/reader.ts';
import { STRESS_QUESTION } from '../question/stress/question.ts';
import { readStress } from '../question/stress/request.ts';
import type { SentNames } from '../question/workload.ts';
import type { Checked } from '../request/parse.ts';
import type { QuerySupport } from '../request/query.ts';
import type { ResolveSymbol } from '../request/symbols.ts';
import { type NamedScenario, scenarioLibrary } from '../scenario/scenario.ts';
import { HttpRefusal } from './problem.ts';
import { prepared, type Route } from './route.ts';

const BODY_BYTES = 64 * 2 ** 20;

/** Faults of a book name assets after aliasing. */
const asUsed = (): SentNames => (_map, asset) => asset;

/** The differences between the questions that are read this way. */
interface LongRow<Q extends LongQuestion> {
  readonly question: Question<LongRequests[Q]>;
  readonly forms: Pick<Route, 'lines' | 'takesTapes'>;
  /** Reads a body that is parsed already. */
  read(
    body: unknown,
    today: number,
    scenarios: readonly NamedScenario[],
    resolve?: ResolveSymbol,
  ): Checked<LongRequests[Q]>;
}

const ROWS: { readonly [Q in LongQuestion]: LongRow<Q> } = {
  book: {
    question: BOOK_QUESTION,
    forms: { lines: true, takesTapes: true },
    read: (body, today, _scenarios, resolve) => readBookRisk(body, today, resolve),
  },
  stress: {
    question: STRESS_QUESTION,
    forms: {},
    read: (body, today, scenarios, resolve) => readStress(body, today, scenarioLibrary(scenarios), resolve),
  },
};

/** Whether a question is read this way. */
export const isLongQuestion = (name: string): name is LongQuestion => Object.hasOwn(ROWS, name);

/** @param scenarios of the server, in addition to those of the program */
export function longBodyRoute<Q extends LongQuestion>(
  name: Q,
  querySupport: QuerySupport,
  scenarios: readonly NamedScenario[],
): Route {
  const { question, forms, read }: LongRow<Q> = ROWS[name];
  return {
    path: question.path,
    querySupport,
    bodyBytes: BODY_BYTES,
    ...forms,
    schema: question.schema,
    read: (body, today, resolve, sampling) =>
      prepared(read(body, today, scenarios, resolve), question, asUsed, sampling),
    async readBytes(bytes, today, symbols, asker, pricesOf, sampling) {
      const terms = { question: name, today, aliases: symbols.aliases(), scenarios };
      const checked = await readLongBody(bytes, terms, asker, pricesOf);
      if ('unreadable' in checked) throw new HttpRefusal(400, checked.unreadable);
      return prepared(checked, question, asUsed, sampling);
    },
  };
}
