/**
 * The answer of the health check: what the service has to work with at this moment. It computes nothing.
 */
import type { EngineSet } from '../engine/engine-set.ts';
import type { Middleware } from './context.ts';

export interface HealthDependencies {
  readonly market: { readonly sample: boolean };
  readonly engines: Pick<EngineSet, 'gpuState'>;
  /** Whether the service was told to have a GPU; without it, it is degraded then. */
  readonly gpuRequired: boolean;
}

/** Answers 200, or 503 where the GPU that the service was told to have is given up. */
export function healthMiddleware({ market, engines, gpuRequired }: HealthDependencies): Middleware {
  return async ctx => {
    const gpu = engines.gpuState;
    const degraded = gpuRequired && gpu === 'given-up';
    ctx.status = degraded ? 503 : 200;
    ctx.body = { status: degraded ? 'degraded' : 'ok', gpu, market: market.sample ? 'sample' : 'store' };
  };
}
