/**
 * Reads bodies of /book_risk off the event loop, which 64 MiB of JSON would keep for seconds.
 *
 * Takes: bytes. Gives: a request by columns. Must not know: HTTP.
 */
import { Piscina } from 'piscina';
import type { Day } from '../../calendar-date.ts';
import { onAbort } from '../../core/async.ts';
import { type Asker, createTurns } from '../../core/turns.ts';
import type { ReadBytes } from './reader-worker.ts';

/** A thread that has nothing to read ends after this. */
const IDLE_MS = 30_000;
/** Bodies that are read at once, of one caller one at a time. */
const MAX_THREADS = 2;
/** Heap of a thread: a body of 64 MiB in the form of the largest book takes less than 1 GiB. */
const MAX_HEAP_MIB = 1536;

const turns = createTurns(MAX_THREADS);

let pool: Piscina | undefined;

/**
 * Reads a body sent on the day `today`, when it is the caller's turn. Once the signal is aborted its thread is ended.
 *
 * @param aliases symbols that stand for other assets
 * @throws the signal's reason once it is aborted
 */
export async function readBookBytes(
  bytes: Uint8Array,
  today: Day,
  aliases: readonly (readonly [symbol: string, asset: string])[],
  asker: Asker,
): Promise<ReadBytes> {
  return await turns.run(asker, () => read(bytes, today, aliases, asker.signal));
}

async function read(
  bytes: Uint8Array,
  today: Day,
  aliases: readonly (readonly [symbol: string, asset: string])[],
  signal: AbortSignal,
): Promise<ReadBytes> {
  pool ??= new Piscina({
    filename: new URL('./reader-worker.js', import.meta.url).href,
    minThreads: 0,
    maxThreads: MAX_THREADS,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
  });
  // A buffer of its own changes hands instead of being copied.
  const own = bytes.byteLength === bytes.buffer.byteLength ? bytes : Uint8Array.from(bytes);
  const stop = new AbortController();
  const forget = onAbort(signal, () => stop.abort());
  try {
    return (await pool.run(
      { bytes: own, today, aliases },
      { transferList: [own.buffer as ArrayBuffer], signal: stop.signal },
    )) as ReadBytes;
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
    return { ok: false, unreadable: `The body takes more than ${MAX_HEAP_MIB} MiB of memory to be read.` };
  } finally {
    forget();
  }
}
