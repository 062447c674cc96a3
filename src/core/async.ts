/** Helpers for promises and abort signals, with no clock and no host of their own. */

/** The outcome of `working`, or the signal's reason if that comes first. */
export function unlessAborted<T>(working: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    working.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
