/**
 * The end of a request: its deadline, counted from its arrival, or the end of its client's connection.
 *
 * Gives: an AbortSignal whose reason states which. Must not know: what is done until then.
 */
import type { Clock } from '../../core/clock.ts';
import { RiskError } from '../../core/errors.ts';
import { refusalOn } from './broken-request.ts';
import type { Context, Middleware } from './context.ts';

/** The client has closed the connection. */
export class CallerGone extends Error {
  override readonly name = 'CallerGone';
}

/** Aborts `ending` after `seconds`. @returns a function that cancels this */
function abortAfter(seconds: number, clock: Clock, ending: AbortController): () => void {
  const overdue = () =>
    ending.abort(
      new RiskError('deadline-exceeded', `The request was not finished within ${seconds} seconds.`),
    );
  return clock.after(seconds * 1000, overdue);
}

/** The deadline of a question in the background, which starts when the question leaves the queue. */
export function runDeadline(caller: AbortSignal, seconds: number, clock: Clock) {
  const ending = new AbortController();
  let stop = () => {};
  return {
    /** Aborted by the signal of the caller, or at the time limit after `start`. */
    signal: AbortSignal.any([caller, ending.signal]),
    start: () => {
      stop = abortAfter(seconds, clock, ending);
    },
    stop: () => stop(),
  };
}

/**
 * Puts the signal and the deadline of each request into its state.
 *
 * @param secondsOf time limit of a request
 */
export function withDeadline(secondsOf: (ctx: Context) => number, clock: Clock): Middleware {
  return async (ctx, next) => {
    const ending = new AbortController();
    const seconds = secondsOf(ctx);
    const gone = () => ending.abort(refusalOn(ctx.req.socket) ?? new CallerGone());
    const cancel = abortAfter(seconds, clock, ending);
    ctx.res.once('close', gone);
    ctx.state.signal = ending.signal;
    ctx.state.deadline = clock.now() / 1000 + seconds;
    try {
      await next();
    } finally {
      cancel();
      ctx.res.removeListener('close', gone);
    }
  };
}
