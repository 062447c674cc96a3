/** A thread that reads the bodies of books, one after another. */
import { once } from 'node:events';
import type { MessagePort } from 'node:worker_threads';
import type { Closes } from '../request/prices.ts';
import { type ReadBytes, type ReadingTerms, readBytes } from './read-bytes.ts';

export interface ReadingTask {
  readonly bytes: Uint8Array;
  readonly terms: ReadingTerms;
  /** Takes the prices that are wanted, and gives them; `undefined` where there are none. */
  readonly prices: MessagePort;
}

export default async function read({ bytes, terms, prices }: ReadingTask): Promise<ReadBytes> {
  try {
    return await readBytes(bytes, terms, async wanted => {
      prices.postMessage(wanted);
      const [found] = (await once(prices, 'message')) as [Closes | undefined];
      if (found === undefined) throw new Error('The prices of the body cannot be read.');
      return found;
    });
  } finally {
    prices.close();
  }
}
