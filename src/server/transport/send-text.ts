/**
 * Answers that are sent as fast as their clients read them: whole, or pieces while the request is still computed.
 *
 * Koa sends a body when all middleware has returned; here the middleware writes itself, so that the deadline, the abort by the client and
 * the line of the log cover the whole answer. Must not know: the content of the answer.
 */
import { once } from 'node:events';
import type { Clock } from '../../core/clock.ts';
import type { Quota } from '../admission/quota.ts';
import type { Context } from './context.ts';
import { CallerGone } from './deadline.ts';
import { packed, takesGzip } from './gzip.ts';

/** Shorter answers fit into the buffers of a connection. */
const LARGE_BYTES = 2 ** 18;
/** Bytes that are written at once. */
const PIECE_BYTES = 2 ** 16;
/** The connection of a client that reads nothing for this time is closed. */
export const STALL_MILLISECONDS = 30_000;

export interface SendOptions {
  /** Bytes of answers that are not read yet. */
  readonly answers: Quota;
  readonly clock: Clock;
}

/**
 * Sends bytes with the headers set so far, long ones in gzip to a client that takes it. Its unread bytes count against the caller; a client that reads nothing is disconnected.
 *
 * @throws CallerGone if the connection is closed before the end
 */
export async function sendBytes(
  ctx: Context,
  type: string,
  bytes: Uint8Array,
  { answers, clock }: SendOptions,
  status = 200,
): Promise<void> {
  ctx.status = status;
  ctx.type = type;
  if (bytes.length < LARGE_BYTES || ctx.method === 'HEAD') {
    ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return;
  }
  const { res } = ctx;
  const sent = takesGzip(ctx) ? await packed(ctx, bytes) : bytes;
  const release = answers.add(ctx.state.caller, sent.length);
  ctx.respond = false;
  ctx.length = sent.length;
  try {
    for (let at = 0; at < sent.length; at += PIECE_BYTES)
      if (!res.write(sent.subarray(at, at + PIECE_BYTES))) await drained(ctx, clock);
    res.end();
  } finally {
    release();
  }
}

/** Waits until the client has read the written bytes. */
function drained({ res }: Context, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const giveUp = clock.after(STALL_MILLISECONDS, () => res.destroy());
    const settle = (done: () => void) => () => {
      giveUp();
      res.removeListener('drain', onDrain);
      res.removeListener('close', onClose);
      done();
    };
    const onDrain = settle(resolve);
    const onClose = settle(() => reject(new CallerGone()));
    res.once('drain', onDrain);
    res.once('close', onClose);
    if (res.destroyed) onClose();
  });
}

export type StreamedResponse = ReturnType<typeof startStream>;

/** Sends status 200 with the headers set so far and `headers`; after this no problem document can be sent. */
export function startStream(ctx: Context, headers: Readonly<Record<string, string>>, signal: AbortSignal) {
  const { res } = ctx;
  ctx.set(headers);
  ctx.respond = false;
  ctx.status = 200;
  res.flushHeaders();
  return {
    /** Resolves when the client has read enough of the written bytes; rejects with the signal's reason. */
    async write(text: string): Promise<void> {
      signal.throwIfAborted();
      if (res.write(text)) return;
      await once(res, 'drain', { signal }).catch((error: unknown) => {
        signal.throwIfAborted();
        throw error;
      });
    },
    end(): void {
      res.end();
    },
  };
}
