/**
 * Runs the operations without HTTP on the real market data or the sample market, on the CPU engine. Every request and answer is
 * held against openapi.json.
 */
import { inject } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import type { MarketData } from '#src/market/market-data.js';
import { openMarket } from '#src/market/open-market.js';
import type { OperationAnswer, OperationContext, Question } from '#src/question/question.js';
import { QUESTIONS } from '#src/question/questions.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import type { AnyRequest } from '#src/question/resolved.js';
import { jsonOf } from '#src/server/answers/serialize.js';
import { dayOf } from '#src/text/calendar-date.js';
import { answerFaults, requestFaults } from './openapi.ts';
import { parseRequest } from './request-bodies.ts';

/** After the last day of the real data. */
export const NOW = new Date('2026-07-20T10:00:00Z');

/** Any question. */
export type Asked = Pick<Question<AnyRequest>, 'schema' | 'read' | 'answer'>;

export interface Operations {
  readonly market: MarketData;
  readonly engines: EngineSet;
  /** Parses a body as the route of its question does and answers it. */
  answer(question: Asked, body: unknown, overrides?: Partial<OperationContext>): Promise<OperationAnswer>;
}

const log = createLogger('silent');

let engines: Promise<EngineSet> | undefined;

/** The engines of this process; opened once. */
function sharedEngines(): Promise<EngineSet> {
  engines ??= openEngines({
    compute: 'cpu',
    softwareGpu: false,
    threads: 2,
    limits: { cpu: 1e12, gpu: 1e12 },
    log,
  });
  return engines;
}

const opened = new Map<string, Promise<Operations>>();

/**
 * The operations on a market, which the tests of this process share: opened once, as long as the process runs. The real market
 * data only inside `describeWithSharedData`.
 */
export function openOperations(path = inject('realMarketDb')): Promise<Operations> {
  const operations = opened.get(path) ?? operationsOn(path);
  opened.set(path, operations);
  return operations;
}

async function operationsOn(path: string): Promise<Operations> {
  const live = await openMarket({ path, asked: true, now: () => NOW, log });
  const market = live.current();
  const engines = await sharedEngines();
  return {
    market,
    engines,
    async answer(question, body, overrides = {}) {
      const answer = await question.answer(parseRequest(question, dayOf(NOW), body), {
        market,
        engines,
        compute: 'cpu',
        query: DEFAULT_QUERY,
        seed: 0,
        now: NOW,
        signal: new AbortController().signal,
        caller: '',
        log,
        maintenanceMargins: { rateOf: () => 0.005 },
        ...overrides,
      });
      const described = QUESTIONS.find(route => route.schema === question.schema);
      if (described !== undefined) {
        const { include } = overrides.query ?? DEFAULT_QUERY;
        const text = await jsonOf(answer, { include, version: '1.2.3' });
        const faults = [
          ...requestFaults(described.path, body),
          ...answerFaults(described.path, JSON.parse(Buffer.from(text).toString())),
        ];
        if (faults.length > 0)
          throw new Error(`${described.path}: not as openapi.json describes it:\n${faults.join('\n')}`);
      }
      return answer;
    },
  };
}

/** A market of which one method answers otherwise: `change` makes its answer of the true one. */
export function marketWith<M extends 'volatilityIndex' | 'dailyVolumeUsd'>(
  market: MarketData,
  method: M,
  change: (answer: Awaited<ReturnType<MarketData[M]>>) => Awaited<ReturnType<MarketData[M]>>,
): MarketData {
  return new Proxy(market, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== method) return member.bind(target);
      return async (...sent: unknown[]) =>
        change((await Reflect.apply(member, target, sent)) as Awaited<ReturnType<MarketData[M]>>);
    },
  });
}
