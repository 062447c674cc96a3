/**
 * Reads a JSON body, or refuses it with 415, 413 or 400, in this order.
 *
 * Gives: `ctx.request.body`, any JSON value, and `ctx.request.rawBody`, its text.
 * Must not know: the schema of the body. The schema refuses an own member `__proto__`.
 */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import bodyParser from 'koa-bodyparser';
import { unlessAborted } from '../core/async.ts';
import type { Context, Middleware } from './context.ts';
import { HttpRefusal } from './problem.ts';
import type { Quota } from './quota.ts';

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

/** Bytes of which a digest is made in one turn of the event loop: about a millisecond. */
const PIECE_BYTES = 2 ** 20;

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
 * The bytes count against the quota until the request is answered, or its answer is counted in their place; a body above the
 * quota is refused before it is read.
 *
 * @param limit bytes
 */
export function takeBytes(limit: number, quota: Quota): Middleware {
  return async (ctx, next) => {
    const release = quota.reserve(ctx.state.caller, announcedBytes(ctx, limit));
    ctx.state.releaseBody = () => {
      delete ctx.request.rawBytes;
      release();
    };
    try {
      const bytes = await readBytes(ctx, limit);
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
  const digest = createHash('sha256');
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    if (at > 0) await nextTurn();
    digest.update(bytes.subarray(at, at + PIECE_BYTES));
  }
  ctx.request.rawBody = digest.digest('hex');
  ctx.request.rawBytes = bytes;
}

/** Bytes of a body: from its header, else the limit of its path. */
export function announcedBytes(ctx: Context, limit: number): number {
  const length = Number(ctx.req.headers['content-length'] ?? limit);
  return Number.isFinite(length) ? Math.min(length, limit) : limit;
}

/** The bytes of a body of at most `limit` bytes, before the deadline. @throws HttpRefusal 413 or 400 */
export const readBytes = (ctx: Context, limit: number): Promise<Buffer> =>
  untilRead(ctx, limit, collectBytes(ctx, limit));

/** Waits for a body until the deadline. */
async function untilRead<T>(ctx: Context, limit: number, reading: Promise<T>): Promise<T> {
  const { signal } = ctx.state;
  try {
    return await unlessAborted(reading, signal);
  } catch (error) {
    // After the deadline or the end of the connection, the rest of the body is not read.
    if (signal.aborted) ctx.set('Connection', 'close');
    signal.throwIfAborted();
    throw (error as { readonly status?: number }).status === 413
      ? bodyTooLarge(limit)
      : new HttpRefusal(400, 'The body could not be read completely.');
  }
}

/** Copies each piece as it arrives: joining 64 MiB at the end, as raw-body does, would block the event loop for tens of milliseconds. */
async function collectBytes({ req }: Context, limit: number): Promise<Buffer> {
  const length = Number(req.headers['content-length'] ?? limit);
  if (length > limit) throw bodyTooLarge(limit);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  // The connection stays open for a refusal.
  for await (const piece of req.iterator({ destroyOnReturn: false })) {
    if (at + piece.length > limit) throw bodyTooLarge(limit);
    at += (piece as Buffer).copy(bytes, at);
  }
  return bytes.subarray(0, at);
}

/** @param limit bytes */
export const bodyTooLarge = (limit: number) =>
  new HttpRefusal(413, `The body is larger than ${limit / 1024} KiB.`);

// A byte order mark is not removed; JSON.parse refuses it (RFC 8259, section 8.1).
const UTF_8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The value and the text of some bytes.
 *
 * @param what name of the bytes in messages: `body`, `line`
 * @throws HttpRefusal 400
 */
export function decodeJson(bytes: Uint8Array, what: string): { value: unknown; text: string } {
  const text = decodeText(bytes, what);
  try {
    return { value: JSON.parse(text), text };
  } catch (error) {
    const place = error instanceof Error ? (/ at position \d+/.exec(error.message)?.[0] ?? '') : '';
    throw new HttpRefusal(400, `The ${what} is not JSON${place}.`);
  }
}

function decodeText(bytes: Uint8Array, what: string): string {
  try {
    return UTF_8.decode(bytes);
  } catch {
    throw new HttpRefusal(400, `The ${what} is not valid UTF-8.`);
  }
}
