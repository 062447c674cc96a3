/**
 * Slots of a device's queue: how many slices are in flight at a time, of all runs together.
 *
 * A run that filled the queue by itself would make every other run wait for all of its slices. A released slot goes to
 * the run that has waited longest. Must not know: the device, what a slice is.
 */
import { Semaphore } from '../async.ts';

/** The slots of one run. */
export interface RunSlots {
  /** Takes a slot if one is free. */
  tryTake(): boolean;
  /**
   * Waits for a slot and takes it. Only for a run without one: a run releases its slots when it finishes its slices.
   *
   * @throws the signal's reason
   */
  take(signal: AbortSignal | undefined): Promise<void>;
  /** Releases a slot. */
  release(): void;
  /** Ends the run and releases the slots that it still has. */
  close(): void;
}

export class Slots {
  private readonly free: Semaphore;
  private runs = 0;

  /** @param count enough that the device never waits for the host: one slice runs, one is queued */
  constructor(count = 2) {
    this.free = new Semaphore(count);
  }

  /** Whether more than one run is open. */
  get shared(): boolean {
    return this.runs > 1;
  }

  /** Begins a run. */
  open(): RunSlots {
    this.runs += 1;
    let held = 0;
    const release = () => {
      held -= 1;
      this.free.give();
    };
    return {
      tryTake: () => {
        const taken = this.free.tryTake();
        if (taken) held += 1;
        return taken;
      },
      take: async signal => {
        await this.free.take(signal);
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
