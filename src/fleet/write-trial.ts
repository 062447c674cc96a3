/** Whether the store of a fleet takes writes: a full one, or a replica, still answers reads. */

import type { Warn } from '../host/repeated-warnings.ts';
import type { Logger } from '../log.ts';
import { WRITE_TRIAL } from './names.ts';
import type { FleetStore } from './store.ts';

const KEPT_SECONDS = 60;

export class WriteTrial {
  /** Whether the last trial passed. */
  passed = true;
  private readonly store: FleetStore;
  private readonly log: Logger;
  private readonly warn: Warn;

  constructor(store: FleetStore, log: Logger, warn: Warn) {
    this.store = store;
    this.log = log;
    this.warn = warn;
  }

  /** Writes an entry; logs a refusal, and its end. */
  async run(): Promise<void> {
    try {
      await this.store.put({ name: WRITE_TRIAL, bytes: new Uint8Array(1), seconds: KEPT_SECONDS });
      if (!this.passed) this.log.info('the store of the fleet takes writes again');
      this.passed = true;
    } catch (error) {
      this.passed = false;
      this.warn({ err: error }, 'the store of the fleet refuses writes');
    }
  }
}
