/** Bodies and answers in gzip, packed and unpacked outside the event loop. Must not know: their content. */
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { HttpRefusal } from '../answers/problem.ts';
import type { Context } from './context.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** The encoding of the body of a request: `identity`, `gzip`, or one that is not taken. */
export const encodingOf = (ctx: Context): string => ctx.get('content-encoding').toLowerCase() || 'identity';

/**
 * The bytes of a body in gzip.
 *
 * @param limit most bytes that it may unpack to
 * @param tooLarge the refusal of a larger one
 * @throws HttpRefusal
 */
export async function unpacked(bytes: Uint8Array, limit: number, tooLarge: HttpRefusal): Promise<Uint8Array> {
  try {
    return await unpack(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge;
    throw new HttpRefusal(400, 'The body has Content-Encoding: gzip and is no complete gzip.');
  }
}

/** Whether the client of a request takes gzip; notes that the answer depends on it. */
export function takesGzip(ctx: Context): boolean {
  ctx.vary('Accept-Encoding');
  return ctx.acceptsEncodings('gzip', 'identity') === 'gzip';
}

/** Packs bytes fast rather than small, and says so in the headers. */
export async function packed(ctx: Context, bytes: Uint8Array | string): Promise<Uint8Array> {
  const short = await pack(bytes, { level: constants.Z_BEST_SPEED });
  ctx.set('Content-Encoding', 'gzip');
  // Repr-Digest would be that of the packed bytes.
  const digest = ctx.response.get('Repr-Digest');
  if (digest) {
    ctx.remove('Repr-Digest');
    ctx.set('Unencoded-Digest', digest);
  }
  return short;
}
