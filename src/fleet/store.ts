/**
 * The store that the processes of a fleet share in addition to the queue: bytes by name, with an expiry.
 *
 * Large plans and outcomes go through here; the queue carries their names only. Gives: types. Must not know: Redis,
 * what the bytes are.
 */

/** Longest wait for a store or queue that does not answer while it is closed. */
export const CLOSE_MS = 1_000;

/**
 * A connection to Redis on which nothing has arrived for this time after a command is replaced: after a failover the old one may stay
 * open for a quarter of an hour without a word. Longer than Redis is asked to wait for a part (10 s).
 */
export const SILENT_CONNECTION_MS = 30_000;

/** Bytes under a name until they expire; they replace earlier ones. */
export interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly seconds: number;
  /** The list that contains the name while the entry exists. */
  readonly list?: string;
}

/** Entries that are written and removed together, and the conditions for that. */
export interface Change {
  /** There is nothing under these names; otherwise `taken`. */
  readonly free?: readonly string[];
  /** The list has fewer entries than this; otherwise `full`. */
  readonly room?: { readonly list: string; readonly most: number };
  /** There is nothing, or the same bytes, under this name; otherwise `lost`. It is written with this expiry from now. */
  readonly held?: Entry;
  /** The same bytes under the same name get the new expiry, even if the store is full. */
  readonly put?: readonly Entry[];
  readonly forget?: readonly string[];
}

export type Changed = 'done' | 'taken' | 'full' | 'lost';

/**
 * Bytes by name. Every call waits while the store is unavailable, and continues when it is available again; a call whose answer was
 * lost is repeated.
 */
export interface FleetStore {
  put(entry: Entry): Promise<void>;
  /**
   * Makes a change atomically: no other process sees a part of it, or acts between the conditions and the change.
   * @returns the first condition that does not hold, in the order of the members
   */
  change(change: Change): Promise<Changed>;
  /** The bytes under each name. */
  get(names: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Renews the expiry of a name. @returns false where there is no entry */
  touch(name: string, seconds: number): Promise<boolean>;
  forget(names: readonly string[]): Promise<void>;
  /** Names of the entries of a list. */
  list(list: string): Promise<readonly string[]>;
  close(): Promise<void>;
}
