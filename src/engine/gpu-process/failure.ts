/** Errors as plain data and back, for messages between two processes. */
import { inspect } from 'node:util';
import { messageOf, RiskError } from '../../core/errors.ts';
import type { Failure } from './gpu-messages.ts';

/** Seconds after which a caller may try the GPU again. */
export const RETRY_AFTER_SECONDS = 5;

/** Any thrown value as plain data. */
export function toFailure(error: unknown): Failure {
  const details = inspect(error, { depth: 4 });
  if (error instanceof RiskError) {
    return { reason: error.reason, message: error.message, faults: error.faults, details };
  }
  return { message: messageOf(error), faults: [], details };
}

/** The error of a failure: a RiskError as it was thrown; any other error is an `engine-failed`. */
export function fromFailure({ reason, message, faults, details }: Failure): RiskError {
  const cause = new Error(details);
  if (reason === undefined) return new RiskError('engine-failed', 'The GPU engine failed.', { cause });
  const retry = reason === 'engine-unavailable' ? { retryAfterSeconds: RETRY_AFTER_SECONDS } : {};
  return new RiskError(reason, message, { faults, cause, ...retry });
}
