/**
 * One request starts in each turn of the event loop, and callers take turns. So with any number of requests the loop still accepts
 * new connections, one a turn, and serves a caller with one request as well as one with hundreds.
 *
 * Must not know: what a request is.
 */
import { createFairQueue } from '../../core/fair-queue.ts';

/** @param nextTurn calls a function in the next turn of the loop */
export function createLoopTurns(nextTurn: (action: () => void) => void = setImmediate) {
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
    /** Calls `begin` in its turn, at once if nothing else has started in the current one. */
    take(caller: string, begin: () => void): void {
      if (taken) {
        waiting.push(caller, 1, begin);
        return;
      }
      waiting.pass(caller, 1);
      take(begin);
    },
  };
}
