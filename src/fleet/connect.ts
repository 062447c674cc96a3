/** Opens the store and the queues of a fleet in its Redis. */
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../host/log.ts';
import type { RedisAddress } from './address.ts';
import { connectQueues, type Queues } from './queues.ts';
import { openRedisStore } from './redis-store.ts';
import type { FleetStore } from './store.ts';
import { StoreRefused, storeWarnings } from './store-errors.ts';

export interface FleetConnection {
  readonly store: FleetStore;
  readonly queues: Queues;
}

/**
 * Waits while the store does not answer.
 *
 * @param name distinguishes this fleet from others in the same Redis
 * @throws Error with the reason where the store refuses
 */
export async function connectFleet(
  { url }: RedisAddress,
  name: string,
  clock: Clock,
  log: Logger,
): Promise<FleetConnection> {
  const warn = storeWarnings(clock, log);
  const store = await openRedisStore(url, name, warn).catch((error: unknown) => {
    throw error instanceof StoreRefused ? new Error(`REDIS_URL: ${error.words}`) : error;
  });
  return { store, queues: connectQueues(url, name, warn) };
}
