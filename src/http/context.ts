/** What the middleware of one request hand on to one another. */
import type Koa from 'koa';

export interface RequestState {
  /** Sent by the caller or made here; in every answer and every log line. */
  requestId: string;
  /** Aborted at the deadline, and when the caller has gone. */
  signal: AbortSignal;
}

export type Context = Koa.ParameterizedContext<RequestState>;
export type Middleware = Koa.Middleware<RequestState>;
