/**
 * Runs the operations without HTTP on the real market data or the sample market, on the CPU engine.
 */
import { inject } from 'vitest';
import type { z } from 'zod';
import type { EngineSet } from '#src/engine/engine-set.js';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/log.js';
import type { MarketData } from '#src/market/market-data.js';
import { openMarket } from '#src/market/open-market.js';
import type { Operation, OperationAnswer, OperationContext } from '#src/operation/operation.js';
import { type Day, dayOf } from '#src/request/calendar-date.js';
import { parseRequest } from '#src/request/parse.js';

/** After the last day of the real data. */
export const NOW = new Date('2026-07-20T10:00:00Z');

export interface Operations {
  readonly market: MarketData;
  readonly engines: EngineSet;
  /** Parses a body as its route would and answers it. */
  answer<R>(
    schema: (today: Day) => z.ZodType<R>,
    operation: Operation<R>,
    body: unknown,
    overrides?: Partial<OperationContext>,
  ): Promise<OperationAnswer>;
  close(): Promise<void>;
}

/** Opens the real market data; only inside `describeWithSharedData`. */
export async function openOperations(path = inject('realMarketDb')): Promise<Operations> {
  const log = createLogger('silent');
  const market = await openMarket({ path, asked: true, now: () => NOW, log });
  const engines = await openEngines({
    compute: 'cpu',
    softwareGpu: false,
    threads: 2,
    limits: { cpu: 1e12, gpu: 1e12 },
    log,
  });
  return {
    market,
    engines,
    answer: (schema, operation, body, overrides = {}) =>
      operation(parseRequest(schema(dayOf(NOW)), body), {
        market,
        engines,
        compute: 'cpu',
        seed: 0,
        now: NOW,
        today: dayOf(NOW),
        signal: new AbortController().signal,
        log,
        maintenanceMargins: { rateOf: () => 0.005 },
        ...overrides,
      }),
    close: async () => {
      await engines.close();
      await market.close();
    },
  };
}
