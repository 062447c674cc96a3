/** The whole service on the sample market with the CPU engine, on a free port of the loopback. */
import { beforeAll } from 'vitest';
import { createLogger } from '#src/host/log.js';
import { loadConfig } from '#src/server/config.js';
import { type Service, startService } from '#src/server/service.js';
import { checkEveryAnswer } from './checked-answers.ts';

export const SERVICE_KEY = 'a-key-of-the-service-tests';

export type Headers = Readonly<Record<string, string>>;

/** @param environment variables beside or instead of those of all such tests */
export function startSampleService(environment: Readonly<Record<string, string>> = {}): Promise<Service> {
  const config = loadConfig({
    PORT: '0',
    API_KEYS: SERVICE_KEY,
    MARKET_DB: 'sample',
    COMPUTE: 'cpu',
    CPU_THREADS: '2',
    // No deadline is met on the slowest machine; the limits of work of requests and jobs are those of the usual ones.
    REQUEST_TIMEOUT_SECONDS: '3600',
    JOB_TIMEOUT_SECONDS: '216000',
    MAX_WORK_CPU: '3.6e9',
    ...environment,
  });
  return startService(config, createLogger('silent'));
}

/** Posts JSON, or a text as it is, with the key. */
export function postTo(
  { url }: Pick<Service, 'url'>,
  path: string,
  body: unknown,
  headers: Headers = {},
  signal?: AbortSignal,
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': SERVICE_KEY, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

export interface SampleService {
  /** The running service; not before the first test. */
  readonly service: Service;
  readonly post: (path: string, body: unknown, headers?: Headers, signal?: AbortSignal) => Promise<Response>;
  /** Asks with the key. */
  readonly get: (path: string, headers?: Headers) => Promise<Response>;
}

const started = new Map<string, Promise<Service>>();

/** The service of an environment that the tests of this process share; it runs as long as the process. */
function sharedService(environment: Readonly<Record<string, string>>): Promise<Service> {
  const key = JSON.stringify(environment);
  const service = started.get(key) ?? startSampleService(environment);
  started.set(key, service);
  return service;
}

/**
 * A service for the tests of this file, which those of other files with the same environment may have used; every answer is
 * held against openapi.json.
 */
export function useSampleService(environment: Readonly<Record<string, string>> = {}): SampleService {
  let service: Service | undefined;
  const running = (): Service => {
    if (service === undefined) throw new Error('the service has not started');
    return service;
  };
  beforeAll(async () => {
    service = await sharedService(environment);
  });
  checkEveryAnswer();
  return {
    get service() {
      return running();
    },
    post: (path, body, headers, signal) => postTo(running(), path, body, headers, signal),
    get: (path, headers = {}) =>
      fetch(running().url + path, { headers: { 'x-api-key': SERVICE_KEY, ...headers } }),
  };
}
