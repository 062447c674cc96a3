/**
 * The rule of slices: a task whose paths can be left after any of them holds a thread for some milliseconds, whatever a path costs on this
 * host, and leaves the rest to a task of its own. So runs share the threads by time, and an aborted one ends with its slice.
 *
 * Takes: paths, and the work on some of them. Gives: the paths that are left. Must not know: what is computed.
 */
import { type Clock, processClock } from '../../core/clock.ts';
import type { PathRange } from '../../core/plan/records.ts';

/** Milliseconds of a slice: with the block that ends it and the message, some ten of a thread. */
export const SLICE_MS = 8;

/** The answer of a task that used its slice; its answer is that of the task that is left. */
export interface Unfinished<T = unknown> {
  readonly unfinished: T;
}

export const isUnfinished = (answer: unknown): answer is Unfinished =>
  typeof answer === 'object' && answer !== null && 'unfinished' in answer;

/**
 * Works on the paths of a range, block by block, until the slice is over; at least on one block.
 *
 * @param block paths of a call of `work`, 1 or more
 * @returns the paths that are left; undefined at the end of the range
 */
export function workInSlice(
  { first, count }: PathRange,
  block: number,
  work: (paths: PathRange) => void,
  clock: Pick<Clock, 'now'> = processClock,
): PathRange | undefined {
  const end = clock.now() + SLICE_MS;
  let done = 0;
  while (done < count) {
    const paths = Math.min(block, count - done);
    work({ first: first + done, count: paths });
    done += paths;
    if (done < count && clock.now() >= end) return { first: first + done, count: count - done };
  }
  return undefined;
}

/** The least time that the longest slice is known for. */
const KNOWN_MS = 60_000;

/** Measures for how long tasks hold threads. */
export function measureSlices(clock: Pick<Clock, 'now'> = processClock) {
  const running = new Set<{ readonly begun: number }>();
  let periodBegun = clock.now();
  let [longest, longestBefore] = [0, 0];

  function note(milliseconds: number): void {
    if (clock.now() - periodBegun >= KNOWN_MS) {
      longestBefore = clock.now() - periodBegun < 2 * KNOWN_MS ? longest : 0;
      longest = 0;
      periodBegun = clock.now();
    }
    longest = Math.max(longest, milliseconds);
  }

  return {
    /** Begins a slice. @returns a function that ends it */
    begin(): () => void {
      const slice = { begun: clock.now() };
      running.add(slice);
      return () => {
        running.delete(slice);
        note(clock.now() - slice.begun);
      };
    },
    /** Seconds of the longest slice of the last one to two minutes, those under way included; 0 without one. */
    longestSeconds(): number {
      note(0);
      const underWay = Array.from(running, ({ begun }) => clock.now() - begun);
      return Math.max(longest, longestBefore, ...underWay) / 1000;
    },
  };
}
