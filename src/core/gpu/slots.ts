/**
 * Places in a device's queue: how many slices are under way at a time, of all runs together.
 *
 * A run that filled the queue by itself would make every other wait behind all of its slices. A place that is given back
 * goes to the run that has waited longest. Must not know: the device, what a slice is.
 */
import { Semaphore } from '../async.ts';

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
  private readonly places: Semaphore;
  private runs = 0;

  /** @param places enough that the device never waits for the host: one working, one queued */
  constructor(places = 2) {
    this.places = new Semaphore(places);
  }

  /** Whether more than one run is under way. */
  get shared(): boolean {
    return this.runs > 1;
  }

  /** Begins a run. */
  open(): RunPlaces {
    this.runs += 1;
    let held = 0;
    const release = () => {
      held -= 1;
      this.places.give();
    };
    return {
      tryTake: () => {
        const taken = this.places.tryTake();
        if (taken) held += 1;
        return taken;
      },
      take: async signal => {
        await this.places.take(signal);
        held += 1;
      },
      release,
      close: () => {
        while (held > 0) release();
        this.runs -= 1;
      },
    };
  }
}
