/**
 * What the processes of a fleet share beside the queue: bytes by name, for a while.
 *
 * Large plans and outcomes go through here; the queue carries their names only. Gives: types. Must not know: Redis,
 * PostgreSQL, what the bytes are.
 */

/** Bytes by name. Every call waits while the store is away, and does its work when that is back. */
export interface FleetStore {
  /** Keeps bytes under a name for so long, in place of what was there. */
  put(name: string, bytes: Uint8Array, seconds: number): Promise<void>;
  /** Keeps bytes under a name that is free. @returns false where it was not */
  putNew(name: string, bytes: Uint8Array, seconds: number): Promise<boolean>;
  /** What is kept under each name. */
  get(names: readonly string[]): Promise<readonly (Uint8Array | undefined)[]>;
  /** Keeps what is under a name for so long from now. @returns false where nothing is */
  touch(name: string, seconds: number): Promise<boolean>;
  forget(names: readonly string[]): Promise<void>;
  /** Names of what is kept in a list: entries that were put by `putListed`. */
  list(list: string): Promise<readonly string[]>;
  /** As `put`, with the name in a list for as long as it is kept. */
  putListed(list: string, name: string, bytes: Uint8Array, seconds: number): Promise<void>;
  close(): Promise<void>;
}
