/**
 * An answer that is sent as fast as its caller reads it. Unread bytes count against the caller; a caller that
 * reads nothing is disconnected.
 *
 * Must not know: what the answer says.
 */
import type { Clock } from '../core/clock.ts';
import type { Context } from './context.ts';
import { CallerGone } from './deadline.ts';
import type { Quota } from './quota.ts';

/** Shorter answers fit into the buffers of a connection. */
const LARGE_CHARACTERS = 256 * 1024;
const PIECE_CHARACTERS = 64 * 1024;
/** The connection of a caller that reads nothing for so long is closed. */
export const STALL_MILLISECONDS = 30_000;

export interface SendTextOptions {
  /** Bytes of answers that are not taken yet. */
  readonly answers: Quota;
  readonly clock: Clock;
}

/** Sends a text with the headers set so far. @throws CallerGone where the connection is closed before its end */
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
    for (let from = 0, to = 0; from < text.length; from = to) {
      to = from + PIECE_CHARACTERS;
      // The two halves of a character beyond the basic plane stay together.
      if (isHighSurrogate(text.charCodeAt(to - 1))) to++;
      if (!res.write(text.slice(from, to))) await drained(ctx, clock);
    }
    res.end();
  } finally {
    release();
  }
}

const isHighSurrogate = (code: number) => code >= 0xd800 && code <= 0xdbff;

/** Waits until the caller has taken what was written. */
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
