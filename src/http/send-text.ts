/**
 * An answer that is sent as fast as its client reads it. Unread bytes count against the caller; a client that reads nothing is
 * disconnected.
 *
 * Must not know: the content of the answer.
 */
import type { Clock } from '../core/clock.ts';
import type { Context } from './context.ts';
import { CallerGone } from './deadline.ts';
import type { Quota } from './quota.ts';

/** Shorter answers fit into the buffers of a connection. */
const LARGE_CHARACTERS = 256 * 1024;
const PIECE_CHARACTERS = 64 * 1024;
/** The connection of a client that reads nothing for this time is closed. */
export const STALL_MILLISECONDS = 30_000;

export interface SendTextOptions {
  /** Bytes of answers that are not read yet. */
  readonly answers: Quota;
  readonly clock: Clock;
}

/** Sends a text with the headers set so far. @throws CallerGone if the connection is closed before the end */
export async function sendText(
  ctx: Context,
  type: string,
  text: string,
  { answers, clock }: SendTextOptions,
  status = 200,
): Promise<void> {
  ctx.status = status;
  ctx.type = type;
  if (text.length < LARGE_CHARACTERS || ctx.method === 'HEAD') {
    ctx.body = text;
    return;
  }
  const { res } = ctx;
  const bytes = Buffer.byteLength(text);
  const release = answers.add(ctx.state.caller, bytes);
  ctx.respond = false;
  ctx.length = bytes;
  try {
    for (let from = 0; from < text.length; ) {
      let to = from + PIECE_CHARACTERS;
      // Surrogate pairs are not split.
      if (isHighSurrogate(text.charCodeAt(to - 1))) to++;
      if (!res.write(text.slice(from, to))) await drained(ctx, clock);
      from = to;
    }
    res.end();
  } finally {
    release();
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

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
