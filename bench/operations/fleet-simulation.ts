/**
 * A fleet on a simulated clock: hosts that take parts from one queue, and one server that adds up their answers.
 *
 * Takes: how long a part's work takes and how large its answer is; what handing over costs (measured). Gives: the time of a
 * run, and how busy hosts, store and server were. Must not know: what is computed.
 */

/** One book, and the hosts that it is spread over. */
export interface SimulatedFleet {
  readonly hosts: number;
  readonly loans: number;
  readonly paths: number;
  /** Parts of the first pass. */
  readonly parts: number;
  /** Seconds of one host for all paths. */
  readonly hostSeconds: number;
}

export interface FleetCosts {
  /** Seconds of the store for each part. */
  readonly partSeconds: number;
  /** Seconds of the store and of the server for each MiB of an answer. */
  readonly mebibyteSeconds: number;
}

export interface SimulatedRun {
  readonly seconds: number;
  /** Shares of the time. */
  readonly hostsBusy: number;
  readonly storeBusy: number;
  readonly serverBusy: number;
}

/** Doubles of an answer for each loan: its sums, and one group. */
const DOUBLES_PER_LOAN = 8;
/** Doubles of an answer for each path. */
const DOUBLES_PER_PATH = 6;
/** Seconds in which a server adds up 2^20 bytes of doubles, once they are there. */
const ADDING_SECONDS = 0.0005;
const MEBIBYTE = 2 ** 20;

/**
 * A million loans on a million paths of a year: 8,760 steps, half of the rate that is asked of an H200 in double-precision
 * terms of work (10,000 x 100,000 x 720 in 1.5 s, every loan its own basket).
 */
const HOST_LOAN_STEPS_PER_SECOND = (10_000 * 100_000 * 720) / 1.5;

export const FLEETS: readonly SimulatedFleet[] = [
  { loans: 1_000_000, paths: 1_000_000, steps: 8_760, parts: 256 },
  { loans: 1_000_000, paths: 1_000_000, steps: 8_760, parts: 2_560 },
  { loans: 10_000, paths: 1_000_000, steps: 720, parts: 256 },
].flatMap(({ loans, paths, steps, parts }) =>
  [1, 10, 100].map(hosts => ({
    hosts,
    loans,
    paths,
    parts,
    hostSeconds: (loans * paths * steps) / HOST_LOAN_STEPS_PER_SECOND,
  })),
);

/** A host asks for a part, or writes an answer; the server reads one. */
interface Event {
  readonly time: number;
  readonly kind: 'ask' | 'write' | 'read';
}

function takeEarliest(events: Event[]): Event {
  let earliest = 0;
  for (let i = 1; i < events.length; i++) if (events[i].time < events[earliest].time) earliest = i;
  const [event] = events.splice(earliest, 1);
  return event;
}

/** Runs one pass. The store does one thing at a time, and so does the server; hosts take the next part when they are free. */
export function simulateFleet(fleet: SimulatedFleet, costs: FleetCosts): SimulatedRun {
  const { hosts, loans, paths, parts, hostSeconds } = fleet;
  const mebibytes = (8 * (DOUBLES_PER_LOAN * loans + (DOUBLES_PER_PATH * paths) / parts)) / MEBIBYTE;
  const work = hostSeconds / parts;
  const handOver = costs.partSeconds;
  const carry = mebibytes * costs.mebibyteSeconds;
  let storeFree = 0;
  let storeBusy = 0;
  let serverFree = 0;
  let serverBusy = 0;
  let taken = 0;
  /** What happens next, in no order. */
  const events: Event[] = Array.from({ length: hosts }, () => ({ time: 0, kind: 'ask' }));
  /** The store does one thing at a time, in the order of asking. */
  const atStore = (time: number, duration: number) => {
    storeFree = Math.max(time, storeFree) + duration;
    storeBusy += duration;
    return storeFree;
  };
  while (events.length > 0) {
    const { time, kind } = takeEarliest(events);
    if (kind === 'ask') {
      if (taken === parts) continue;
      taken += 1;
      events.push({ time: atStore(time, handOver) + work, kind: 'write' });
    } else if (kind === 'write') {
      const written = atStore(time, carry / 2);
      events.push({ time: written, kind: 'read' }, { time: written, kind: 'ask' });
    } else {
      const adding = mebibytes * ADDING_SECONDS;
      serverFree = Math.max(atStore(time, carry / 2), serverFree) + adding;
      serverBusy += adding;
    }
  }
  const seconds = serverFree;
  const share = (busy: number) => Math.round((busy / seconds) * 1000) / 1000;
  return {
    seconds: Math.round(seconds * 100) / 100,
    hostsBusy: share(hostSeconds / hosts),
    storeBusy: share(storeBusy),
    serverBusy: share(serverBusy),
  };
}
