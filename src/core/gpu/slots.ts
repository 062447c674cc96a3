/**
 * Slots of a device's queue: the slices in flight of all runs together. A run that filled the queue would delay all others. A
 * released slot goes to the run with the longest wait.
 */
import { Semaphore } from '../async.ts';

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

  /** Begins a run. @returns its slots */
  open() {
    this.runs += 1;
    let held = 0;
    const release = (): void => {
      held -= 1;
      this.free.give();
    };
    return {
      /** Takes a slot if one is free. */
      tryTake: (): boolean => {
        const taken = this.free.tryTake();
        if (taken) held += 1;
        return taken;
      },
      /**
       * Waits for a slot and takes it. Only for a run without one: a run releases slots by finishing its slices.
       *
       * @throws the signal's reason
       */
      take: async (signal: AbortSignal | undefined): Promise<void> => {
        await this.free.take(signal);
        held += 1;
      },
      release,
      /** Ends the run and releases its slots. */
      close: (): void => {
        while (held > 0) release();
        this.runs -= 1;
      },
    };
  }
}
