/**
 * Health, liveness and readiness: the engines and the market of the service now, and whether a load balancer should send requests to this
 * server. Nothing is computed.
 *
 * Must not know: who asks, when the service stops.
 */
import type { EngineSet } from '../../engine/engine-set.ts';
import { interfaceName } from '../../host/engine-version.ts';
import { type DataAges, secondsSince } from '../../market/data-ages.ts';
import type { MarketData, MarketHandle } from '../../market/market-data.ts';
import type { Middleware } from '../transport/context.ts';

export interface HealthDependencies {
  readonly market: MarketHandle;
  readonly engines: Pick<EngineSet, 'gpuState' | 'isGpuWarm' | 'gpuLeastWork' | 'simdKernel'>;
  /** Whether the configuration requires a GPU: without one the service is degraded. */
  readonly gpuRequired: boolean;
  /** `Risk engine version`. */
  readonly version: string;
  readonly now: () => Date;
}

/** Answers 200, or 503 where the required GPU is not available. */
export function healthMiddleware(dependencies: HealthDependencies): Middleware {
  const { market, engines, gpuRequired, version, now } = dependencies;
  const name = interfaceName();
  return async ctx => {
    const gpu = engines.gpuState;
    const degraded = gpuRequired && gpu === 'given-up';
    ctx.status = degraded ? 503 : 200;
    ctx.body = {
      status: degraded ? 'degraded' : 'ok',
      version,
      interface: name,
      gpu,
      ...(gpu === 'ready' ? { gpu_kernels: engines.isGpuWarm ? 'ready' : 'compiling' } : {}),
      ...(gpu === 'none' || !Number.isFinite(engines.gpuLeastWork())
        ? {}
        : { gpu_from_asset_steps: engines.gpuLeastWork() }),
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

const SECONDS_PER_DAY = 86_400;

export interface ReadinessDependencies {
  readonly engines: Pick<EngineSet, 'gpuState'>;
  /** Whether the configuration requires a GPU. */
  readonly gpuRequired: boolean;
  /** Whether records of answers can be written; absent where none are kept. */
  readonly auditWritable?: (() => boolean) | undefined;
  readonly dataAges: Pick<DataAges, 'latest'>;
  /** Largest age of the latest close in days; undefined without a limit. */
  readonly maxDataAgeDays: number | undefined;
}

export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness(dependencies: ReadinessDependencies) {
  const { engines, gpuRequired, auditWritable = () => true, dataAges, maxDataAgeDays } = dependencies;
  let draining = false;
  return {
    /** Reports not ready from now on. */
    beginDraining(): void {
      draining = true;
    },
    get draining(): boolean {
      return draining;
    },
    /** Why the server is not ready; empty where it is. */
    obstacles(): readonly string[] {
      const found: string[] = [];
      if (draining) found.push('draining');
      if (gpuRequired && engines.gpuState !== 'ready') found.push(`gpu ${engines.gpuState}`);
      if (maxDataAgeDays !== undefined && dataAges.latest() > maxDataAgeDays * SECONDS_PER_DAY)
        found.push('market data too old');
      if (!auditWritable()) found.push('audit file cannot be written');
      return found;
    },
  };
}

/** Answers 200 where the server is ready, else 503 with the reasons. */
export function readinessMiddleware(readiness: Readiness): Middleware {
  return async ctx => {
    const obstacles = readiness.obstacles();
    ctx.status = obstacles.length === 0 ? 200 : 503;
    ctx.body = { status: obstacles.length === 0 ? 'ready' : 'not ready', reasons: obstacles };
  };
}

/** Answers 200 while the event loop runs. */
export const livenessMiddleware: Middleware = async ctx => {
  ctx.body = { status: 'alive' };
};

/** Closes connections after their answer, so that clients open new ones, which the load balancer sends elsewhere. */
export function closeWhileDraining(readiness: Pick<Readiness, 'draining'>): Middleware {
  return async (ctx, next) => {
    await next();
    if (readiness.draining) ctx.set('Connection', 'close');
  };
}
