/**
 * A server process and callers, for measurements of how the service behaves in operation.
 *
 * Takes: its environment. Gives: calls with their status and time, readings of /metrics, ways to end it.
 * Must not know: what is measured.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { projectFile } from '../project.ts';

export const KEY = 'a-key-of-the-bench';

export interface Answer {
  /** 0 where the connection broke before an answer. */
  readonly status: number;
  readonly milliseconds: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** What broke the connection. */
  readonly error?: string;
}

export interface CallOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
}

export interface ServiceProcess {
  readonly url: string;
  readonly process: ChildProcess;
  /** Exit code, or the name of the signal. */
  readonly ended: Promise<number | string>;
  /** Lines of standard error; none with LOG_LEVEL=silent. */
  readonly log: readonly string[];
  call(path: string, options?: CallOptions): Promise<Answer>;
  /** Asks an operation. */
  ask(
    path: string,
    body: unknown,
    headers?: Readonly<Record<string, string>>,
    agent?: Agent,
  ): Promise<Answer>;
  /** Samples of /metrics by name with labels. */
  metrics(): Promise<ReadonlyMap<string, number>>;
  stop(signal?: NodeJS.Signals): Promise<number | string>;
}

const START_MILLISECONDS = 60_000;

/**
 * Starts a server on a free port, on the sample market unless `environment` says otherwise.
 *
 * @param nodeArguments those of Node itself
 */
export async function startService(
  environment: Readonly<Record<string, string>> = {},
  nodeArguments: readonly string[] = [],
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...nodeArguments, projectFile('dist/main.js')], {
    env: {
      ...process.env,
      PORT: '0',
      HOST: '127.0.0.1',
      API_KEYS: KEY,
      LOG_LEVEL: 'silent',
      MARKET_DB: 'sample',
      COMPUTE: 'cpu',
      DRAIN_SECONDS: '0',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  child.stderr
    .setEncoding('utf8')
    .on('data', (chunk: string) => log.push(...chunk.split('\n').filter(Boolean)));
  const ended = once(child, 'exit').then(([code, signal]) => (code ?? signal) as number | string);
  const url = await addressOf(child);
  const shared = new Agent({ keepAlive: true, maxSockets: 256 });
  const call = (path: string, options: CallOptions = {}) =>
    callServer(url, path, { agent: shared, ...options });
  return {
    url,
    process: child,
    ended,
    log,
    call,
    ask: (path, body, headers = {}, agent = shared) =>
      call(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': KEY, ...headers },
        body: JSON.stringify(body),
        agent,
      }),
    async metrics() {
      const { body } = await call('/metrics');
      const lines = body.split('\n').filter(line => line !== '' && !line.startsWith('#'));
      return new Map(
        lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
      );
    },
    async stop(signal = 'SIGINT') {
      shared.destroy();
      child.kill(signal);
      return ended;
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  let banner = '';
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error('The server did not start in time.'));
    }, START_MILLISECONDS);
    child.once('exit', code => reject(new Error(`The server ended with code ${code}.`)));
    child.stdout?.on('data', chunk => {
      banner += chunk;
      const url = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0];
      if (url === undefined) return;
      clearTimeout(timer);
      resolve(url);
    });
  });
}

/** One request; a connection that breaks is an answer with status 0, so that it can be counted. */
function callServer(url: string, path: string, options: CallOptions): Promise<Answer> {
  const { method = 'GET', headers = {}, body = '', agent } = options;
  const begin = performance.now();
  return new Promise(resolve => {
    const broken = (error: Error) =>
      resolve({
        status: 0,
        milliseconds: performance.now() - begin,
        headers: {},
        body: '',
        error: (error as NodeJS.ErrnoException).code ?? error.message,
      });
    const { hostname, port } = new URL(url);
    const length = method === 'GET' ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(
      { hostname, port, path, method, headers: { ...length, ...headers }, ...(agent ? { agent } : {}) },
      response => {
        const chunks: Buffer[] = [];
        response.on('data', chunk => chunks.push(chunk));
        response.on('error', broken);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            milliseconds: performance.now() - begin,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      },
    );
    sent.on('error', broken);
    sent.end(body);
  });
}
