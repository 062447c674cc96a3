/**
 * Fleets on the services of this machine: Redis at 127.0.0.1:6379, PostgreSQL at 127.0.0.1:5432 (database `test`). Tests of
 * a service that is absent are skipped by `serviceTests`.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processClock } from '#src/core/clock.js';
import { fleetAddress } from '#src/fleet/address.js';
import { connectFleet, type FleetConnection } from '#src/fleet/connect.js';
import { createLogger } from '#src/host/log.js';

/** From test/support, and from where the bench is built. */
const WORKER = ['../../dist/cli/main.js', '../../../dist/cli/main.js']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(path => existsSync(path)) as string;

export interface Service {
  readonly name: 'Redis' | 'PostgreSQL';
  readonly url: string;
  readonly present: boolean;
}

/** Whether something listens there. */
function listens(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => socket.destroy());
    socket.once('connect', () => socket.end());
  });
}

/** The services, and whether they are here. */
export const SERVICES: readonly Service[] = [
  { name: 'Redis', url: 'redis://127.0.0.1:6379', present: await listens(6379) },
  { name: 'PostgreSQL', url: 'postgres://postgres@127.0.0.1:5432/test', present: await listens(5432) },
];

/** A name for a fleet that no other test has. */
export const newFleetName = () => `t${randomBytes(6).toString('hex')}`;

/** Joins a fleet from this process. */
export function join(url: string, name: string): Promise<FleetConnection> {
  const address = fleetAddress(url);
  if (address === undefined) throw new Error(`${url} is no address of a fleet`);
  return connectFleet(address, name, processClock, createLogger('silent'));
}

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** Ends it at once, as a fault would. */
  kill(): Promise<void>;
}

/** Starts a worker of one thread without a GPU, unless told otherwise; resolves when it takes work. */
export async function startWorkerProcess(
  url: string,
  name: string,
  configuration: NodeJS.ProcessEnv = {},
): Promise<WorkerProcess> {
  const own = { FLEET_URL: url, FLEET_NAME: name, CPU_THREADS: '1', COMPUTE: 'cpu', LOG_LEVEL: 'warn' };
  const child = spawn(process.execPath, [WORKER, 'worker'], {
    env: { ...process.env, ...own, ...configuration },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let told = '';
  child.stderr?.on('data', chunk => {
    told += chunk;
  });
  const [first] = (await Promise.race([
    once(createInterface({ input: child.stdout as NodeJS.ReadableStream }), 'line'),
    once(child, 'exit').then(([code]) => [`ended with ${code}: ${told}`]),
  ])) as [string];
  if (!first.startsWith('worker ')) throw new Error(`no worker: ${first}`);
  return {
    child,
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Takes out what a fleet has left in a service. */
export async function dropFleet({ name: service, url }: Service, name: string): Promise<void> {
  if (service === 'Redis') {
    const { Redis } = await import('ioredis');
    const redis = new Redis(url);
    for (const pattern of [`${name}:*`]) {
      const keys = await redis.keys(pattern);
      if (keys.length > 0) await redis.del(...keys);
    }
    redis.disconnect();
    return;
  }
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(`DROP SCHEMA IF EXISTS "${name}" CASCADE`);
  await client.query(`DROP SCHEMA IF EXISTS "${name}_queue" CASCADE`);
  await client.end();
}
