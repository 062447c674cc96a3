/** Bytes that may be as many as the answer of the largest book: they are copied, digested, written and read a piece in a turn of the event loop. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes, or their pieces in order. */
export type LongBytes = Uint8Array | readonly Uint8Array[];

/** Most bytes of a piece: about a millisecond. */
export const PIECE_BYTES = 2 ** 20;

/** Whether bytes are handled in pieces. */
export const isLong = (bytes: LongBytes): boolean =>
  Array.isArray(bytes) || lengthOfBytes(bytes) > PIECE_BYTES;

export const lengthOfBytes = (bytes: LongBytes): number =>
  bytes instanceof Uint8Array ? bytes.byteLength : bytes.reduce((sum, { byteLength }) => sum + byteLength, 0);

/** Pieces of at most `PIECE_BYTES`, which share the memory of the bytes. */
export function bytePieces(bytes: LongBytes): Uint8Array[] {
  if (!(bytes instanceof Uint8Array)) return bytes.flatMap(bytePieces);
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.byteLength; at += PIECE_BYTES)
    pieces.push(bytes.subarray(at, at + PIECE_BYTES));
  return pieces;
}

/** The SHA-256 of bytes in hexadecimal, in turns of the event loop. */
export async function digestOf(bytes: LongBytes): Promise<string> {
  const digest = createHash('sha256');
  for (const [i, piece] of bytePieces(bytes).entries()) {
    if (i > 0) await nextTurn();
    digest.update(piece);
  }
  return digest.digest('hex');
}

/** The first `total` bytes of `blocks`, which it empties; the event loop turns after each. */
export async function joinedBytes(blocks: Uint8Array[], total: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(total);
  let at = 0;
  for (const block of blocks.splice(0)) {
    bytes.set(block.subarray(0, total - at), at);
    at += Math.min(block.length, total - at);
    await nextTurn();
  }
  return bytes;
}

/**
 * Bytes that are read a piece at a time.
 *
 * @param first the first `PIECE_BYTES` of them, all where there are fewer
 * @param read at most `PIECE_BYTES` from a place on; none after the end
 */
export async function readInPieces(
  first: Uint8Array,
  read: (from: number) => Promise<Uint8Array>,
): Promise<Uint8Array> {
  if (first.byteLength < PIECE_BYTES) return first;
  const pieces = [first];
  let total = first.byteLength;
  for (let last = first; last.byteLength === PIECE_BYTES; total += last.byteLength) {
    last = await read(total);
    pieces.push(last);
  }
  return joinedBytes(pieces, total);
}
