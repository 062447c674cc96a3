/** What the middleware of one request hand on to one another. */
import type Koa from 'koa';
import type { Span } from '../tracing/trace.ts';

/** Members of a line of the log. */
export type LogFacts = Record<string, string | number | readonly string[]>;

export interface RequestState {
  /** Sent by the caller or made here; in every answer and every log line. */
  requestId: string;
  /** Digest of the key that was sent, in hexadecimal; empty before it is checked. */
  caller: string;
  /** Aborted at the deadline, and when the caller has gone. */
  signal: AbortSignal;
  /** When the request has to be answered: seconds of the application's clock, which never goes back. */
  deadline: number;
  /** What the request was and what it ran on, for its line of the log: no key, no body. */
  facts: LogFacts;
  /** What the request spends its time on is recorded under it. */
  span: Span;
}

export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;

/** A header as it was sent; node joins a repeated one with commas, which makes it wrong for us. */
export function header(ctx: Context, name: string): string | undefined {
  const value = ctx.req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
