/**
 * Reads the bodies of books: a short one on the event loop, a longer one in a thread, whose heap is bounded.
 *
 * Takes: bytes. Gives: a request by columns. Must not know: HTTP.
 */
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { type Asker, createTurns } from '../../core/turns.ts';
import type { PricesOf, WantedPrices } from '../request/prices.ts';
import { type ReadBodies, type ReadBytes, type ReadingTerms, readBytes } from './read-bytes.ts';
import type { ReadingTask } from './reading-thread.ts';

/** Longer bodies are read in the thread: so many bytes are a hundred loans in JSON, or three hundred rows of a tape, some 40 ms. */
const LOOP_BYTES = 2 ** 15;
/** Heap of the thread, MiB: twice what a body of 16 MiB takes. */
const MAX_HEAP_MIB = 1024;

/**
 * Reads a body, a long one when it is the caller's turn. An abort ends the thread; the pool starts another one.
 *
 * @param pricesOf source of the prices of amounts
 * @throws the signal's reason once it is aborted, or the error of `pricesOf`
 */
export type ReadLongBody = <Q extends keyof ReadBodies>(
  bytes: Uint8Array,
  terms: ReadingTerms<Q>,
  asker: Asker,
  pricesOf: PricesOf,
) => Promise<ReadBytes<Q>>;

/** @param maxHeapMib heap of the thread, MiB */
export function createBookReader(maxHeapMib: number): ReadLongBody {
  const turns = createTurns(1);
  let pool: Piscina<ReadingTask, ReadBytes> | undefined;

  function openPool(): Piscina<ReadingTask, ReadBytes> {
    const opened = new Piscina<ReadingTask, ReadBytes>({
      filename: new URL('./reading-thread.js', import.meta.url).href,
      minThreads: 1,
      maxThreads: 1,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMib },
    });
    // A thread that ends rejects its task; without a listener it would end the process, too.
    return opened.on('error', () => {});
  }

  async function inThread(
    bytes: Uint8Array,
    terms: ReadingTerms,
    signal: AbortSignal,
    pricesOf: PricesOf,
  ): Promise<ReadBytes> {
    pool ??= openPool();
    const { port1: here, port2: there } = new MessageChannel();
    let failure: { readonly error: unknown } | undefined;
    here.on('message', (wanted: WantedPrices) =>
      pricesOf(wanted).then(
        prices => here.postMessage(prices),
        (error: unknown) => {
          failure = { error };
          here.postMessage(undefined);
        },
      ),
    );
    try {
      return await pool.run({ bytes, terms, prices: there }, { transferList: [there], signal });
    } catch (error) {
      signal.throwIfAborted();
      if (failure !== undefined) throw failure.error;
      if ((error as NodeJS.ErrnoException).code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error;
      return { ok: false, unreadable: `The body takes more than ${maxHeapMib} MiB of memory to be read.` };
    } finally {
      here.close();
    }
  }

  // What is read follows from the question.
  return ((bytes, terms, asker, pricesOf) =>
    bytes.byteLength <= LOOP_BYTES
      ? readBytes(bytes, terms, pricesOf)
      : turns.run(asker, () => inThread(bytes, terms, asker.signal, pricesOf))) as ReadLongBody;
}

export const readLongBody: ReadLongBody = createBookReader(MAX_HEAP_MIB);
