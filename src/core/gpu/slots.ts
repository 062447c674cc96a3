/**
 * Places in a device's queue: how many slices are under way at a time, of all runs together.
 *
 * A run that filled the queue by itself would make every other wait behind all of its slices. A place that is given back
 * goes to the run that has waited longest. Must not know: the device, what a slice is.
 */

/** The places of one run. */
export interface RunPlaces {
  /** Takes a place if one is free. */
  tryTake(): boolean;
  /**
   * Waits in line for a place and takes it. Only for a run that holds none: places come back when their holders look.
   *
   * @throws the signal's reason
   */
  take(signal: AbortSignal | undefined): Promise<void>;
  /** Gives a place back. */
  release(): void;
  /** Ends the run: gives back whatever it still holds. */
  close(): void;
}

export class Slots {
  private free: number;
  private runs = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param places enough that the device never waits for the host: one working, one queued */
  constructor(places = 2) {
    this.free = places;
  }

  /** Whether more than one run is under way. */
  get shared(): boolean {
    return this.runs > 1;
  }

  /** Begins a run. */
  open(): RunPlaces {
    this.runs += 1;
    let held = 0;
    const places: RunPlaces = {
      tryTake: () => {
        if (this.free === 0) return false;
        this.free -= 1;
        held += 1;
        return true;
      },
      take: async signal => {
        signal?.throwIfAborted();
        if (places.tryTake()) return;
        await this.turn(signal);
        held += 1;
      },
      release: () => {
        held -= 1;
        const next = this.waiting.shift();
        if (next === undefined) this.free += 1;
        else next();
      },
      close: () => {
        while (held > 0) places.release();
        this.runs -= 1;
      },
    };
    return places;
  }

  /** Resolves when a place has been handed over. */
  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const turn = () => {
        signal?.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.waiting.splice(this.waiting.indexOf(turn), 1);
        reject(signal?.reason);
      };
      this.waiting.push(turn);
      signal?.addEventListener('abort', giveUp, { once: true });
    });
  }
}

/**
 * Takes a place for the next slice of a run. A run that holds places looks for their end before it waits in line: what it
 * would wait for may be its own.
 *
 * @param underWay slices of the run that hold a place
 * @param finishOldest waits for the first of them, gives its place back and takes it off the list
 * @throws the signal's reason
 */
export async function takePlace(
  places: RunPlaces,
  underWay: readonly unknown[],
  finishOldest: () => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<void> {
  while (!places.tryTake()) {
    if (underWay.length === 0) return places.take(signal);
    await finishOldest();
  }
}
