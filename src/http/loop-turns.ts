/**
 * One request begins in each turn of the event loop, and callers take turns: however many requests have come, the loop goes
 * on taking new connections, of which it takes one a turn, and serves a caller with one request next to one with hundreds.
 *
 * Must not know: what a request is.
 */
import { createFairQueue } from '../core/fair-queue.ts';

export interface LoopTurns {
  /** Calls `begin` when it is its turn, at once where nothing else has begun in this one. */
  take(caller: string, begin: () => void): void;
}

/** @param nextTurn calls a function in the next turn of the loop */
export function createLoopTurns(nextTurn: (action: () => void) => void = setImmediate): LoopTurns {
  const waiting = createFairQueue<() => void>();
  let taken = false;

  function take(begin: () => void): void {
    taken = true;
    nextTurn(() => {
      taken = false;
      const next = waiting.shift();
      if (next !== undefined) take(next.item);
    });
    begin();
  }

  return {
    take(caller, begin) {
      if (taken) {
        waiting.push(caller, 1, begin);
        return;
      }
      waiting.pass(caller, 1);
      take(begin);
    },
  };
}
