/**
 * The file of keys: names, digests, scopes, expiry and limits. No key itself is in it.
 *
 * Takes: a path. Gives: its entries, or a message of every fault; writes it whole or not at all.
 * Must not know: what keys open, who sends them.
 */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { hashKey } from './key-digest.ts';

/** `operate` asks operations, batches and jobs; `read` sees /metrics; `admin` may do both. */
export const SCOPES = ['operate', 'read', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

const time = z.iso.datetime();

const entry = z.strictObject({
  /** Beginning of the digest. */
  id: z.string().regex(/^[0-9a-f]{8}$/),
  name: z.string().min(1).max(64),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  scopes: z.array(z.enum(SCOPES)).min(1),
  created: time,
  expires: time.optional(),
  revoked: time.optional(),
  /** Asset-steps per minute. */
  work_per_minute: z.number().positive().optional(),
  /** Requests at the same time. */
  concurrent: z.number().int().positive().optional(),
});
const file = z.strictObject({ version: z.literal(1), keys: z.array(entry) });

export type KeyEntry = Readonly<z.output<typeof entry>>;

/** A file of keys that is none; the message names every fault. */
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
  throw new KeyFileError(`${path} is no file of keys: ${faults.join('; ')}`);
}

/** Replaces a file in one step; only its owner may read it. */
export function writeKeyFile(path: string, keys: readonly KeyEntry[]): void {
  const next = `${path}.${process.pid}.tmp`;
  writeFileSync(next, `${JSON.stringify({ version: 1, keys }, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, path);
}

/** What a new entry is made from. */
export interface NewKey {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Days until it expires; never where undefined. */
  readonly days?: number | undefined;
  readonly workPerMinute?: number | undefined;
  readonly concurrent?: number | undefined;
}

const DAY_MS = 86_400_000;

/** The entry of `key`. */
export function newEntry(
  key: string,
  { name, scopes, days, workPerMinute, concurrent }: NewKey,
  now: Date,
): KeyEntry {
  const sha256 = hashKey(key).toString('hex');
  return {
    id: sha256.slice(0, 8),
    name,
    sha256,
    scopes: [...scopes],
    created: now.toISOString(),
    ...(days === undefined ? {} : { expires: new Date(now.getTime() + days * DAY_MS).toISOString() }),
    ...(workPerMinute === undefined ? {} : { work_per_minute: workPerMinute }),
    ...(concurrent === undefined ? {} : { concurrent }),
  };
}
