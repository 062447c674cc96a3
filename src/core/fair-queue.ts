/**
 * A queue with equal shares for its callers: start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996).
 *
 * A request starts, in virtual time, at the end of the caller's request before it, and not before now; the earliest
 * start is served first. So the first request of a caller comes before the fortieth of another, whatever their costs. A
 * request that leaves unserved costs nothing: later requests of its caller start earlier.
 */

export interface Queued<T> {
  readonly caller: string;
  /** Virtual time; decreases when an earlier request of the same caller leaves unserved. */
  readonly start: number;
  readonly item: T;
}

interface Entry<T> extends Queued<T> {
  start: number;
  readonly cost: number;
}

export function createFairQueue<T>() {
  const entries: Entry<T>[] = [];
  /** Virtual end of the last served request of each caller; only of callers whose end is after `now`. */
  const ends = new Map<string, number>();
  let now = 0;

  function startOf(caller: string): number {
    const last = entries.findLast(entry => entry.caller === caller);
    return Math.max(now, last === undefined ? (ends.get(caller) ?? 0) : last.start + last.cost);
  }

  function serve(caller: string, start: number, cost: number): void {
    ends.set(caller, start + cost);
    now = Math.max(now, start);
    for (const [each, end] of ends) if (end <= now) ends.delete(each);
  }

  return {
    get length(): number {
      return entries.length;
    },
    /** In the order of service. */
    entries: entries as readonly Queued<T>[],
    /** Number of waiting requests that would be served before a new request of `caller`. */
    ahead(caller: string): number {
      const start = startOf(caller);
      return entries.filter(entry => entry.start <= start).length;
    },
    /** Adds a request. @param cost its share of the engine, in one unit for all requests */
    push(caller: string, cost: number, item: T): Queued<T> {
      const entry = { caller, start: startOf(caller), cost, item };
      const place = entries.findLastIndex(other => other.start <= entry.start) + 1;
      entries.splice(place, 0, entry);
      return entry;
    },
    /** Counts a request that is served without waiting. */
    pass(caller: string, cost: number): void {
      // The queue is empty, so virtual time advances: the work of a caller that was alone does not count against it later.
      serve(caller, startOf(caller), cost);
    },
    /** Removes the first request, or the first of a caller that `admits`, and counts it as served. */
    shift(admits: (caller: string) => boolean = () => true): Queued<T> | undefined {
      const place = entries.findIndex(({ caller }) => admits(caller));
      if (place < 0) return undefined;
      const [entry] = entries.splice(place, 1);
      serve(entry.caller, entry.start, entry.cost);
      return entry;
    },
    /** Removes a request that is not served. */
    remove(entry: Queued<T>): void {
      const place = (entries as readonly Queued<T>[]).indexOf(entry);
      if (place < 0) return;
      entries.splice(place, 1);
      let end = Math.max(now, ends.get(entry.caller) ?? 0);
      for (const other of entries) {
        if (other.caller !== entry.caller) continue;
        other.start = end;
        end += other.cost;
      }
      entries.sort((a, b) => a.start - b.start);
    },
    /**
     * The request to remove from a full queue for one of `caller`: the last evictable one of the caller with the most of
     * them, if it has at least two more than `caller`.
     */
    greediest(caller: string, evictable: (item: T) => boolean): Queued<T> | undefined {
      const counts = new Map<string, number>();
      for (const entry of entries)
        if (evictable(entry.item)) counts.set(entry.caller, (counts.get(entry.caller) ?? 0) + 1);
      const most = Math.max(0, ...counts.values());
      if (most < (counts.get(caller) ?? 0) + 2) return undefined;
      return entries.findLast(entry => counts.get(entry.caller) === most && evictable(entry.item));
    },
  };
}
