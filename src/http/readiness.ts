/**
 * Readiness: whether a load balancer should send requests to this server.
 *
 * Must not know: who asks, when the service stops.
 */
import { answerWithin, type Clock } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { EngineSet } from '../engine/engine-set.ts';
import type { Logger } from '../log.ts';
import type { DataAges } from '../market/data-ages.ts';
import type { Middleware } from './context.ts';

const SECONDS_PER_DAY = 86_400;
/** Deadline of a check. */
const CHECK_MS = 2000;

export interface ReadinessDependencies {
  readonly engines: Pick<EngineSet, 'gpuState'>;
  /** Whether the configuration requires a GPU. */
  readonly gpuRequired: boolean;
  readonly dataAges: DataAges;
  /** Largest age of the latest close in days; undefined without a limit. */
  readonly maxDataAgeDays: number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

export type Readiness = ReturnType<typeof createReadiness>;

export function createReadiness(dependencies: ReadinessDependencies) {
  const { engines, gpuRequired, maxDataAgeDays } = dependencies;
  const dataAge = createDataAgeCheck(dependencies);
  let draining = false;
  return {
    /** Reports not ready from now on. */
    beginDraining(): void {
      draining = true;
    },
    get draining(): boolean {
      return draining;
    },
    /** Why the server is not ready; empty where it is. Settles within the deadline of a check, and never rejects. */
    async obstacles(): Promise<readonly string[]> {
      const found: string[] = [];
      if (draining) found.push('draining');
      if (gpuRequired && engines.gpuState !== 'ready') found.push(`gpu ${engines.gpuState}`);
      if (maxDataAgeDays !== undefined) found.push(...(await dataAge(maxDataAgeDays)));
      return found;
    },
  };
}

/** @returns a check of the age of the data, which logs when that becomes unknown and when it is known again */
function createDataAgeCheck({ dataAges, clock, log }: ReadinessDependencies) {
  let known = true;
  return async (maxDays: number): Promise<readonly string[]> => {
    try {
      const seconds = await answerWithin(clock, CHECK_MS, dataAges.latest());
      if (!known) log.info('the age of the market data is known again');
      known = true;
      return seconds > maxDays * SECONDS_PER_DAY ? ['market data too old'] : [];
    } catch (error) {
      if (known)
        log.warn(
          { reason: messageOf(error) },
          'the age of the market data is unknown; this server is not ready',
        );
      known = false;
      return ['market data age unknown'];
    }
  };
}

/** Answers 200 where the server is ready, else 503 with the reasons. */
export function readinessMiddleware(readiness: Readiness): Middleware {
  return async ctx => {
    const obstacles = await readiness.obstacles();
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
