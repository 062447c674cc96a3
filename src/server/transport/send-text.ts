/**
 * Answers that are sent as fast as their clients read them: a whole text, or pieces while the request is still computed.
 *
 * Koa sends a body when all middleware has returned; here the middleware writes itself, so that the deadline, the abort by the client and
 * the line of the log cover the whole answer. Must not know: the content of the answer.
 */
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../core/clock.ts';
import { joinedText, type LongText, lengthOf, textPieces } from '../../core/long-text.ts';
import type { Quota } from '../admission/quota.ts';
import type { Context } from './context.ts';
import { CallerGone } from './deadline.ts';

/** Shorter answers fit into the buffers of a connection. */
const LARGE_CHARACTERS = 256 * 1024;
/** Pieces whose bytes are counted, or that are written, in one turn of the event loop: some milliseconds where each is joined first. */
const PIECES_PER_TURN = 8;
/** The connection of a client that reads nothing for this time is closed. */
export const STALL_MILLISECONDS = 30_000;

export interface SendTextOptions {
  /** Bytes of answers that are not read yet. */
  readonly answers: Quota;
  readonly clock: Clock;
}

/**
 * Sends a text with the headers set so far. Its unread bytes count against the caller; a client that reads nothing is disconnected.
 *
 * @throws CallerGone if the connection is closed before the end
 */
export async function sendText(
  ctx: Context,
  type: string,
  text: LongText,
  { answers, clock }: SendTextOptions,
  status = 200,
): Promise<void> {
  ctx.status = status;
  ctx.type = type;
  if (lengthOf(text) < LARGE_CHARACTERS || ctx.method === 'HEAD') {
    ctx.body = joinedText(text);
    return;
  }
  const { res } = ctx;
  const pieces = textPieces(text);
  let bytes = 0;
  for (const [i, piece] of pieces.entries()) {
    bytes += Buffer.byteLength(piece);
    if (i % PIECES_PER_TURN === PIECES_PER_TURN - 1) await nextTurn();
  }
  const release = answers.add(ctx.state.caller, bytes);
  ctx.respond = false;
  ctx.length = bytes;
  try {
    for (const [i, piece] of pieces.entries()) {
      if (!res.write(piece)) await drained(ctx, clock);
      // A client that reads fast drains the connection in the turn of the write.
      if (i % PIECES_PER_TURN === PIECES_PER_TURN - 1) await nextTurn();
    }
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
