/** A Redis of our own, which can be ended and started again: `redis-server`, which must be installed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
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
  private child: ChildProcess | undefined;

  constructor(start: () => ChildProcess, port: number) {
    this.spawn = start;
    this.port = port;
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
    child.kill('SIGKILL');
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
