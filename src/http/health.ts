/**
 * The answer of the health check: the engines and the market of the service now. It computes nothing.
 */
import type { EngineSet } from '../engine/engine-set.ts';
import { secondsSince } from '../market/data-ages.ts';
import type { MarketData, MarketHandle } from '../market/market-data.ts';
import type { Middleware } from './context.ts';

export interface HealthDependencies {
  readonly market: MarketHandle;
  readonly engines: Pick<EngineSet, 'gpuState' | 'simdKernel'>;
  /** Whether the configuration requires a GPU: without one the service is degraded. */
  readonly gpuRequired: boolean;
  readonly now: () => Date;
}

/** Answers 200, or 503 where the required GPU is not available. */
export function healthMiddleware({ market, engines, gpuRequired, now }: HealthDependencies): Middleware {
  return async ctx => {
    const gpu = engines.gpuState;
    const degraded = gpuRequired && gpu === 'given-up';
    ctx.status = degraded ? 503 : 200;
    ctx.body = {
      status: degraded ? 'degraded' : 'ok',
      gpu,
      ...(engines.simdKernel === undefined ? {} : { simd: engines.simdKernel }),
      ...marketHealth(market.current(), now()),
    };
  };
}

/** The market and, for a store, its age: the latest close of the most and of the least recent asset. */
function marketHealth(market: MarketData, now: Date): Record<string, unknown> {
  if (market.sample) return { market: 'sample' };
  const closes = market.youngestCloses();
  const ages = closes.map(({ lastHour }) => Math.round(secondsSince(lastHour, now)));
  const age = (seconds: number) => ({ symbol: closes[ages.indexOf(seconds)].symbol, age_seconds: seconds });
  return {
    market: 'store',
    market_data: {
      version: market.version,
      assets: closes.length,
      ...(closes.length === 0 ? {} : { youngest: age(Math.min(...ages)), oldest: age(Math.max(...ages)) }),
    },
  };
}
