/**
 * Does many tasks of one request, some of them at the same time.
 *
 * Takes: items and what is to be done with each. Gives: the results in the order of the items. Must not know: what is done.
 */

/**
 * The first failure ends all others that are under way, and is thrown once they have ended.
 *
 * @param lanes tasks at the same time, at least 1
 * @param signal ends all tasks; each gets one of its own
 * @throws whatever the first task to fail threw
 */
export async function inLanes<T, R>(
  items: readonly T[],
  lanes: number,
  signal: AbortSignal,
  task: (item: T, rank: number, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
  const results = new Array<R>(items.length);
  const failing = new AbortController();
  const ending = AbortSignal.any([signal, failing.signal]);
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async () => {
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
  await Promise.all(Array.from({ length: lanes }, lane));
  if (failure !== undefined) throw (failure as { readonly error: unknown }).error;
  return results;
}
