/**
 * Reads a JSON body, or refuses it with 415, 413 or 400, in this order.
 *
 * Gives: `ctx.request.body`, any JSON value, and `ctx.request.rawBody`, its text.
 * Must not know: the schema of the body. The schema refuses an own member `__proto__`.
 */
import type { Readable } from 'node:stream';
import bodyParser from 'koa-bodyparser';
import { unlessAborted } from '../../core/async.ts';
import { digestOf, joinedBytes, PIECE_BYTES } from '../../host/long-bytes.ts';
import { parseJson } from '../../question/request/json-form.ts';
import type { Quota } from '../admission/quota.ts';
import { HttpRefusal, RateLimited } from '../answers/problem.ts';
import type { Context, Middleware } from './context.ts';

declare module 'koa' {
  interface Request {
    /** Instead of `body` and `rawBody`, where the operation reads bytes. */
    rawBytes?: Uint8Array;
  }
}

/** The content type of a body without its parameters. */
export const contentType = (ctx: Context): string =>
  ctx.get('content-type').split(';', 1)[0].trim().toLowerCase();

/** Refuses bodies that are not declared as one of these types in UTF-8 without compression. */
export const requireContentType =
  (...expected: readonly string[]): Middleware =>
  async (ctx, next) => {
    const [type, ...parameters] = ctx
      .get('content-type')
      .split(';')
      .map(part => part.trim().toLowerCase());
    const charset = parameters.find(parameter => parameter.startsWith('charset'));
    if (!expected.includes(type) || (charset !== undefined && !/^charset\s*=\s*"?utf-8"?$/.test(charset)))
      throw new HttpRefusal(
        415,
        `The body must be sent with Content-Type: ${expected.join(' or ')} (UTF-8).`,
      );
    const encoding = ctx.get('content-encoding').toLowerCase();
    if (encoding !== '' && encoding !== 'identity')
      throw new HttpRefusal(415, 'The body must be sent without a Content-Encoding.');
    await next();
  };

export const CSV = 'text/csv';
export const requireJson = requireContentType('application/json');

/**
 * Parses a body of at most `limit` bytes before the deadline; an empty one is not JSON.
 *
 * @param limit bytes. Parsing runs on the event loop: 64 KiB of the slowest JSON take some ten milliseconds.
 */
export function readJson(limit: number): Middleware {
  // Read as latin1 text, one byte per character: UTF-8 is checked here, and the text is parsed once.
  const parser = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    encoding: 'latin1',
    textLimit: String(limit),
  });
  return async (ctx, next) => {
    await untilRead(
      ctx,
      limit,
      parser(ctx, async () => {}),
    );
    // Without Content-Length and Transfer-Encoding the parser sets none.
    const bytes = Buffer.from(ctx.request.rawBody ?? '', 'latin1');
    if (bytes.length === 0) throw new HttpRefusal(400, 'The body is empty; it must be JSON.');
    const { value, text } = decodeJson(bytes, 'body');
    ctx.request.rawBody = text;
    ctx.request.body = value;
    await next();
  };
}

/**
 * Reads the bytes of a body of at most `limit` bytes, which the operation parses elsewhere; `rawBody` becomes their digest.
 *
 * The bytes count against the quota until the request is answered, or its answer is counted in their place.
 *
 * @param limit bytes
 */
export function takeBytes(limit: number, quota: Quota): Middleware {
  return async (ctx, next) => {
    const { grow, release } = quota.growing(ctx.state.caller);
    ctx.state.releaseBody = () => {
      delete ctx.request.rawBytes;
      release();
    };
    try {
      const bytes = await readBytes(ctx, limit, grow);
      if (bytes.length === 0)
        throw new HttpRefusal(
          400,
          `The body is empty, which is not ${contentType(ctx) === CSV ? 'CSV' : 'JSON'}.`,
        );
      await giveBytes(ctx, bytes);
      await next();
    } finally {
      release();
    }
  };
}

/** Sets the bytes that the operation reads, and their digest. */
export async function giveBytes(ctx: Context, bytes: Uint8Array): Promise<void> {
  ctx.request.rawBody = await digestOf(bytes);
  ctx.request.rawBytes = bytes;
}

