/**
 * The valid keys: from the configuration, and from a file that may change.
 *
 * Takes: a key as sent. Gives: its name, scopes and limits, or why it is refused. If a changed file is faulty, the keys do not
 * change, and the log has an error. Must not know: HTTP, what scopes permit.
 */
import { unwatchFile, watchFile } from 'node:fs';
import type { Logger } from '../../host/log.ts';
import { createKeyCheck, hashKey } from './key-digest.ts';
import { type KeyEntry, readKeyFile, type Scope } from './key-file.ts';

/** A valid key. */
export interface KnownKey {
  /** SHA-256 in hexadecimal. */
  readonly digest: string;
  readonly name: string | undefined;
  /** Whose limits it uses: a rotated key shares them with its predecessor. SHA-256 in hexadecimal. */
  readonly account: string;
  /** When it expires, where that is within `SOON_DAYS`. */
  readonly expiresSoon?: string | undefined;
  readonly scopes: ReadonlySet<Scope>;
  /** Asset-steps per minute; no limit where undefined. */
  readonly workPerMinute: number | undefined;
  /** The same of a day and of a month (UTC). */
  readonly workPerDay: number | undefined;
  readonly workPerMonth: number | undefined;
  /** Requests at the same time; no limit where undefined. */
  readonly concurrent: number | undefined;
}

export type KeyVerdict =
  | { readonly known: KnownKey }
  | { readonly known: undefined; readonly why: 'missing' | 'unknown' | 'expired' };

export type KeyRing = ReturnType<typeof openKeyRing>;

/** Days before its expiry from which answers to a key say so. */
const SOON_DAYS = 14;
/** Time after which a change of the file takes effect at the latest. */
const WATCH_MS = 1000;

/**
 * @param options.hashes digests of keys with the scopes `operate` and `read`, without limits
 * @throws KeyFileError where the file is faulty at the start
 */
export function openKeyRing(options: {
  readonly hashes: readonly string[];
  readonly file?: string | undefined;
  readonly log: Logger;
  readonly now?: () => Date;
  /** Called with the entries of the file as often as it is read, for the record. */
  readonly onKeys?: (record: object) => void;
}) {
  const { hashes, file, log, now = () => new Date(), onKeys = () => {} } = options;
  const configured: readonly KnownKey[] = hashes.map(digest => ({
    digest,
    account: digest,
    name: undefined,
    scopes: new Set<Scope>(['operate', 'read']),
    workPerMinute: undefined,
    workPerDay: undefined,
    workPerMonth: undefined,
    concurrent: undefined,
  }));
  let entries: readonly KeyEntry[] = [];
  let known = new Map<string, KnownKey>();
  let digestOf: ReturnType<typeof createKeyCheck>;
  let fileIsFaulty = false;

  function take(read: readonly KeyEntry[]): void {
    onKeys({ keys: read.map(({ sha256: _, ...shown }) => shown) });
    entries = read.filter(({ revoked }) => revoked === undefined);
    known = new Map(configured.map(key => [key.digest, key]));
    for (const { sha256: digest, name, scopes, concurrent, ...limits } of entries)
      known.set(digest, {
        ...{ digest, name, concurrent, account: hashKey(`name ${name}`).toString('hex') },
        scopes: new Set(scopes),
        workPerMinute: limits.work_per_minute,
        workPerDay: limits.work_per_day,
        workPerMonth: limits.work_per_month,
      });
    digestOf = createKeyCheck([...known.keys()]);
  }

  const expiryOf = (digest: string) => entries.find(({ sha256 }) => sha256 === digest)?.expires;
  const isExpired = (digest: string) => {
    const expires = expiryOf(digest);
    return expires !== undefined && Date.parse(expires) <= now().getTime();
  };

  /** The key with its expiry where that is near. */
  function withExpiry(key: KnownKey): KnownKey {
    const expires = expiryOf(key.digest);
    const isSoon = expires !== undefined && Date.parse(expires) - now().getTime() < SOON_DAYS * 86_400_000;
    return isSoon ? { ...key, expiresSoon: expires } : key;
  }

  /** Reads the file again. */
  function reload(): void {
    if (file === undefined) return;
    try {
      take(readKeyFile(file));
      fileIsFaulty = false;
      log.info({ keys: entries.length }, 'the file of keys was read');
    } catch (error) {
      fileIsFaulty = true;
      log.error(
        { reason: (error as Error).message },
        'the file of keys is faulty; the keys stay as they were',
      );
    }
  }

  take(file === undefined ? [] : readKeyFile(file));
  if (file !== undefined) watchFile(file, { interval: WATCH_MS, persistent: false }, reload);
  return {
    check(sent: string | undefined): KeyVerdict {
      const digest = digestOf(sent);
      if (digest === undefined) return { known: undefined, why: sent === undefined ? 'missing' : 'unknown' };
      const key = known.get(digest);
      return key === undefined || isExpired(digest)
        ? { known: undefined, why: 'expired' }
        : { known: withExpiry(key) };
    },
    /** The key of a digest; undefined once it is revoked or has expired. */
    find: (digest: string): KnownKey | undefined => (isExpired(digest) ? undefined : known.get(digest)),
    /** The valid keys, of each account the latest, with their expiry. */
    accounts(): readonly (KnownKey & { readonly expires: string | undefined })[] {
      const latest = new Map<string, KnownKey>();
      for (const key of known.values()) if (!isExpired(key.digest)) latest.set(key.account, key);
      return [...latest.values()].map(key => ({ ...withExpiry(key), expires: expiryOf(key.digest) }));
    },
    reload,
    /** Whether the keys are those of the file; false while that is faulty; undefined without a file. */
    get isFileInForce(): boolean | undefined {
      return file === undefined ? undefined : !fileIsFaulty;
    },
    close(): void {
      if (file !== undefined) unwatchFile(file, reload);
    },
  };
}
