/**
 * The file of keys: names, digests, scopes, expiry and limits, without the keys themselves.
 *
 * Takes: a path. Gives: its entries, or a message with every fault; writes atomically. Must not know: what keys permit.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { hashKey } from './key-digest.ts';

/** `operate`: operations, batches and jobs; `read`: /metrics; `admin`: both. */
export const SCOPES = ['operate', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const TIME = 'must be a time such as 2026-01-31T00:00:00.000Z, before the year 10000';
const NAME = 'must be text of 1 to 64 characters';
const WORK = 'must be a number above 0';
const CONCURRENT = `must be a whole number from 1 to ${Number.MAX_SAFE_INTEGER}`;

const time = z.iso.datetime(TIME);

const entry = z.strictObject({
  /** Beginning of the digest. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  name: z.string(NAME).min(1, NAME).max(64, NAME),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(SCOPES)).min(1),
  created: time,
  expires: time.optional(),
  revoked: time.optional(),
  /** Asset-steps per minute. */
  work_per_minute: z.number(WORK).positive(WORK).optional(),
  /** The same of a day and of a month (UTC). */
  work_per_day: z.number(WORK).positive(WORK).optional(),
  work_per_month: z.number(WORK).positive(WORK).optional(),
  /** Requests at the same time. */
  concurrent: z.number(CONCURRENT).int(CONCURRENT).positive(CONCURRENT).optional(),
});
const file = z.strictObject({ version: z.literal(1), keys: z.array(entry) });

export type KeyEntry = Readonly<z.output<typeof entry>>;

/** A file of keys that is not valid, or cannot be read or written; the message names every fault. */
export class KeyFileError extends Error {
  override readonly name = 'KeyFileError';
}

/** The entries of a file. @throws KeyFileError */
export function readKeyFile(path: string): readonly KeyEntry[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new KeyFileError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new KeyFileError(`${path} is not JSON`);
  }
  const read = file.safeParse(value);
  if (read.success) return read.data.keys;
  const faults = read.error.issues.map(
    ({ path: at, message }) => `${at.join('.') || 'the file'}: ${message}`,
  );
  throw new KeyFileError(`${path} is not a valid file of keys: ${faults.join('; ')}`);
}

/** Replaces a file atomically; only its owner may read it. @throws KeyFileError where the file is not changed */
export function writeKeyFile(path: string, keys: readonly KeyEntry[]): void {
  const content = { version: 1, keys };
  const checked = file.safeParse(content, { reportInput: true });
  if (!checked.success) {
    const faults = checked.error.issues.map(
      ({ path: at, message, input }) => `${at.join('.')} ${message}, not ${JSON.stringify(input)}`,
    );
    throw new KeyFileError(`${path} is not written: ${faults.join('; ')}`);
  }
  const next = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(next, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    renameSync(next, path);
  } catch (error) {
    if (existsSync(next)) rmSync(next);
    throw new KeyFileError(`${path} cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** A change of a file of keys. */
export interface KeyChange {
  readonly action: 'create' | 'revoke' | 'rotate';
  readonly id: string;
  readonly name: string;
  /** Who changed it. */
  readonly actor: string;
  readonly at: Date;
}

/** Adds a change to the history beside a file of keys: `<path>.history`, a line of JSON each. @throws KeyFileError */
export function noteChange(path: string, { at, ...change }: KeyChange): void {
  try {
    appendFileSync(`${path}.history`, `${JSON.stringify({ time: at.toISOString(), ...change })}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    throw new KeyFileError(`${path}.history cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}

/** The terms of a new entry. */
export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Days until it expires; no expiry where undefined. */
  readonly days?: number | undefined;
  readonly workPerMinute?: number | undefined;
  readonly workPerDay?: number | undefined;
  readonly workPerMonth?: number | undefined;
  readonly concurrent?: number | undefined;
}

const DAY_MS = 86_400_000;
/** The first moment after the years of four digits, which the file can express. */
const END_OF_TIME = Date.UTC(10_000, 0);

/** The moment `days` after `now`. @throws KeyFileError where the file cannot express it */
function expiryAfter(days: number, now: Date): string {
  const end = now.getTime() + days * DAY_MS;
  if (end >= END_OF_TIME)
    throw new KeyFileError(`expires must be before the year 10000, not ${days} days from now`);
  return new Date(end).toISOString();
}

/** The entry of `key`. @throws KeyFileError where the file cannot express its expiry */
export function newEntry(
  key: string,
  { name, scopes, days, workPerMinute, workPerDay, workPerMonth, concurrent }: NewKey,
  now: Date,
): KeyEntry {
  const sha256 = hashKey(key).toString('hex');
  return {
    id: sha256.slice(0, 8),
    name,
    sha256,
    scopes: [...scopes],
    created: now.toISOString(),
    ...(days === undefined ? {} : { expires: expiryAfter(days, now) }),
    ...(workPerMinute === undefined ? {} : { work_per_minute: workPerMinute }),
    ...(workPerDay === undefined ? {} : { work_per_day: workPerDay }),
    ...(workPerMonth === undefined ? {} : { work_per_month: workPerMonth }),
    ...(concurrent === undefined ? {} : { concurrent }),
  };
}
