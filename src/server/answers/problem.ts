/**
 * Problem documents (RFC 9457): the form of every answer that is not a success.
 *
 * Takes: any error. Gives: status, headers and a body without internals.
 * The only place that turns a reason into a status code. Must not know: Koa, the log.
 */
import { STATUS_CODES } from 'node:http';
import { type FailureReason, type Fault, RiskError } from '../../core/errors.ts';
import { UnreadableBody } from '../../question/asking.ts';

/** A request that is refused before its question is read: unknown path, no key, no JSON. */
export class HttpRefusal extends Error {
  override readonly name = 'HttpRefusal';
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(detail);
    this.headers = headers;
  }
}

/** A key has used its limit; the headers state the rest. */
export class RateLimited extends RiskError {
  readonly headers: Readonly<Record<string, string>>;

  constructor(detail: string, retryAfterSeconds: number, headers: Readonly<Record<string, string>> = {}) {
    super('rate-limited', detail, { retryAfterSeconds });
    this.headers = headers;
  }
}

/** A status, its headers, and the members of the body. */
export interface Problem {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly type: string;
  readonly title: string;
  readonly detail: string;
  readonly errors: readonly Fault[];
}

const REASONS: Readonly<Record<FailureReason, { readonly status: number; readonly title: string }>> = {
  'invalid-request': { status: 422, title: 'Invalid request' },
  'missing-market-data': { status: 422, title: 'Missing market data' },
  'market-version-gone': { status: 410, title: 'Market version gone' },
  'market-data-unavailable': { status: 503, title: 'Market data unavailable' },
  'calibration-failed': { status: 422, title: 'Calibration failed' },
  'target-not-reachable': { status: 422, title: 'Target not reachable' },
  'work-limit-exceeded': { status: 422, title: 'Work limit exceeded' },
  'queue-full': { status: 429, title: 'Queue full' },
  'rate-limited': { status: 429, title: 'Rate limited' },
  'audit-unavailable': { status: 503, title: 'Audit unavailable' },
  'engine-unavailable': { status: 503, title: 'Engine unavailable' },
  'deadline-exceeded': { status: 504, title: 'Deadline exceeded' },
  'engine-failed': { status: 500, title: 'Engine failed' },
};

const typeOf = (reason: FailureReason) => `urn:collateral-risk-engine:${reason}`;

/** Every named problem, as openapi.json lists them. */
export const PROBLEMS = Object.entries(REASONS).map(([reason, { status, title }]) => ({
  type: typeOf(reason as FailureReason),
  status,
  title,
}));

/** Seconds of Retry-After for a full queue where the refusal has none. */
const DEFAULT_RETRY_SECONDS = 5;

/** A problem without a type, described by the standard name of its status (RFC 9457, section 4.2.1). */
const plainProblem = (status: number, detail: string, headers = {}): Problem => ({
  status,
  headers,
  type: 'about:blank',
  title: STATUS_CODES[status] ?? 'Error',
  detail,
  errors: [],
});

const INTERNAL = plainProblem(500, 'The server failed to answer this request.');

/** The problem document of an error. Unexpected errors are a 500 without detail. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HttpRefusal) return plainProblem(error.status, error.message, error.headers);
  if (error instanceof UnreadableBody) return plainProblem(400, error.message);
  if (!(error instanceof RiskError)) return INTERNAL;
  const { status, title } = REASONS[error.reason];
  // A 503 without a time is permanent: this host has no GPU, or its GPU has failed.
  const retry = status === 429 || (status === 503 && error.retryAfterSeconds !== undefined);
  return {
    status,
    headers: {
      ...(retry ? { 'Retry-After': retryAfter(error) } : {}),
      ...(error instanceof RateLimited ? error.headers : {}),
    },
    type: typeOf(error.reason),
    title,
    // The cause of an engine's failure is only logged.
    detail: status === 500 ? INTERNAL.detail : error.message,
    errors: status === 500 ? [] : error.faults,
  };
}

/** The answer to an error, with the `headers` of every answer to the question. */
export function problemReply(error: unknown, requestId: string, headers: Readonly<Record<string, string>>) {
  const problem = problemOf(error);
  return {
    status: problem.status,
    headers: { ...headers, ...problem.headers },
    body: problemBody(problem, requestId),
  };
}

/** The JSON text of a problem: type, title, status, detail in the order of RFC 9457. */
export function problemBody({ type, title, status, detail, errors }: Problem, requestId: string): string {
  return JSON.stringify({ type, title, status, detail, errors, request_id: requestId });
}

const retryAfter = ({ retryAfterSeconds = DEFAULT_RETRY_SECONDS }: RiskError) =>
  String(Math.max(1, Math.ceil(retryAfterSeconds)));
