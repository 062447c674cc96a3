/**
 * Whether the store of a fleet answers: it counts as away once its last answer is some seconds old.
 *
 * Calls of a store that is away wait for it without a limit. Whoever has something better to do asks here.
 */
import type { Clock } from '../core/clock.ts';
import { RiskError } from '../core/errors.ts';

/** A store that is silent for longer counts as away. */
const SILENT_MS = 5_000;
const RETRY_SECONDS = 5;

/** The store of the fleet is away: clients get a 503 with Retry-After. */
export class StoreAway extends RiskError {
  constructor() {
    super('engine-unavailable', 'The store of the fleet does not answer; try again later.', {
      retryAfterSeconds: RETRY_SECONDS,
    });
  }
}

export class StoreWatch {
  private readonly clock: Clock;
  private lastAnswer: number;
  /** Called when the store counts as away. */
  private readonly waiting = new Set<() => void>();

  constructor(clock: Clock) {
    this.clock = clock;
    this.lastAnswer = clock.now();
  }

  get isAnswering(): boolean {
    return this.clock.now() - this.lastAnswer <= SILENT_MS;
  }

  /** Notes an answer of the store. */
  note(): void {
    this.lastAnswer = this.clock.now();
  }

  /** Ends the waits of `ask` if the store counts as away. Called periodically. */
  check(): void {
    if (this.isAnswering) return;
    for (const end of [...this.waiting]) end();
  }

  /**
   * The result of a call of the store, which is not made while the store is away.
   *
   * @throws StoreAway once the store counts as away; the call may take effect when the store answers again
   */
  ask<T>(call: () => Promise<T>): Promise<T> {
    if (!this.isAnswering) return Promise.reject(new StoreAway());
    return new Promise((resolve, reject) => {
      const end = () => {
        this.waiting.delete(end);
        reject(new StoreAway());
      };
      this.waiting.add(end);
      call()
        .then(resolve, reject)
        .finally(() => this.waiting.delete(end));
    });
  }
}
