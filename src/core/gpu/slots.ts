/**
 * Slots of a device's queue: the slices in flight of all runs together. A run that filled the queue would delay all others. A
 * released slot goes to the run with the longest wait.
 */
import { Semaphore } from '../async.ts';

/** The slots of one run. */
export interface RunSlots {
  /** Takes a slot if one is free. */
  tryTake(): boolean;
  /**
   * Waits for a slot and takes it. Only for a run without one: a run releases slots by finishing its slices.
   *
   * @throws the signal's reason
   */
  take(signal: AbortSignal | undefined): Promise<void>;
  /** Releases a slot. */
  release(): void;
  /** Ends the run and releases its slots. */
  close(): void;
}

export class Slots {
  private readonly free: Semaphore;
  private runs = 0;

  /** @param count one slice runs, one is queued: the device does not wait for the host */
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
