/**
 * The closed list of reasons for which the service refuses or fails.
 *
 * Every expected failure is a `RiskError`; any other error is a bug and is answered
 * with a bare 500. `http/error-handler.ts` is the only place that turns a reason into a status code.
 * Messages of a `RiskError` reach the caller: they name the member, the value and the bound, never internals.
 */

/** One fault of a request: `path` is the member (dotted, array index in place), `message` says what is wrong with it. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

export const FAILURE_REASONS = [
  /** The caller's request cannot be answered in this form (422). */
  'invalid-request',
  /** The market store lacks the data that the request needs (422). */
  'missing-market-data',
  /** The market store cannot be read at this moment (503). */
  'market-data-unavailable',
  /** A model could not be fitted to the data (422). */
  'calibration-failed',
  /** The target of a search lies outside what the range can reach (422). */
  'target-not-reachable',
  /** More work than this server takes in one request (422). */
  'work-limit-exceeded',
  /** The queue of this server is full (429). */
  'queue-full',
  /** The key has used up its share for the moment (429). */
  'rate-limited',
  /** The requested engine is unavailable (503). */
  'engine-unavailable',
  /** The request was not finished before its deadline (504). */
  'deadline-exceeded',
  /** An engine broke while it ran a valid plan (500). */
  'engine-failed',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A refusal or failure with a reason, a sentence for the caller, and every fault found. */
export class RiskError extends Error {
  readonly reason: FailureReason;
  readonly faults: readonly Fault[];
  /** Seconds after which a caller may try again; only with `queue-full`, `rate-limited` and what is unavailable. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: FailureReason,
    message: string,
    options: { faults?: readonly Fault[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RiskError';
    this.reason = reason;
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Throws an `invalid-request` with all `faults` at once, if there are any. */
export function refuseIfFaulty(faults: readonly Fault[], message = 'The request is not valid.'): void {
  if (faults.length > 0) throw new RiskError('invalid-request', message, { faults });
}

/** The message of what was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
