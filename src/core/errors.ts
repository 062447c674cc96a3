/**
 * The closed list of reasons for a refusal or a failure of the service.
 *
 * Every expected failure is a `RiskError`; any other error is a bug and is answered with a bare 500. Only
 * `server/transport/error-handler.ts` maps a reason to a status code. The caller receives the message of a `RiskError`: it names
 * the member, the value and the bound, never internals.
 */

/**
 * The kinds of faults, by stable codes: a program may depend on them, on a message it may not. Documents, openapi.json and the client are
 * made from this list.
 */
export const FAULT_CODES = {
  missing: 'It must be sent, and is absent or empty.',
  unknown_member: 'No member, parameter or column of this name is known here.',
  repeated: 'It is named more than once, or equals another one from which it must differ.',
  wrong_type: 'The value has another JSON type than the member.',
  malformed:
    'A text, a cell or a name has another form than the one that is read: a date, a symbol, a number.',
  unknown_value: 'The value is none of those that the member takes.',
  out_of_range: 'A number, a day or a length lies beyond its bounds.',
  not_allowed: 'It must be absent here, because another member or the methodology excludes it.',
  inconsistent:
    'The value contradicts other members, or the elements of a list or map contradict each other.',
  not_supported: 'The engine, the sampling or the operation does not offer this.',
  no_data: 'The market lacks prices, volumes or rates that this needs.',
  not_fitted: 'The model could not be fitted to the data of this asset.',
  not_reachable: 'No value of the range of a search reaches the target.',
  more_faults: 'The number of further faults, which are not listed.',
} as const;

export type FaultCode = keyof typeof FAULT_CODES;

/** One fault of a request: `path` is its member (dotted, with array indices), `message` states the fault. */
export interface Fault {
  readonly code: FaultCode;
  readonly path: string;
  readonly message: string;
}

export const FAILURE_REASONS = [
  /** The caller's request cannot be answered in this form (422). */
  'invalid-request',
  /** The market store lacks the data that the request needs (422). */
  'missing-market-data',
  /** The version of the market data that the request names is not kept any more (410). */
  'market-version-gone',
  /** The market store cannot be read at this moment (503). */
  'market-data-unavailable',
  /** A model could not be fitted to the data (422). */
  'calibration-failed',
  /** The target of a search lies outside the range of its results (422). */
  'target-not-reachable',
  /** The request has more work than this server accepts in one request (422). */
  'work-limit-exceeded',
  /** The queue of this server is full (429). */
  'queue-full',
  /** The key has reached its limit for the moment (429). */
  'rate-limited',
  /** The record of the answer cannot be written (503). */
  'audit-unavailable',
  /** The requested engine is unavailable (503). */
  'engine-unavailable',
  /** The request was not finished before its deadline (504). */
  'deadline-exceeded',
  /** An engine failed on a valid plan (500). */
  'engine-failed',
] as const;

export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A refusal or failure: its reason, a sentence for the caller, and every fault found. */
export class RiskError extends Error {
  readonly faults: readonly Fault[];
  /** Seconds after which a caller may retry; only with `queue-full`, `rate-limited` and reasons of unavailability. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    readonly reason: FailureReason,
    message: string,
    options: { faults?: readonly Fault[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'RiskError';
    this.faults = options.faults ?? [];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** Throws an `invalid-request` with all `faults`, if there are any. */
export function refuseIfFaulty(faults: readonly Fault[], message = 'The request is not valid.'): void {
  if (faults.length > 0) throw new RiskError('invalid-request', message, { faults });
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
