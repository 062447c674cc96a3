/**
 * The end of a request: its deadline, counted from its arrival, or the moment its caller goes away.
 *
 * Gives: an AbortSignal whose reason says which. Must not know: what is done meanwhile.
 */
import { RiskError } from '../errors.ts';
import type { Middleware } from './context.ts';

/** The caller closed the connection; nobody will read the answer. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Puts the signal and the deadline of each request into its state. */
export function withDeadline(seconds: number): Middleware {
  return async (ctx, next) => {
    const ending = new AbortController();
    const overdue = () =>
      ending.abort(
        new RiskError('deadline-exceeded', `The request was not finished within ${seconds} seconds.`),
      );
    const gone = () => ending.abort(new CallerGone());
    const timer = setTimeout(overdue, seconds * 1000);
    ctx.res.once('close', gone);
    ctx.state.signal = ending.signal;
    ctx.state.deadline = performance.now() / 1000 + seconds;
    try {
      await next();
    } finally {
      clearTimeout(timer);
      ctx.res.removeListener('close', gone);
    }
  };
}

/** The outcome of `working`, or the signal's reason if that comes first. */
export function unlessAborted<T>(working: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
