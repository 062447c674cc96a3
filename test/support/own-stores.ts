/** Stores of our own, which can be ended and started again: `redis-server` and `postgres`, which must be installed. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface OwnStore {
  readonly port: number;
  /** Its address at a port, its own or that of a proxy. */
  urlAt(port: number): string;
  /**
   * Ends it as a fault would and starts it again.
   * @param kept whether what it held is there again
   */
  restart(kept: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Whether `redis-server` is installed. */
export const hasRedisServer = spawnSync('redis-server', ['--version']).status === 0;

export async function startRedis(): Promise<OwnStore> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-redis-'));
  const port = await freePort();
  const process = new StoreProcess(
    () =>
      spawn(
        'redis-server',
        ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--appendonly', 'yes'],
        { stdio: 'ignore' },
      ),
    port,
    'SIGKILL',
  );
  await process.start();
  return {
    port,
    urlAt: at => `redis://127.0.0.1:${at}`,
    async restart(kept) {
      await process.stop();
      if (!kept) rmSync(join(folder, 'appendonlydir'), { recursive: true, force: true });
      await sleep(200);
      await process.start();
    },
    async close() {
      await process.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL keeps what it has confirmed, so it always comes back with it. Started by root it runs as user `postgres`. */
export async function startPostgres(): Promise<OwnStore> {
  const folder = mkdtempSync(join(tmpdir(), 'fleet-postgres-'));
  const port = await freePort();
  const user = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  const quiet = { stdio: 'ignore', cwd: folder, ...user } as const;
  execFileSync('initdb', ['-D', data, '-U', 'postgres', '-A', 'trust', '--no-sync'], quiet);
  const set = ['listen_addresses=127.0.0.1', `unix_socket_directories=${folder}`].flatMap(one => ['-c', one]);
  // At SIGQUIT all its processes end at once, and the next start recovers from the log, as after a crash.
  const server = new StoreProcess(
    () => spawn('postgres', ['-D', data, '-p', `${port}`, ...set], quiet),
    port,
    'SIGQUIT',
  );
  await server.start();
  return {
    port,
    urlAt: at => `postgres://postgres@127.0.0.1:${at}/postgres`,
    async restart(kept) {
      if (!kept) throw new Error('PostgreSQL comes back with what it held');
      await server.stop();
      await server.start();
    },
    async close() {
      await server.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }));

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as { readonly port: number };
  probe.close();
  return port;
}

/** A server that is there once its port takes connections. */
class StoreProcess {
  private readonly spawn: () => ChildProcess;
  private readonly port: number;
  private readonly signal: 'SIGKILL' | 'SIGQUIT';
  private child: ChildProcess | undefined;

  constructor(start: () => ChildProcess, port: number, signal: 'SIGKILL' | 'SIGQUIT') {
    this.spawn = start;
    this.port = port;
    this.signal = signal;
  }

  async start(): Promise<void> {
    const child = this.spawn();
    this.child = child;
    while (!(await this.listens())) {
      if (child.exitCode !== null) throw new Error(`the store ended with code ${child.exitCode}`);
      await sleep(20);
    }
  }

  async stop(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, 'exit');
    child.kill(this.signal);
    await exit;
  }

  private async listens(): Promise<boolean> {
    const socket = connect(this.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }
}
