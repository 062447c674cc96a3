/**
 * Reads bodies with long lists of loans in separate processes. 64 MiB of JSON would block the event loop for seconds, and a body that
 * exceeds the memory ends the reader process, not the server.
 *
 * Takes: bytes. Gives: a request by columns. Must not know: HTTP.
 */
import { type Asker, createTurns } from '../../core/turns.ts';
import type { PricesOf } from '../request/prices.ts';
import type {
  AnyRead,
  AnyTerms,
  LongQuestion,
  ReadBytes,
  ReadingTerms,
  TapeReadingTerms,
} from './read-bytes.ts';
import { ReaderHandle, ReaderOutOfMemory } from './reader-handle.ts';
import type { Read, TapeBody } from './tape-body.ts';

/** An idle process ends after this time, but for the last one: a start copies the page tables of the server, 30 ms for a GiB in use. */
const IDLE_MS = 30_000;
/** Bodies read at the same time; of one caller, one at a time. */
const MAX_PROCESSES = 2;
/** Heap of a process, MiB: enough for a body of 64 MiB in the form of the largest book. */
const MAX_HEAP_MIB = 1024;

/**
 * Reads a body when it is the caller's turn. An aborted signal ends the process.
 *
 * @param pricesOf source of the prices of amounts
 * @throws the signal's reason once it is aborted
 */
export interface ReadLongBody {
  <Q extends LongQuestion>(
    bytes: Uint8Array,
    terms: ReadingTerms<Q>,
    asker: Asker,
    pricesOf: PricesOf,
  ): Promise<ReadBytes<Q>>;
  (bytes: Uint8Array, terms: TapeReadingTerms, asker: Asker, pricesOf: PricesOf): Promise<Read<TapeBody>>;
}

/** @param maxHeapMib heap of each process, MiB */
export function createBookReader(maxHeapMib: number): ReadLongBody {
  const turns = createTurns(MAX_PROCESSES);
  const idle = new Map<ReaderHandle, NodeJS.Timeout>();

  function take(): ReaderHandle {
    for (const [reader, timer] of idle) {
      clearTimeout(timer);
      idle.delete(reader);
      if (!reader.ended) return reader;
    }
    return new ReaderHandle(maxHeapMib);
  }

  function giveBack(reader: ReaderHandle): void {
    if (reader.ended) return;
    const timer = setTimeout(() => {
      if (idle.size === 1) return;
      idle.delete(reader);
      reader.end();
    }, IDLE_MS);
    idle.set(reader, timer.unref());
  }

  async function read(
    bytes: Uint8Array,
    terms: AnyTerms,
    signal: AbortSignal,
    pricesOf: PricesOf,
  ): Promise<AnyRead> {
    const reader = take();
    try {
      return await reader.read(bytes, terms, signal, pricesOf);
    } catch (error) {
      if (!(error instanceof ReaderOutOfMemory)) throw error;
      return { ok: false, unreadable: `The body takes more than ${maxHeapMib} MiB of memory to be read.` };
    } finally {
      giveBack(reader);
    }
  }

  return ((bytes: Uint8Array, terms: AnyTerms, asker: Asker, pricesOf: PricesOf) =>
    turns.run(asker, () => read(bytes, terms, asker.signal, pricesOf))) as ReadLongBody;
}

export const readLongBody: ReadLongBody = createBookReader(MAX_HEAP_MIB);
