/** Places that callers take in turns, each caller one at a time, however many requests it has. */
import { abortable } from './async.ts';
import { createFairQueue } from './fair-queue.ts';

export interface Asker {
  /** Requests of one caller share its turns. */
  readonly caller: string;
  readonly signal: AbortSignal;
}

export interface Turns {
  /**
   * Runs `work` when a place is free and it is the caller's turn.
   * @throws the error of `work`, or the signal's reason if it is aborted before
   */
  run<T>(asker: Asker, work: () => Promise<T>): Promise<T>;
}

/** @param places at least 1 */
export function createTurns(places: number): Turns {
  const waiting = createFairQueue<() => void>();
  const working = new Set<string>();

  function admitWaiting(): void {
    while (working.size < places) {
      const next = waiting.shift(caller => !working.has(caller));
      if (next === undefined) return;
      working.add(next.caller);
      next.item();
    }
  }

  return {
    async run({ caller, signal }, work) {
      await abortable<void>(signal, resolve => {
        const entry = waiting.push(caller, 1, resolve);
        admitWaiting();
        return () => waiting.remove(entry);
      });
      try {
        return await work();
      } finally {
        working.delete(caller);
        admitWaiting();
      }
    },
  };
}
