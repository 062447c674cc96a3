/**
 * A process that reads bodies with long lists of loans, one after another: terms by a message, bytes by standard input.
 *
 * It ends with the server, or when its heap is full: V8 ends the whole process, not a thread, when a list exceeds the heap.
 */
import { leaveSignalsToServer } from '../../host/child-signals.ts';
import type { PricesOf, WantedPrices } from '../request/prices.ts';
import { detachLong, type LongPart } from './long-parts.ts';
import { type AnyTerms, readAny } from './read-bytes.ts';

export type ReaderTask = AnyTerms & {
  /** Bytes that follow on standard input, at least 1. */
  readonly length: number;
};
/** What was read, without its long members, whose bytes follow on standard output. */
interface ReadAnswer {
  readonly read: unknown;
  readonly parts: readonly LongPart[];
}
type ReaderAnswer = ReadAnswer | { readonly error: unknown };
/** A message of the process: an answer, or a request for prices. */
export type ReaderMessage = ReaderAnswer | { readonly wanted: WantedPrices };
export interface PricesMessage {
  readonly prices: Awaited<ReturnType<PricesOf>>;
}

let deliver: ((prices: PricesMessage['prices']) => void) | undefined;
/** Requests prices from the server, which has the market. */
const askForPrices: PricesOf = wanted =>
  new Promise(resolve => {
    deliver = resolve;
    process.send?.({ wanted } satisfies ReaderMessage);
  });

async function take(length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let at = 0;
  for await (const chunk of process.stdin.iterator({ destroyOnReturn: false })) {
    bytes.set(chunk, at);
    at += chunk.length;
    if (at === length) break;
  }
  return bytes;
}

async function answer({ length, ...terms }: ReaderTask): Promise<void> {
  const send = (message: ReaderAnswer) => process.send?.(message);
  try {
    const { rest, parts, pieces } = detachLong(await readAny(await take(length), terms, askForPrices));
    send({ read: rest, parts });
    for (const piece of pieces) process.stdout.write(piece);
  } catch (error) {
    send({ error });
  }
}

process.on('message', (message: ReaderTask | PricesMessage) => {
  if ('prices' in message) deliver?.(message.prices);
  else void answer(message);
});
process.once('disconnect', () => process.exit());
// The server reads bodies until it stops.
leaveSignalsToServer();
