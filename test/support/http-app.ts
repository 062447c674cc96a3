/**
 * An application with operations that tests control, served on a free port of the loopback.
 *
 * Everything that it answers is held against openapi.json; a test fails that met an answer of another form.
 */
import { gunzipSync } from 'node:zlib';
import { afterEach } from 'vitest';
import type { EngineSet } from '#src/engine/engine-set.js';
import { createLogger } from '#src/host/log.js';
import { openSampleMarket } from '#src/market/sample-market.js';
import { ACCOUNT_QUESTION } from '#src/question/account/cross-perpetual.js';
import { ADVANCE_RATE_QUESTION } from '#src/question/advance-rate/advance-rate.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { CAPPED_LOAN_QUESTION } from '#src/question/capped-loan/capped-loan.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import type { LoanRiskRequest } from '#src/question/loan/request.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import {
  type AnyQuestion,
  COMMON_QUERY,
  type Operation,
  type OperationAnswer,
} from '#src/question/question.js';
import { STRESS_QUESTION } from '#src/question/stress/stress.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import type { AppDependencies, Observation } from '#src/server/app.js';
import { createApp } from '#src/server/app.js';
import { createReadiness, type ReadinessDependencies } from '#src/server/health/probes.js';
import { createMemoryJobs } from '#src/server/jobs/memory-jobs.js';
import { hashKey } from '#src/server/keys/key-digest.js';
import { createMetrics } from '#src/server/metrics/metrics.js';
import type { Context } from '#src/server/transport/context.js';
import { type ListenOptions, listen, type RunningServer } from '#src/server/transport/server.js';
import { pathOf } from '#src/server/transport/well-formed.js';
import { checksOf } from './openapi.ts';
import { ANSWERS } from './test-answers.ts';

export const KEY = 'a-key-of-the-tests';

/** The clock of the applications under test. */
export const NOW = new Date('2026-06-15T12:34:56Z');

/** What /loan_risk answers where a test does not say otherwise. */
export const ANSWER: OperationAnswer = ANSWERS['/loan_risk'];

const answered = (path: keyof typeof ANSWERS) => async () => ANSWERS[path];

/** What was answered that openapi.json does not allow, since the test began. */
const faults: string[] = [];
afterEach(() => {
  const found = faults.splice(0);
  if (found.length > 0) throw new Error(`not as openapi.json describes it:\n${found.join('\n')}`);
});

/** The questions with real schemas; `loanRisk` is the test's, the others answer as `ANSWERS` has it. */
export function testRoutes(loanRisk: Operation<LoanRiskRequest> = answered('/loan_risk')): AnyQuestion[] {
  const query = COMMON_QUERY;
  return [
    { ...LOAN_QUESTION, query, answer: loanRisk },
    { ...ORIGINATION_QUESTION, query, answer: answered('/loan_origination') },
    { ...VALUE_AT_RISK_QUESTION, query, answer: answered('/var') },
    { ...ADVANCE_RATE_QUESTION, query, answer: answered('/advance_rate') },
    { ...CAPPED_LOAN_QUESTION, query, answer: answered('/loan_risk_low_liquidity') },
    { ...PERPETUAL_QUESTION, query, answer: answered('/isolated_perp_risk') },
    { ...ACCOUNT_QUESTION, query, answer: answered('/cross_perp_risk') },
    BOOK_QUESTION,
    STRESS_QUESTION,
  ];
}

/** Counters of its own, and a readiness that nothing stands against but draining. */
export function observation(overrides: Partial<ReadinessDependencies> = {}): Observation {
  const readiness = createReadiness({
    engines: { gpuState: 'none' },
    gpuRequired: false,
    dataAges: { latest: () => 0 },
    maxDataAgeDays: undefined,
    ...overrides,
  });
  return { metrics: createMetrics('1.2.3', false), readiness };
}

