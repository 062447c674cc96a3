/**
 * A queue that gives its callers equal shares: start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996).
 *
 * A request starts, in virtual time, where the one before it of the same caller ends, and not before now; the earliest
 * start is served first. So a caller that sends one request comes before the fortieth of another, independent of their costs.
 * A request that leaves unserved costs its caller nothing: those behind it start earlier.
 * Must not know: what is queued, engines, seconds.
 */

/** Something that waits. */
export interface Queued<T> {
  readonly caller: string;
  /** Virtual time; earlier once a request before it of the same caller has left unserved. */
  readonly start: number;
  readonly item: T;
}

interface Entry<T> extends Queued<T> {
  start: number;
  readonly cost: number;
}

export interface FairQueue<T> {
  readonly length: number;
  /** In the order in which they will be served. */
  readonly entries: readonly Queued<T>[];
  /** How many of those that wait would be served before a new request of `caller`. */
  ahead(caller: string): number;
  /** Puts a request into the queue. @param cost its share of the engine, in any unit that all requests have in common */
  push(caller: string, cost: number, item: T): Queued<T>;
  /** Counts a request that is served without waiting. */
  pass(caller: string, cost: number): void;
  /** Takes out the first request, or the first of a caller that `admits`, and counts it as served. */
  shift(admits?: (caller: string) => boolean): Queued<T> | undefined;
  /** Takes out a request that is not served. */
  remove(entry: Queued<T>): void;
  /**
   * The request that should leave a full queue for one of `caller`: the last of the caller with the most waiting that
   * `evictable` allows, if it has at least two more than `caller` has.
   */
  greediest(caller: string, evictable: (item: T) => boolean): Queued<T> | undefined;
}

export function createFairQueue<T>(): FairQueue<T> {
  const entries: Entry<T>[] = [];
  /** Where the last request served of each caller ends; only of callers that are ahead of `now`. */
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
    get length() {
      return entries.length;
    },
    entries,
    ahead(caller) {
      const start = startOf(caller);
      return entries.filter(entry => entry.start <= start).length;
    },
    push(caller, cost, item) {
      const entry = { caller, start: startOf(caller), cost, item };
      const place = entries.findLastIndex(other => other.start <= entry.start) + 1;
      entries.splice(place, 0, entry);
      return entry;
    },
    pass(caller, cost) {
      // The queue is empty, so virtual time advances: the work of a caller that was alone does not count against it later.
      serve(caller, startOf(caller), cost);
    },
    shift(admits = () => true) {
      const place = entries.findIndex(({ caller }) => admits(caller));
      if (place < 0) return undefined;
      const [entry] = entries.splice(place, 1);
      serve(entry.caller, entry.start, entry.cost);
      return entry;
    },
    remove(entry) {
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
    greediest(caller, evictable) {
      const counts = new Map<string, number>();
      for (const entry of entries)
        if (evictable(entry.item)) counts.set(entry.caller, (counts.get(entry.caller) ?? 0) + 1);
      const most = Math.max(0, ...counts.values());
      if (most < (counts.get(caller) ?? 0) + 2) return undefined;
      return entries.findLast(entry => counts.get(entry.caller) === most && evictable(entry.item));
    },
  };
}
