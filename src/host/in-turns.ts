/** Long loops on the event loop: other requests run after every 20 ms of them. */
import { setImmediate as nextTurn } from 'node:timers/promises';

const MOST_MS = 20;

/** Calls `each` for every item in order. */
export async function inTurns<T>(items: Iterable<T>, each: (item: T) => void): Promise<void> {
  let begun = performance.now();
  for (const item of items) {
    each(item);
    if (performance.now() - begun < MOST_MS) continue;
    await nextTurn();
    begun = performance.now();
  }
}

/** A row for each id, in their order. */
export async function rowsInTurns<T>(
  ids: readonly string[],
  row: (index: number) => T,
): Promise<ReadonlyMap<string, T>> {
  const rows = new Map<string, T>();
  await inTurns(ids.keys(), k => rows.set(ids[k], row(k)));
  return rows;
}
