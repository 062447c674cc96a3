/**
 * What the processes of a fleet share beside the queue: bytes by name, for a while.
 *
 * Large plans and outcomes go through here; the queue carries their names only. Gives: types. Must not know: Redis,
 * PostgreSQL, what the bytes are.
 */

/** How long a store or queue that does not answer is waited for when it is closed. */
export const CLOSE_MS = 1_000;

/** Bytes under a name for so long, in place of what was there. */
export interface Entry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly seconds: number;
  /** The list that names it for as long as it is there. */
  readonly list?: string;
}

/** Entries that are written and removed together, and the conditions for that. */
export interface Change {
  /** Nothing is under these names: else `taken`. */
  readonly free?: readonly string[];
  /** The list has fewer entries than that: else `full`. */
  readonly room?: { readonly list: string; readonly most: number };
  /** Nothing, or the same bytes, is under this name: else `lost`. It is written for so long from now. */
  readonly held?: Entry;
  /** The same bytes under the same name get the new time, also where the store has no room for more. */
  readonly put?: readonly Entry[];
  readonly forget?: readonly string[];
}

export type Changed = 'done' | 'taken' | 'full' | 'lost';

/**
 * Bytes by name. Every call waits while the store is away, and does its work when that is back; a call whose answer was lost on
 * the way is made again.
 */
export interface FleetStore {
  put(entry: Entry): Promise<void>;
  /**
   * Makes a change at once or not at all: no other process sees a part of it, or acts between the conditions and the change.
   * @returns the first condition that does not hold, in the order of the members
   */
  change(change: Change): Promise<Changed>;
  /** What is kept under each name. */
  get(names: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Keeps what is under a name for so long from now. @returns false where nothing is */
  touch(name: string, seconds: number): Promise<boolean>;
  forget(names: readonly string[]): Promise<void>;
  /** Names of the entries of a list. */
  list(list: string): Promise<readonly string[]>;
  close(): Promise<void>;
}
