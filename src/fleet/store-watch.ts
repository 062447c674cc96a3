/**
 * Whether the store of a fleet answers: it counts as away after some seconds without an answer.
 *
 * Calls of a store that is away wait for it without a limit. Whoever has something better to do asks here. While the event loop of
 * this process stalls, no answer can be read: of a stall only a part counts as silence of the store.
 */
import type { Clock } from '../core/clock.ts';
import { RiskError } from '../core/errors.ts';

/** A store that is silent for longer counts as away. */
const SILENT_MS = 5_000;
/** Interval of the checks. */
export const CHECK_MS = 1_000;
/** Most silence that counts between two checks, or since the last one: a later check shows that this process stalled. */
const MOST_BETWEEN_MS = 2 * CHECK_MS;
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
  /** Silence from the last answer to `counted`. */
  private silentMs = 0;
  private counted: number;
  /** Called when the store counts as away. */
  private readonly waiting = new Set<() => void>();

  constructor(private readonly clock: Clock) {
    this.counted = clock.now();
  }

  get isAnswering(): boolean {
    return this.silence() <= SILENT_MS;
  }

  /** Notes an answer of the store. */
  note(): void {
    this.silentMs = 0;
    this.counted = this.clock.now();
  }

  /** Ends the waits of `ask` if the store counts as away. Called every `CHECK_MS`. */
  check(): void {
    this.silentMs = this.silence();
    this.counted = this.clock.now();
    if (this.isAnswering) return;
    for (const end of [...this.waiting]) end();
  }

  private silence(): number {
    return this.silentMs + Math.min(this.clock.now() - this.counted, MOST_BETWEEN_MS);
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
