/** An application with operations that tests control, served on a free port of the loopback. */
import type { AppDependencies } from '#src/http/app.js';
import { createApp } from '#src/http/app.js';
import { hashKey } from '#src/http/keys.js';
import { type Route, route } from '#src/http/route.js';
import { type ListenOptions, listen, type RunningServer } from '#src/http/server.js';
import { createLogger } from '#src/log.js';
import type { Operation, OperationAnswer, OperationContext } from '#src/operation/operation.js';
import { loanOriginationRequest } from '#src/request/loan-origination-request.js';
import { type LoanRiskRequest, loanRiskRequest } from '#src/request/loan-risk-request.js';
import { lowLiquidityRequest } from '#src/request/low-liquidity-request.js';
import { perpetualRequest } from '#src/request/perpetual-request.js';
import { valueAtRiskRequest } from '#src/request/value-at-risk-request.js';

export const KEY = 'a-key-of-the-tests';

/** The clock of the applications under test. */
export const NOW = new Date('2026-06-15T12:34:56Z');

/** What an operation answers where a test does not say otherwise. */
export const ANSWER: OperationAnswer = {
  resultMember: 'Output',
  arguments: {},
  result: { PrLiquidation: 0.25 },
  engine: { backend: 'cpu', device: 'test processor, 2 threads', software: false },
  filled: [{ symbol: 'USDC', count: 9, unit: 'day' }],
  basis: { gridHours: 24, scenarios: 1000 },
};

const answered = async () => ANSWER;

/** The five routes with real schemas; `loanRisk` is the test's, the others answer `ANSWER`. */
export function testRoutes(loanRisk: Operation<LoanRiskRequest> = answered): Route[] {
  return [
    route('/loan_risk', loanRiskRequest, loanRisk),
    route('/loan_origination', loanOriginationRequest, answered),
    route('/var', valueAtRiskRequest, answered),
    route('/loan_risk_low_liquidity', lowLiquidityRequest, answered),
    route('/isolated_perp_risk', perpetualRequest, answered),
  ];
}

/** Serves an application; close it with `drain`. */
export function serve({
  receiveMs,
  ...overrides
}: Partial<AppDependencies & Pick<ListenOptions, 'receiveMs'>> = {}): Promise<RunningServer> {
  const log = overrides.log ?? createLogger('silent');
  const app = createApp({
    routes: testRoutes(),
    market: { sample: true } as OperationContext['market'],
    engines: { gpu: undefined, gpuState: 'none' } as OperationContext['engines'],
    maintenanceMargins: { rateOf: () => 0.005 },
    keyHashes: [hashKey(KEY).toString('hex')],
    requestTimeoutSeconds: 10,
    maxQueue: 4,
    gpuRequired: false,
    version: '1.2.3',
    log,
    now: () => NOW,
    ...overrides,
  });
  return listen(app.callback(), {
    host: '127.0.0.1',
    port: 0,
    log,
    ...(receiveMs === undefined ? {} : { receiveMs }),
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
