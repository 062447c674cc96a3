/** Waits for what is due in the process, without a timer. */
import type { ManualClock } from './manual-clock.ts';

/** @param turns of the event loop: as many as the longest chain of callbacks has */
export async function idle(turns = 30): Promise<void> {
  for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate);
}

/** Moves the clock at once, with time for what is due. */
export async function pass(clock: ManualClock, milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await idle();
}
