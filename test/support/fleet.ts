/** Fleets on the Redis of this machine, at 127.0.0.1:6379. Tests of it are skipped where it is absent. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { processClock } from '#src/core/clock.js';
import { redisAddress } from '#src/fleet/address.js';
import { connectFleet, type FleetConnection } from '#src/fleet/connect.js';
import { createLogger } from '#src/host/log.js';

/** From test/support, and from where the bench is built. */
const WORKER = ['../../dist/cli/main.js', '../../../dist/cli/main.js']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(path => existsSync(path)) as string;

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

/** The Redis, and whether it is here. */
export const REDIS = { url: 'redis://127.0.0.1:6379', present: await listens(6379) };

/** A name for a fleet that no other test has. */
export const newFleetName = () => `t${randomBytes(6).toString('hex')}`;

/** Joins a fleet from this process. */
export function join(url: string, name: string): Promise<FleetConnection> {
  const address = redisAddress(url);
  if (address === undefined) throw new Error(`${url} is no address of a Redis`);
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
  const own = { REDIS_URL: url, FLEET_NAME: name, CPU_THREADS: '1', COMPUTE: 'cpu', LOG_LEVEL: 'warn' };
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

/** Removes what a fleet has left in the Redis. */
export async function dropFleet(name: string): Promise<void> {
  const { Redis } = await import('ioredis');
  const redis = new Redis(REDIS.url);
  const keys = await redis.keys(`${name}:*`);
  if (keys.length > 0) await redis.del(...keys);
  redis.disconnect();
}
