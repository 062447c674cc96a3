/**
 * Errors of the store and the queue of a fleet, as text for the log: the event and its effect on the run.
 *
 * The messages of drivers and of BullMQ use their own terms.
 */
import type { Clock } from '../core/clock.ts';
import { messageOf, RiskError } from '../core/errors.ts';
import type { Logger } from '../host/log.ts';
import { repeatedWarnings, type Warn } from '../host/repeated-warnings.ts';

/** A refusal by an available store: clients get a 503 with Retry-After. The cause, for the log, is the error of the store. */
export class StoreRefused extends RiskError {
  /** The meaning and the message of the store, for the person who starts a process. */
  readonly words: string;

  constructor(cause: unknown) {
    const words = refusalWords(cause) ?? 'The store of the fleet rejects the command';
    super('engine-unavailable', `${words}; try again later.`, { retryAfterSeconds: 5, cause });
    const remedy = UNKNOWN_ISSUER.test(codeOf(cause))
      ? '; NODE_EXTRA_CA_CERTS names a file with the certificate of its CA'
      : '';
    this.words = `${words}: ${messageOf(cause)}${remedy}`;
  }
}

const AUTHENTICATION = /^(NOAUTH|WRONGPASS) /;

const STORE_WORDS: readonly (readonly [RegExp, string])[] = [
  [/^OOM |maxmemory/, 'The store of the fleet has no memory left'],
  [/^READONLY /, 'The store of the fleet rejects writes: it is a replica, or set to read-only'],
  [/^MISCONF /, 'The store of the fleet rejects writes, because it cannot write to its disk'],
  [AUTHENTICATION, 'The store of the fleet rejects the authentication of this process'],
  [/^NOPERM /, 'The store of the fleet rejects the rights of its user'],
  [/DB index is out of range/, 'The store of the fleet does not have this database'],
];

/** Codes of OpenSSL and Node for a certificate that is not accepted, by this process or by the store. */
const CERTIFICATE = [
  /CERT|LEAF_SIGNATURE|^INVALID_(CA|PURPOSE)$|^HOSTNAME_MISMATCH$|^PATH_LENGTH_EXCEEDED$/,
  'The connection to the store of the fleet fails for a certificate',
] as const;
const UNKNOWN_ISSUER = /SELF_SIGNED|LEAF_SIGNATURE|ISSUER_CERT/;

const codeOf = (error: unknown) => String((error as { readonly code?: unknown } | undefined)?.code ?? '');

/** Whether a TLS connection failed for a certificate: waiting does not change that. */
export const isCertificateFault = (error: unknown): boolean => CERTIFICATE[0].test(codeOf(error));

/** Whether Redis has no database of this number: it would go on with another one. */
export const isDatabaseFault = (error: unknown): boolean => /DB index is out of range/.test(messageOf(error));

/** The meaning of a refusal of the store; undefined for an unknown one. */
function refusalWords(error: unknown): string | undefined {
  if (isCertificateFault(error)) return CERTIFICATE[1];
  const message = error instanceof Error ? error.message : '';
  return STORE_WORDS.find(([pattern]) => pattern.test(message))?.[1];
}

/** Warnings of calls of the store. One that rejects the user or the password is named as that, whatever the call was for. */
export function storeWarnings(clock: Clock, log: Pick<Logger, 'warn'>): Warn {
  const warn = repeatedWarnings(clock, log);
  return (details, meaning) => {
    const { err } = details as { readonly err?: unknown };
    if (AUTHENTICATION.test(messageOf(err instanceof StoreRefused ? err.cause : err)))
      warn(
        details,
        'the store of the fleet rejects the authentication of this process; restart it with the new REDIS_URL',
      );
    else warn(details, meaning);
  };
}

const QUEUE_WORDS: readonly (readonly [RegExp, string])[] = [
  [
    /^Missing key for job/,
    'the store has lost a part that this worker was computing, since it was emptied, or drops entries when it is full; the run continues: ' +
      'its server adds missing parts again',
  ],
  [
    /^(Missing lock for job|Lock mismatch for job|could not renew lock)/,
    'the store has given a part of this worker to another, since its lock was not renewed in time; the run continues: ' +
      'the first answer counts',
  ],
  [
    /^Job .* is not in the .* state|^Missing key for parent job/,
    'a part ended or was removed while this worker was computing it; the run has its answer, or has ended',
  ],
  [
    /stalled more than allowable limit/,
    'each worker that had the part ended, or lost its connection, before the part was finished; the run fails',
  ],
];

/** The meaning of an error of the queue, and its effect on the run. */
export function queueWords(error: Error): string {
  const known = QUEUE_WORDS.find(([pattern]) => pattern.test(error.message))?.[1];
  if (known !== undefined) return known;
  const refused = refusalWords(error);
  return refused === undefined
    ? 'the queue of the fleet does not answer'
    : `${refused}; parts wait until it does`;
}
