/**
 * The questions of a program that answers them in its own process: a market, engines, and a way to ask.
 *
 * Takes: data, engines and limits. Gives: answers without queues, deadlines and keys. Must not know: HTTP, the environment.
 */
import type { ComputeChoice, EngineSet } from '../engine/engine-set.ts';
import { openEngines } from '../engine/open-engine.ts';
import { watchedEngines } from '../engine/watched-engines.ts';
import type { Logger } from '../host/log.ts';
import { closeInTurn } from '../host/opened.ts';
import type { MarketData, MarketHandle } from '../market/market-data.ts';
import { openMarket } from '../market/open-market.ts';
import type { Venues } from './account/venues/venues.ts';
import { answerQuestion, type CheckedQuestion, checkQuestion, jsonBody } from './asking.ts';
import { MAX_LOANS_OF_COMMAND } from './book/request.ts';
import type { MaintenanceMarginRates, OperationAnswer } from './question.ts';
import { QUESTIONS } from './questions.ts';
import type { OperationPath } from './request/paths.ts';
import type { NamedScenario } from './scenario/scenario.ts';

export interface RiskOptions {
  /** A store or the sample market, or data that the program has at hand. */
  readonly market: Pick<Parameters<typeof openMarket>[0], 'path' | 'asked' | 'rules'> | MarketData;
  readonly engines: Omit<Parameters<typeof openEngines>[0], 'log'>;
  readonly maintenanceMargins: MaintenanceMarginRates;
  /** Scenarios that bodies may name, in addition to those of the program. */
  readonly scenarios: readonly NamedScenario[];
  /** Venues of accounts; those of the program where absent. */
  readonly venues?: Venues;
  readonly log: Logger;
}

export interface AskOptions {
  readonly seed?: number | undefined;
  readonly compute?: ComputeChoice | undefined;
  /** Further members of the answer, with commas between. */
  readonly include?: string | undefined;
  /** Of `include=scenario`. */
  readonly scenario?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the finished share of the work, 0 to 1, where it has grown. */
  readonly onProgress?: ((share: number) => void) | undefined;
  /** Factor of the work limit; 1 by default. */
  readonly limitScale?: number | undefined;
}

export interface Answered {
  readonly checked: CheckedQuestion;
  readonly answer: OperationAnswer;
}

export interface Risk {
  readonly market: MarketHandle;
  readonly engines: EngineSet;
  /**
   * @param body its JSON value, or the bytes of its text
   * @throws RiskError, UnreadableBody, or the signal's reason once it is aborted
   */
  ask(path: OperationPath, body: object | Uint8Array, options?: AskOptions): Promise<Answered>;
  close(): Promise<void>;
}

/** @throws the errors of the market store and the engines */
export async function openRisk(options: RiskOptions): Promise<Risk> {
  const { log, maintenanceMargins, scenarios, venues } = options;
  const live =
    'path' in options.market
      ? await openMarket({ ...options.market, now: () => new Date(), log })
      : { current: options.market.current.bind(options.market), close: async () => {} };
  const engines = await openEngines({ ...options.engines, log }).catch(async (error: unknown) => {
    await live.close();
    throw error;
  });
  return {
    market: live,
    engines,
    async ask(path, body, { seed, compute, include, scenario, signal, onProgress, limitScale = 1 } = {}) {
      const question = QUESTIONS.find(each => each.path === path);
      if (question === undefined) throw new Error(`There is no question ${path}.`);
      const asker = { caller: '', signal: signal ?? new AbortController().signal };
      const checked = await checkQuestion(
        question,
        {
          asker,
          sent: body instanceof Uint8Array ? jsonBody(body) : { body, repeats: [] },
          query: new URLSearchParams({
            ...(include !== undefined && { include }),
            ...(scenario !== undefined && { scenario }),
          }),
          seed: seed === undefined ? undefined : String(seed),
          compute,
        },
        { market: live.current(), moment: new Date(), scenarios, venues, maxLoans: MAX_LOANS_OF_COMMAND },
      );
      let done = 0;
      const report = (share: number) => {
        if (share <= done) return;
        done = share;
        onProgress?.(share);
      };
      const watched = watchedEngines(engines, report, limitScale, path);
      const answer = await answerQuestion(checked, { engines: watched, ...asker, log, maintenanceMargins });
      return { checked, answer };
    },
    async close() {
      const failures = await closeInTurn([live, engines]);
      if (failures.length > 0) throw new AggregateError(failures, 'A part failed to close.');
    },
  };
}