/** Serves an application; close it with `drain`. Its connections are kept without a limit unless one is given. */
export function serve({
  receiveMs,
  lingerMs,
  keepAliveMs = 0,
  ...overrides
}: Partial<
  AppDependencies & Pick<ListenOptions, 'receiveMs' | 'lingerMs' | 'keepAliveMs'>
> = {}): Promise<RunningServer> {
  const log = overrides.log ?? createLogger('silent');
  const { routes = testRoutes() } = overrides;
  const app = createApp({
    routes,
    market: openSampleMarket(() => NOW),
    engines: { gpu: undefined, gpuState: 'none', limits: { cpu: 1e12, gpu: 1e12 } } as EngineSet,
    maintenanceMargins: { rateOf: () => 0.005 },
    keyHashes: [hashKey(KEY).toString('hex')],
    // Never met, however slow the machine: tests of deadlines set their own, and move the clock.
    requestTimeoutSeconds: 3600,
    maxQueue: 4,
    cpuThreads: 1,
    jobTimeoutSeconds: 3600,
    jobs: createMemoryJobs({ maxJobs: 4, retentionHours: 1 }),
    gpuRequired: false,
    observation: observation(),
    metricsNeedKey: false,
    version: '1.2.3',
    log,
    now: () => NOW,
    ...overrides,
  });
  const { exchangeFaults } = checksOf(routes);
  app.middleware.unshift(async (ctx, next) => {
    let requestText: string | undefined;
    let held: Uint8Array | undefined;
    // The handler lets go of a body before its answer is sent.
    Object.defineProperty(ctx.state, 'body', {
      configurable: true,
      get: () => held,
      set: (bytes: Uint8Array) => {
        held = bytes;
        requestText = Buffer.from(bytes).toString();
      },
    });
    await next();
    if (ctx.respond !== false && !ctx.writable) return;
    const { status, response } = ctx;
    const isPacked = response.get('content-encoding') === 'gzip';
    const body = isPacked ? gunzipSync(ctx.body as Uint8Array) : ctx.body;
    const text =
      typeof body === 'string' || Buffer.isBuffer(body) ? String(body) : (JSON.stringify(body) ?? '');
    // A target that is no URL has no path.
    const path = pathOf(ctx as Context) ?? '';
    const exchange = { method: ctx.method, path, status, headers: response.headers };
    faults.push(...exchangeFaults({ ...exchange, requestText, body: text }));
  });
  return listen(app.callback(), {
    host: '127.0.0.1',
    port: 0,
    log,
    // A test may hold the loop for longer than any timeout, and then take up a connection that has just been closed.
    keepAliveMs,
    ...(receiveMs === undefined ? {} : { receiveMs }),
    ...(lingerMs === undefined ? {} : { lingerMs }),
  });
}

/** Sends `body` as JSON (a string as it is) with the key; `headers` replace the usual ones, null leaves one out. */
export function post(
  server: RunningServer,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string | null>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const all: Record<string, string | null> = {
    'content-type': 'application/json',
    'x-api-key': KEY,
    ...headers,
  };
  return fetch(server.url + path, {
    method: 'POST',
    headers: Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== null),
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** A problem document, and what is wrong with its form: nothing, if it is a good one. */
export interface ProblemBody {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly { readonly path: string; readonly message: string }[];
  readonly request_id: string;
}

/** Reads an answer that must be a well-formed problem document with the status of the response. */
export async function problem(response: Response): Promise<ProblemBody> {
  const type = response.headers.get('content-type');
  if (type !== 'application/problem+json' && type !== 'application/problem+json; charset=utf-8')
    throw new Error(`content type ${type} with status ${response.status}`);
  const body = (await response.json()) as ProblemBody;
  const texts = [body.type, body.title, body.detail, body.request_id];
  const wellFormed =
    texts.every(text => typeof text === 'string' && text !== '') &&
    body.status === response.status &&
    Array.isArray(body.errors) &&
    body.errors.every(({ path, message }) => typeof path === 'string' && path !== '' && message !== '') &&
    body.request_id === response.headers.get('x-request-id');
  if (!wellFormed) throw new Error(`not a problem document: ${JSON.stringify(body)}`);
  return body;
}
