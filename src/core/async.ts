/** Helpers for promises and abort signals, independent of clock and host. */

const nothing = () => {};

/** Calls `action` once, on an abort or at once after one. @returns a function that removes the listener */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal === undefined) return nothing;
  if (signal.aborted) {
    action();
    return nothing;
  }
  signal.addEventListener('abort', action, { once: true });
  return () => signal.removeEventListener('abort', action);
}

/** The outcome of `working`, or the signal's reason if that comes first. @param stop called before that rejection */
export function unlessAborted<T>(
  working: Promise<T>,
  signal: AbortSignal | undefined,
  stop: () => void = nothing,
): Promise<T> {
  if (signal === undefined) return working;
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => {
      stop();
      reject(signal.reason);
    });
    working.then(resolve, reject).finally(forget);
  });
}

/**
 * A promise that others settle, or the signal's reason if that comes first. An abort after the first call of either
 * function has no effect.
 *
 * @param begin receives the functions that settle the promise; returns the action on an abort. Not called for an
 *    aborted signal
 */
export function abortable<T>(
  signal: AbortSignal | undefined,
  begin: (resolve: (value: T) => void, reject: (error: unknown) => void) => () => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    let settled = false;
    let forget = nothing;
    const settle =
      <V>(by: (value: V) => void) =>
      (value: V) => {
        settled = true;
        forget();
        by(value);
      };
    const stop = begin(settle(resolve), settle(reject));
    if (settled) return;
    forget = onAbort(signal, () => {
      stop();
      reject(signal?.reason);
    });
  });
}

/** Resolves after some milliseconds, or at once when the signal is aborted; the caller checks the signal. */
export async function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  if (milliseconds < 1 || signal?.aborted) return;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const waited = new Promise<void>(resolve => {
    timer = setTimeout(resolve, milliseconds);
  });
  await unlessAborted(waited, signal).catch(nothing);
  clearTimeout(timer);
}

/**
 * Runs a task for every item, some of them at the same time. The first failure aborts the others, and is thrown after
 * their end.
 *
 * @param concurrency tasks at the same time, at least 1
 * @param signal aborts all tasks; each receives a signal of its own
 * @returns results in the order of the items
 * @throws the error of the first task that failed
 */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  concurrency: number,
  signal: AbortSignal | undefined,
  task: (item: T, rank: number, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failing = new AbortController();
  const ending = signal === undefined ? failing.signal : AbortSignal.any([signal, failing.signal]);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    while (next < items.length && failure === undefined) {
      const rank = next++;
      try {
        results[rank] = await task(items[rank], rank, ending);
      } catch (error) {
        failure ??= { error };
        failing.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
  return results;
}

/** A fixed number of permits, granted in the order of the requests. */
export class Semaphore {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  /** @param permits 1 or more */
  constructor(permits: number) {
    this.free = permits;
  }

  /** Takes a permit if one is free. */
  tryTake(): boolean {
    if (this.free === 0) return false;
    this.free -= 1;
    return true;
  }

  /** Takes a permit, and waits for it if none is free. @throws the signal's reason when it is aborted during the wait */
  async take(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    if (this.tryTake()) return;
    await abortable<void>(signal, resolve => {
      this.waiting.push(resolve);
      return () => this.waiting.splice(this.waiting.indexOf(resolve), 1);
    });
  }

  /** Returns a permit; the call that has waited longest receives it. */
  give(): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free += 1;
    else next();
  }
}
