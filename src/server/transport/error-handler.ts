/**
 * The first middleware: names the request, converts errors to problem documents, and logs one line.
 *
 * The log contains no key and no body. A stack is logged only where the server is at fault.
 */
import { randomBytes, randomUUID } from 'node:crypto';
import { RiskError } from '../../core/errors.ts';
import type { Logger } from '../../host/log.ts';
import { UnreadableBody } from '../../question/asking.ts';
import { faultFacts } from '../answers/log-facts.ts';
import { UNKNOWN } from '../answers/logged-names.ts';
import { HttpRefusal, problemBody, problemOf } from '../answers/problem.ts';
import { traceIdOf } from '../tracing/trace.ts';
import type { Context, Middleware } from './context.ts';
import { CallerGone } from './deadline.ts';
import { pathOf } from './well-formed.ts';

const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,64}$/;

/** Answers are JSON for programs: browsers must not guess their type, frame, run or cache them. */
const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/**
 * The first middleware.
 *
 * @param polled paths that probes poll: their successes are logged at level debug
 * @param routeOf the route of a path, which the log shows in place of the path; undefined where there is none
 */
export function errorHandler(
  log: Logger,
  logOutcome: LogOutcome,
  polled: ReadonlySet<string>,
  routeOf: (path: string) => string | undefined,
): Middleware {
  return async (ctx, next) => {
    const arrival = performance.now();
    const sent = ctx.get('x-request-id');
    ctx.state.requestId = SANE_REQUEST_ID.test(sent) ? sent : randomUUID();
    ctx.state.caller = '';
    const { traceId = traceIdOf(ctx.get('traceparent')), spanId = randomBytes(8).toString('hex') } =
      ctx.state.span;
    ctx.state.facts = traceId === undefined ? {} : { trace_id: traceId };
    if (traceId !== undefined) ctx.set('traceresponse', `00-${traceId}-${spanId}-00`);
    ctx.set({ ...SECURITY_HEADERS, 'x-request-id': ctx.state.requestId });
    let failure: { readonly error: unknown } | undefined;
    try {
      await next();
    } catch (error) {
      failure = { error };
      answerProblem(ctx, error);
    }
    const path = pathOf(ctx);
    const route = path === undefined ? undefined : (routeOf(path) ?? UNKNOWN);
    const line = requestLine(ctx, route, performance.now() - arrival);
    const isPoll = failure === undefined && ctx.status < 400 && polled.has(line.path ?? '');
    if (isPoll) log.debug(line, 'answered');
    else logOutcome(line, ctx.status, failure);
  };
}

function answerProblem(ctx: Context, error: unknown): void {
  if (ctx.res.headersSent) {
    // A part of the answer has been sent: closing the connection shows the client that the rest is missing.
    ctx.res.destroy();
    return;
  }
  const problem = problemOf(error);
  ctx.status = problem.status;
  ctx.set(problem.headers);
  ctx.body = problemBody(problem, ctx.state.requestId);
  ctx.type = 'application/problem+json';
  // The rest of an unread body would block the connection for the next request (see server.ts).
  ctx.req.resume();
}

/** Facts of a request in the log. */
const requestLine = (ctx: Context, path: string | undefined, milliseconds: number) => ({
  request_id: ctx.state.requestId,
  method: ctx.method,
  path,
  status: ctx.status,
  milliseconds: Math.round(milliseconds),
  ...ctx.state.facts,
});

/** Logs the line of a question that was answered with `status`, or failed. */
export type LogOutcome = (line: object, status: number, failure?: { readonly error: unknown }) => void;

/** @param countFault called for each request, line of a batch and job that failed by a fault of the program */
export function outcomeLog(log: Logger, countFault: () => void): LogOutcome {
  return (line, status, failure) => {
    if (failure === undefined) {
      log.info(line, 'answered');
      return;
    }
    const { error } = failure;
    if (error instanceof CallerGone) log.info({ ...line, status: undefined }, 'the caller has gone');
    else if (error instanceof HttpRefusal || error instanceof UnreadableBody) log.info(line, 'refused');
    else if (error instanceof RiskError && status < 500)
      log.info({ ...line, reason: error.reason, ...faultFacts(error.faults) }, 'refused');
    // Not a fault of the code, but of interest to the operator; the message has no data of the client.
    else if (error instanceof RiskError && status > 500)
      log.warn(
        {
          ...line,
          reason: error.reason,
          detail: error.message,
          ...(error.cause === undefined ? {} : { err: error.cause }),
        },
        'not served',
      );
    else {
      countFault();
      log.error({ ...line, err: error }, 'failed');
    }
  };
}
