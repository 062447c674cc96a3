/**
 * An answer that is written piece by piece while the request is still computed.
 *
 * Koa sends a body when all middleware has returned; here the middleware writes itself, so that the deadline, the abort by
 * the client and the line of the log cover the whole answer. Must not know: what is written.
 */
import { once } from 'node:events';
import type { Context } from './context.ts';

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
