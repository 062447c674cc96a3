/** Opens the store and the queues of a fleet, by the address of its store. */
import type { Clock } from '../core/clock.ts';
import type { Logger } from '../log.ts';
import type { FleetAddress } from './address.ts';
import { openPostgresStore } from './postgres-store.ts';
import { connectQueues, type Queues } from './queues.ts';
import { openRedisStore } from './redis-store.ts';
import type { FleetStore } from './store.ts';

export interface FleetConnection {
  readonly store: FleetStore;
  readonly queues: Queues;
}

/** @param name distinguishes this fleet from others in the same store */
export async function connectFleet(
  address: FleetAddress,
  name: string,
  clock: Clock,
  log: Logger,
): Promise<FleetConnection> {
  const store =
    address.kind === 'redis'
      ? openRedisStore(address.url, name, log)
      : await openPostgresStore(address.url, name, clock, log);
  return { store, queues: connectQueues(address, name, clock, log) };
}
