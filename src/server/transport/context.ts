/** The state that the middleware of one request share. */
import type Koa from 'koa';
import type { Span } from '../tracing/trace.ts';

/** Members of a line of the log. */
export type LogFacts = Record<string, string | number | readonly string[]>;

/** Methods of the routes. OPTIONS is answered for preflight requests of CORS only. */
export const METHODS = ['GET', 'HEAD', 'POST', 'DELETE'];

export interface RequestState {
  /** Sent by the client or made here; in every answer and every log line. */
  requestId: string;
  /** Digest of the key, in hexadecimal; empty before the key is checked. */
  caller: string;
  /** Aborted at the deadline, and when the client disconnects. */
  signal: AbortSignal;
  /** When the request must be answered: seconds of the application's clock, which is monotonic. */
  deadline: number;
  /** Facts on the request and its engine for its line of the log, without key and body. */
  facts: LogFacts;
  /** Ends the count of its body, whose bytes are not needed any more; absent where they are not counted. */
  releaseBody?: () => void;
  /** The bytes of its body. */
  body?: Uint8Array;
  /** The span of the request; work is recorded under it. */
  span: Span;
}

export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;

/** A header as sent; Node joins a repeated one with commas, so that it is not valid here. */
export function header(ctx: Context, name: string): string | undefined {
  const value = ctx.req.headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
}
