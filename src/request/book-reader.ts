/**
 * Reads bodies of /book_risk off the event loop, which 64 MiB of JSON would keep for seconds.
 *
 * Takes: bytes. Gives: a request by columns. Must not know: HTTP.
 */
import { Piscina } from 'piscina';
import type { Day } from '../calendar-date.ts';
import type { ReadBytes } from './book-reader-worker.ts';

/** A thread that has nothing to read ends after this. */
const IDLE_MS = 30_000;
/** Bodies that are read at once. */
const MAX_THREADS = 2;

let pool: Piscina | undefined;

/**
 * Reads a body sent on the day `today`.
 *
 * @param aliases symbols that stand for other assets
 */
export async function readBookBytes(
  bytes: Uint8Array,
  today: Day,
  aliases: readonly (readonly [symbol: string, asset: string])[],
): Promise<ReadBytes> {
  pool ??= new Piscina({
    filename: new URL('./book-reader-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
  });
  // A buffer of its own changes hands instead of being copied.
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
  return (await pool.run(
    { bytes: own, today, aliases },
    { transferList: [own.buffer as ArrayBuffer] },
  )) as ReadBytes;
}
