/** Whether the store of a fleet takes writes: a full one, or a replica, still answers reads. */
import { randomBytes } from 'node:crypto';
import type { Logger } from '../host/log.ts';
import type { Warn } from '../host/repeated-warnings.ts';
import { WRITE_TRIAL } from './names.ts';
import type { FleetStore } from './store.ts';

const KEPT_SECONDS = 60;
const TRIAL_BYTES = 8;

export class WriteTrial {
  /** Whether the last trial passed. */
  passed = true;

  constructor(
    private readonly store: FleetStore,
    private readonly log: Logger,
    private readonly warn: Warn,
  ) {}

  /** Writes an entry; logs a refusal, and its end. */
  async run(): Promise<void> {
    try {
      // Of bytes that are there already Redis writes the expiry alone, also where it is full.
      const bytes = randomBytes(TRIAL_BYTES);
      await this.store.put({ name: WRITE_TRIAL, bytes, seconds: KEPT_SECONDS });
      if (!this.passed) this.log.info('the store of the fleet takes writes again');
      this.passed = true;
    } catch (error) {
      this.passed = false;
      this.warn({ err: error }, 'the store of the fleet refuses writes');
    }
  }
}
