/**
 * The lines of a batch's body, found with the event loop free in between.
 *
 * Takes: bytes. Gives: the lines that are not blank. Must not know: what a line holds.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpRefusal } from './problem.ts';

const MAX_LINES = 10_000;
/** Bytes that are looked at in one turn: about a millisecond. */
const PIECE_BYTES = 2 ** 18;

const NEWLINE = 0x0a;
const BLANK = new Uint8Array(256);
for (const character of ' \t\r') BLANK[character.charCodeAt(0)] = 1;

/** A line that is not blank, and its number from 1 on. */
export interface Line {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * The lines of `body` that are not blank; others have their turn after each piece of it.
 *
 * @throws HttpRefusal 413 or 400, or the signal's reason once it is aborted
 */
export async function linesOf(body: Uint8Array, signal: AbortSignal): Promise<Line[]> {
  const lines: Line[] = [];
  let number = 1;
  let start = 0;
  let blank = true;
  const endLine = (end: number) => {
    if (!blank) lines.push({ number, bytes: body.subarray(start, end) });
    if (lines.length > MAX_LINES)
      throw new HttpRefusal(413, `The body has more than ${MAX_LINES} lines that are not blank.`);
    number += 1;
    start = end + 1;
    blank = true;
  };
  for (let piece = 0; piece < body.length; piece += PIECE_BYTES) {
    if (piece > 0) await nextTurn();
    signal.throwIfAborted();
    const end = Math.min(piece + PIECE_BYTES, body.length);
    for (let at = piece; at < end; at++) {
      if (body[at] === NEWLINE) endLine(at);
      else if (BLANK[body[at]] === 0) blank = false;
    }
  }
  endLine(body.length);
  if (lines.length === 0) throw new HttpRefusal(400, 'The body has no line.');
  return lines;
}
