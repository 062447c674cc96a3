/**
 * Reads the bytes of a body, or refuses it with 415, 413 or 400, in this order.
 *
 * Must not know: the form of the body.
 */
import bodyParser from 'koa-bodyparser';
import { unlessAborted } from '../../core/async.ts';
import { COMMAND_TAKES_MORE } from '../../question/book/request.ts';
import { BOOK_BODY_BYTES } from '../../question/question.ts';
import { parseJson } from '../../question/request/json-form.ts';
import type { GrowingAmount, Quota } from '../admission/quota.ts';
import { HttpRefusal, RateLimited } from '../answers/problem.ts';
import { contradicts, digestOf } from '../audit/digest.ts';
import { type Context, header, type Middleware } from './context.ts';
import { encodingOf, unpacked } from './gzip.ts';

/** The content type of a body without its parameters. */
export const contentType = (ctx: Context): string =>
  ctx.get('content-type').split(';', 1)[0].trim().toLowerCase();

/** Refuses bodies that are not declared as one of these types in UTF-8, plain or in gzip. */
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
    if (!['identity', 'gzip'].includes(encodingOf(ctx)))
      throw new HttpRefusal(415, 'The body must be sent plain or with Content-Encoding: gzip.', {
        'Accept-Encoding': 'gzip',
      });
    await next();
  };

export const CSV = 'text/csv';

/**
 * Reads the bytes of a body of at most `limit` bytes.
 *
 * @param quota counts them until the request is answered, or its answer is counted in their place; absent for short bodies
 */
export function takeBody(limit: number, quota?: Quota): Middleware {
  const shortBytes = shortBodyReader(limit);
  return async (ctx, next) => {
    const amount = quota?.growing(ctx.state.caller) ?? UNCOUNTED;
    ctx.state.releaseBody = () => {
      delete ctx.state.body;
      amount.release();
    };
    try {
      const bytes =
        quota === undefined && encodingOf(ctx) === 'identity'
          ? await shortBytes(ctx)
          : await readBody(ctx, limit, amount);
      if (bytes.length === 0)
        throw new HttpRefusal(
          400,
          `The body is empty; it must be ${contentType(ctx) === CSV ? 'CSV' : 'JSON'}.`,
        );
      ctx.state.body = bytes;
      await next();
    } finally {
      amount.release();
    }
  };
}

/** Adds the digest of a body to the facts. @throws HttpRefusal 400 where the header `Content-Digest` states another */
async function noteDigest(ctx: Context, bytes: Uint8Array): Promise<void> {
  const digest = await digestOf(bytes);
  ctx.state.facts.request_digest = digest;
  if (contradicts(header(ctx, 'content-digest'), digest))
    throw new HttpRefusal(400, 'The header Content-Digest states another SHA-256 than that of the body.');
}

const UNCOUNTED = { grow: () => {}, release: () => {} };

/** The bytes of bodies that need no quota: read as latin1 text, one byte a character. */
function shortBodyReader(limit: number): (ctx: Context) => Promise<Buffer> {
  const parser = bodyParser({
    enableTypes: ['text'],
    extendTypes: { text: ['application/json'] },
    encoding: 'latin1',
    textLimit: String(limit),
  });
  return async ctx => {
    await untilRead(
      ctx,
      limit,
      parser(ctx, async () => {}),
    );
    // Without Content-Length and Transfer-Encoding the parser sets none.
    const bytes = Buffer.from(ctx.request.rawBody ?? '', 'latin1');
    await noteDigest(ctx, bytes);
    return bytes;
  };
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

/**
 * The same, unpacked where it was sent in gzip. Adds the digest of what was sent to the facts.
 *
 * @param amount counts what is kept in memory; of a packed body, until it is unpacked, what it may unpack to
 */
export async function readBody(ctx: Context, limit: number, amount: GrowingAmount): Promise<Uint8Array> {
  const bytes = await readBytes(ctx, limit, amount.grow);
  await noteDigest(ctx, bytes);
  if (encodingOf(ctx) === 'identity') return bytes;
  amount.grow(limit);
  const body = await unpacked(bytes, limit, bodyTooLarge(limit));
  amount.release();
  amount.grow(body.length);
  return body;
}

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

/** Bytes of a block of a body of unknown length. */
const BLOCK_BYTES = 2 ** 20;

/** Copies each piece as it arrives: pieces of one byte each would take a hundred times their size. Memory grows with the body. */
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
  // The connection stays open after an error of the loop, for the refusal.
  for await (const piece of req.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    // What is counted now would not be released.
    state.signal.throwIfAborted();
    total += piece.length;
    if (total > limit) throw bodyTooLarge(limit);
    if (announced === undefined) count(piece.length);
    for (let at = 0; at < piece.length; ) {
      if (free === 0) free = blocks[blocks.push(Buffer.allocUnsafe(BLOCK_BYTES)) - 1].length;
      const block = blocks[blocks.length - 1];
      const copied = piece.copy(block, block.length - free, at);
      at += copied;
      free -= copied;
    }
  }
  return announced === undefined ? Buffer.concat(blocks, total) : blocks[0].subarray(0, total);
}

/** @param limit bytes */
export const bodyTooLarge = (limit: number) =>
  new HttpRefusal(
    413,
    `The body is larger than ${limit / 1024} KiB${limit === BOOK_BODY_BYTES ? `; ${COMMAND_TAKES_MORE} loans` : ''}.`,
  );

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
