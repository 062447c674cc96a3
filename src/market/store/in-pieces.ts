/** Long loops that leave the event loop free in between. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Items of one turn of the event loop: some tenths of a millisecond for entries of a manifest. */
const PER_TURN = 250;

/** Calls `each` for every item in order; others have their turn after every so many. */
export async function inPieces<T>(items: Iterable<T>, each: (item: T) => void): Promise<void> {
  let done = 0;
  for (const item of items) {
    if (done === PER_TURN) {
      await nextTurn();
      done = 0;
    }
    each(item);
    done++;
  }
}
