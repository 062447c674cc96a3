/** A server process of the bench: the built service on the loopback. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { softwareGpuEnvironment } from '#src/engine/gpu-process/software-gpu.js';
import { WASM_KERNEL } from '#src/engine/native/kernel-choice.js';
import { nativeKernels } from '#src/engine/native/native-kernels.js';
import { PROJECT } from './project.ts';

/** What the server computes on. */
export interface Server {
  readonly name: 'cpu' | 'wasm' | 'simd' | 'gpu' | 'gpu-software';
  readonly environment: Readonly<Record<string, string>>;
  /** Value of x-compute. */
  readonly compute: 'auto' | 'cpu' | 'gpu';
  /** What the backend and the device of every answer must look like. */
  readonly ranOn: RegExp;
}

const NATIVE_KERNELS = nativeKernels().filter(({ isSupported }) => isSupported);

/** One server per kind of engine among these. */
export async function serversFor(engines: readonly string[]): Promise<Server[]> {
  const servers: Server[] = [];
  const has = (beginning: string) => engines.some(name => name.startsWith(beginning));
  const cpu = { COMPUTE: 'cpu' };
  if (has('cpu')) {
    servers.push({ name: 'cpu', environment: cpu, compute: 'cpu', ranOn: /^cpu (?!.*SIMD)/ });
  }
  if (has('wasm')) {
    const environment = { ...cpu, NATIVE: '0' };
    servers.push({ name: 'wasm', environment, compute: 'auto', ranOn: /^cpu .*WebAssembly/ });
  }
  if (NATIVE_KERNELS.some(({ name, lanes }) => lanes > WASM_KERNEL.lanes && has(name)))
    servers.push({ name: 'simd', environment: cpu, compute: 'auto', ranOn: /^cpu .*SIMD of/ });
  if (engines.includes('gpu') || engines.includes('gpu-served')) {
    servers.push({ name: 'gpu', environment: { COMPUTE: 'gpu' }, compute: 'gpu', ranOn: /^gpu / });
  }
  if (engines.includes('gpu-software')) {
    const environment = { ...(await softwareGpuEnvironment()), SOFTWARE_GPU: '1' };
    servers.push({ name: 'gpu-software', environment, compute: 'gpu', ranOn: /^gpu / });
  }
  return servers;
}

export interface RunningServer {
  readonly url: string;
  /** Lets the server end and waits for it. */
  stop(): Promise<void>;
}

/** The key that the server is started with. */
export const API_KEY = 'a-key-of-the-bench';

const START_MILLISECONDS = 30_000;

/**
 * A server on a free port of the loopback, on the sample market.
 *
 * @param project the folder of the built project that serves
 */
export async function startServer(server: Server, project: string = PROJECT): Promise<RunningServer> {
  const child = spawn(process.execPath, [join(project, 'dist/main.js')], {
    cwd: project,
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      API_KEYS: API_KEY,
      LOG_LEVEL: 'silent',
      MARKET_DB: 'sample',
      REQUEST_TIMEOUT_SECONDS: '300',
      ...server.environment,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let banner = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('The server did not start in time.'));
    }, START_MILLISECONDS);
    child.once('exit', code => reject(new Error(`The server ended with code ${code}.`)));
    child.stdout.on('data', chunk => {
      banner += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve({ url, stop: () => stop(child) });
    });
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGINT');
  await once(child, 'exit');
}
