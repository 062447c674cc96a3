/** Servers of a fleet in processes of their own, and the job that is asked of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** From support, and from where the bench is built. */
const SERVER = ['../../dist/main.js', '../../../dist/main.js']
  .map(path => fileURLToPath(new URL(path, import.meta.url)))
  .find(path => existsSync(path)) as string;
const HEADERS = {
  'x-api-key': 'a-key-of-the-fleet-tests',
  'content-type': 'application/json',
  'x-seed': '3',
};
const LOOK_MS = 20;

export interface ServerProcess {
  /** Sends a request with the key of the tests. */
  request(path: string, init?: RequestInit): Promise<Response>;
  /** The answer of /loan_risk to a body. */
  ask(body: unknown): Promise<Response>;
  /** Submits it as a job. @returns where the job is */
  submit(body: unknown, requestId: string): Promise<string>;
  /** State and share of a job, which any server of the fleet knows. */
  look(job: string): Promise<{ readonly state: string; readonly share_done: number }>;
  result(job: string): Promise<Response>;
  /** Ends it in order. @returns its exit code; null where it was killed */
  stop(): Promise<number | null>;
  /** Ends it at once, as a fault would. */
  kill(): Promise<void>;
}

/** Starts a server of one thread on sample data, of a fleet where one is given. */
export async function startServerProcess(
  fleet?: { readonly url: string; readonly name: string },
  configuration: NodeJS.ProcessEnv = {},
): Promise<ServerProcess> {
  const { REDIS_URL: _url, FLEET_NAME: _name, ...env } = process.env;
  const child = spawn(process.execPath, [SERVER], {
    env: {
      ...env,
      ...(fleet === undefined ? {} : { REDIS_URL: fleet.url, FLEET_NAME: fleet.name }),
      API_KEYS: HEADERS['x-api-key'],
      MARKET_DB: 'sample',
      COMPUTE: 'cpu',
      CPU_THREADS: '1',
      REQUEST_TIMEOUT_SECONDS: '3600',
      PORT: '0',
      LOG_LEVEL: 'warn',
      ...configuration,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  const post = (body: unknown, headers: Readonly<Record<string, string>>) =>
    fetch(`${url}/loan_risk`, {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: JSON.stringify(body),
    });
  return {
    request: (path, init = {}) =>
      fetch(url + path, { ...init, headers: { ...HEADERS, ...(init.headers as Record<string, string>) } }),
    ask: body => post(body, {}),
    async submit(body, requestId) {
      const response = await post(body, { prefer: 'respond-async', 'x-request-id': requestId });
      const location = response.headers.get('location');
      if (location === null) throw new Error(`no job: ${response.status} ${await response.text()}`);
      return location;
    },
    async look(job) {
      const response = await fetch(url + job, { headers: HEADERS });
      return (await response.json()) as { state: string; share_done: number };
    },
    result: job => fetch(`${url}${job}/result`, { headers: HEADERS }),
    async stop() {
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await exit;
      return code as number | null;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const found = /http:\/\/127\.0\.0\.1:\d+/.exec(line);
    if (found !== null) return found[0];
  }
  throw new Error('the server did not start');
}

/**
 * Submits a job to one server, kills that server, and reads the answer from another.
 *
 * @param share of the job at which the server is killed
 * @returns the answer, and how long it took from the kill on
 */
export async function outliveServer(
  killed: ServerProcess,
  other: ServerProcess,
  body: unknown,
  { share, requestId }: { readonly share: number; readonly requestId: string },
): Promise<{ readonly answer: Response; readonly milliseconds: number }> {
  const job = await killed.submit(body, requestId);
  while ((await other.look(job)).share_done < share) await sleep(LOOK_MS);
  const began = performance.now();
  await killed.kill();
  for (;;) {
    const { state } = await other.look(job);
    if (state === 'done') break;
    if (state !== 'running' && state !== 'queued') throw new Error(`the job is ${state}`);
    await sleep(LOOK_MS);
  }
  const milliseconds = Math.round(performance.now() - began);
  return { answer: await other.result(job), milliseconds };
}