/**
 * The bytes of a body of at most `limit` bytes, before the deadline.
 *
 * @param count called before bytes are kept in memory: once with the announced length, else with each piece that has arrived; its
 *   error ends the reading
 * @throws HttpRefusal 413 or 400, or the error of `count`
 */
export const readBytes = (ctx: Context, limit: number, count: (bytes: number) => void): Promise<Buffer> =>
  untilRead(ctx, limit, collectBytes(ctx, limit, count));

/** Waits for a body until the deadline. */
async function untilRead<T>(ctx: Context, limit: number, reading: Promise<T>): Promise<T> {
  const { signal } = ctx.state;
  try {
    return await unlessAborted(reading, signal);
  } catch (error) {
    // After the deadline or the end of the connection, the rest of the body is not read.
    if (signal.aborted) ctx.set('Connection', 'close');
    signal.throwIfAborted();
    // Packages load their parts at the first use; those that are gone are no fault of the caller.
    if (error instanceof RateLimited || (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND')
      throw error;
    throw (error as { readonly status?: number }).status === 413
      ? bodyTooLarge(limit)
      : new HttpRefusal(400, 'The body could not be read completely.');
  }
}

/**
 * Copies each piece as it arrives: joining 64 MiB at once, as raw-body does, would block the event loop for tens of milliseconds.
 * Memory for a body of unknown length grows with it.
 */
async function collectBytes(
  { req, state }: Context,
  limit: number,
  count: (bytes: number) => void,
): Promise<Buffer> {
  const announced = req.headers['content-length'];
  const length = Number(announced ?? 0);
  if (length > limit) throw bodyTooLarge(limit);
  count(length);
  const blocks: Buffer[] = [Buffer.allocUnsafe(length)];
  let [total, free] = [0, length];
  await everyPiece(req, piece => {
    // What is counted now would not be released.
    state.signal.throwIfAborted();
    total += piece.length;
    if (total > limit) throw bodyTooLarge(limit);
    if (announced === undefined) count(piece.length);
    for (let at = 0; at < piece.length; ) {
      if (free === 0) free = blocks[blocks.push(Buffer.allocUnsafe(PIECE_BYTES)) - 1].length;
      const block = blocks[blocks.length - 1];
      const copied = piece.copy(block, block.length - free, at);
      at += copied;
      free -= copied;
    }
  });
  return announced === undefined ? joinedBytes(blocks, total) : blocks[0].subarray(0, total);
}

/** Pieces of a body that are taken in one turn of the event loop: less than a millisecond where they have a byte each. */
const PIECES_PER_TURN = 1000;

/**
 * Calls `take` for every piece of a stream, without a promise for each: of chunks of a byte Node reads ten thousand at a time. An error of
 * `take` ends the reading; the stream stays open, as its connection does for a refusal.
 */
function everyPiece(stream: Readable, take: (piece: Buffer) => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    let taken = 0;
    const taking = (piece: Buffer) => {
      try {
        take(piece);
      } catch (error) {
        stream.off('data', taking).pause();
        reject(error);
        return;
      }
      taken += 1;
      if (taken % PIECES_PER_TURN !== 0) return;
      stream.pause();
      setImmediate(() => stream.resume());
    };
    stream
      .once('end', resolve)
      .once('error', reject)
      .once('close', () => reject(new Error('the stream was closed before its end')))
      .on('data', taking);
  });
}

/** @param limit bytes */
export const bodyTooLarge = (limit: number) =>
  new HttpRefusal(413, `The body is larger than ${limit / 1024} KiB.`);

/**
 * The value and the text of some bytes.
 *
 * @param what name of the bytes in messages: `body`, `line`
 * @throws HttpRefusal 400
 */
export function decodeJson(bytes: Uint8Array, what: string): { value: unknown; text: string } {
  const parsed = parseJson(bytes, what);
  if ('unreadable' in parsed) throw new HttpRefusal(400, parsed.unreadable);
  return parsed;
}
