/**
 * The keys that are let in at this moment: those of the configuration, and those of a file that may change meanwhile.
 *
 * Gives: for a key that was sent, its name, scopes and limits, or why it is refused. A file that turns faulty leaves the
 * keys as they were, and says so in the log. Must not know: HTTP, what scopes open.
 */
import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from '../log.ts';
import { createKeyCheck } from './key-digest.ts';
import { type KeyEntry, readKeyFile, type Scope } from './key-file.ts';

/** What is known of a key. */
export interface KnownKey {
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly name: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  /** Asset-steps per minute; no limit where undefined. */
  readonly workPerMinute: number | undefined;
  /** Requests at the same time; no limit where undefined. */
  readonly concurrent: number | undefined;
}

export type KeyVerdict =
  | { readonly known: KnownKey }
  | { readonly known: undefined; readonly why: 'missing' | 'unknown' | 'expired' };

export interface KeyRing {
  check(presented: string | undefined): KeyVerdict;
  /** What is known of a digest that `check` has let in; undefined once it is revoked or has expired. */
  find(digest: string): KnownKey | undefined;
  /** Reads the file again. */
  reload(): void;
  close(): void;
}

/** How often the file is looked at: a change counts within so long. */
const WATCH_MS = 1000;

export interface KeyRingOptions {
  /** Digests of keys that may do everything an operation needs, without limits. */
  readonly hashes: readonly string[];
  readonly file?: string | undefined;
  readonly log: Logger;
  readonly now?: () => Date;
}

/** @throws KeyFileError where the file is faulty at the beginning */
export function openKeyRing({ hashes, file, log, now = () => new Date() }: KeyRingOptions): KeyRing {
  const configured: readonly KnownKey[] = hashes.map(digest => ({
    digest,
    name: undefined,
    scopes: new Set<Scope>(['operate', 'read']),
    workPerMinute: undefined,
    concurrent: undefined,
  }));
  let entries: readonly KeyEntry[] = [];
  let known = new Map<string, KnownKey>();
  let digestOf: ReturnType<typeof createKeyCheck>;

  function take(read: readonly KeyEntry[]): void {
    entries = read.filter(({ revoked }) => revoked === undefined);
    known = new Map(configured.map(key => [key.digest, key]));
    for (const { sha256: digest, name, scopes, work_per_minute: workPerMinute, concurrent } of entries)
      known.set(digest, { digest, name, scopes: new Set(scopes), workPerMinute, concurrent });
    digestOf = createKeyCheck([...known.keys()]);
  }

  const isExpired = (digest: string) => {
    const expires = entries.find(({ sha256 }) => sha256 === digest)?.expires;
    return expires !== undefined && Date.parse(expires) <= now().getTime();
  };

  function reload(): void {
    if (file === undefined) return;
    try {
      take(readKeyFile(file));
      log.info({ keys: entries.length }, 'the file of keys was read');
    } catch (error) {
      log.error(
        { reason: (error as Error).message },
        'the file of keys is faulty; the keys stay as they were',
      );
    }
  }

  take(file === undefined ? [] : readKeyFile(file));
  if (file !== undefined) watchFile(file, { interval: WATCH_MS, persistent: false }, reload);
  return {
    check(presented) {
      const digest = digestOf(presented);
      if (digest === undefined)
        return { known: undefined, why: presented === undefined ? 'missing' : 'unknown' };
      const key = known.get(digest);
      return key === undefined || isExpired(digest) ? { known: undefined, why: 'expired' } : { known: key };
    },
    find: digest => (isExpired(digest) ? undefined : known.get(digest)),
    reload,
    close() {
      if (file !== undefined) unwatchFile(file, reload);
    },
  };
}
