/**
 * A queue that gives its callers equal shares: start-time fair queueing (Goyal, Vin and Cheng, SIGCOMM 1996).
 *
 * A request starts, in virtual time, where the one before it of the same caller ends, and not before now; the earliest
 * start is served first. So a caller that sends one request comes before the fortieth of another, whatever they cost.
 * Must not know: what is queued, engines, seconds.
 */

/** Something that waits. */
export interface Queued<T> {
  readonly caller: string;
  /** Virtual time. */
  readonly start: number;
  readonly item: T;
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
  shift(): Queued<T> | undefined;
  remove(entry: Queued<T>): void;
  /**
   * The request that should leave a full queue for one of `caller`: the last of the caller with the most waiting that
   * `evictable` allows, if it has at least two more than `caller` has.
   */
  greediest(caller: string, evictable: (item: T) => boolean): Queued<T> | undefined;
}

/** An empty queue. */
export function createFairQueue<T>(): FairQueue<T> {
  const entries: Queued<T>[] = [];
  /** Where the next request of each caller starts; only of callers that are ahead of `now`. */
  const ends = new Map<string, number>();
  let now = 0;

  const startOf = (caller: string) => Math.max(now, ends.get(caller) ?? 0);

  function claim(caller: string, cost: number): number {
    const start = startOf(caller);
    ends.set(caller, start + cost);
    return start;
  }

  function advance(time: number): void {
    if (time <= now) return;
    now = time;
    for (const [caller, end] of ends) if (end <= now) ends.delete(caller);
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
      const entry = { caller, start: claim(caller, cost), item };
      const place = entries.findLastIndex(other => other.start <= entry.start) + 1;
      entries.splice(place, 0, entry);
      return entry;
    },
    pass(caller, cost) {
      // Nobody waits, so virtual time moves on: a caller that was alone owes nothing to one that comes later.
      advance(claim(caller, cost));
    },
    shift() {
      const entry = entries.shift();
      if (entry !== undefined) advance(entry.start);
      return entry;
    },
    remove(entry) {
      const place = entries.indexOf(entry);
      if (place >= 0) entries.splice(place, 1);
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
