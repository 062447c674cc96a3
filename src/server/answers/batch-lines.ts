/**
 * Splits a batch's body into lines without blocking the event loop.
 *
 * Takes: bytes. Gives: the lines that are not blank. Must not know: the content of a line.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { HttpRefusal } from './problem.ts';

const MAX_LINES = 10_000;
/** Bytes that are scanned in one turn of the event loop: about a millisecond. */
const PIECE_BYTES = 2 ** 18;

const NEWLINE = 0x0a;
const BLANK = new Uint8Array(256);
for (const character of ' \t\r') BLANK[character.charCodeAt(0)] = 1;

/** A line that is not blank, and its number from 1 on. */
export interface NumberedLine {
  readonly number: number;
  readonly bytes: Uint8Array;
}

/**
 * The lines of `body` that are not blank; yields to the event loop after each piece of it.
 *
 * @throws HttpRefusal 413 or 400, or the signal's reason once it is aborted
 */
export async function linesOf(body: Uint8Array, signal: AbortSignal): Promise<NumberedLine[]> {
  const lines: NumberedLine[] = [];
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
  if (lines.length === 0) throw new HttpRefusal(400, 'The body has no lines.');
  return lines;
}

/** A line in two parts, both as sent. */
export interface LineParts {
  /** The line with `0` in place of its body. */
  readonly envelope: Uint8Array;
  /** Undefined where the line has none. */
  readonly body: Uint8Array | undefined;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** `{` and `[`, `}` and `]` differ in the bit that letters of either case differ in. */
const CASE = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

const BODY = 'body';
/** Length with quotes and every letter as an escape. */
const LONGEST_NAME = 2 + 6 * BODY.length;
const IN_PLACE = Buffer.from('0');

/**
 * Separates the member `body` from a line without parsing it; of several the last counts, as for JSON.parse. The line is
 * JSON if both parts are. Yields to the event loop after each piece of a long line.
 *
 * @param limit bytes that the line may have outside bodies
 * @returns undefined where it has more
 */
export async function partsOf(line: Uint8Array, limit: number): Promise<LineParts | undefined> {
  const around: Uint8Array[] = [];
  let body: Uint8Array | undefined;
  let inBodies = 0;
  let depth = 0;
  let named: boolean | undefined;
  /** Start of the text outside bodies, and start of the current body. */
  let outside = 0;
  let inside: number | undefined;
  const endBody = (start: number, end: number) => {
    body = line.subarray(start, end);
    around.push(line.subarray(outside, start), IN_PLACE);
    inBodies += body.length;
    outside = end;
    inside = undefined;
  };
  let pieceEnd = PIECE_BYTES;
  for (let at = 0; at < line.length; at++) {
    if (at >= pieceEnd) {
      pieceEnd = at + PIECE_BYTES;
      await nextTurn();
    }
    if (inside === undefined && at - inBodies > limit) return undefined;
    const byte = line[at];
    if (byte === QUOTE) {
      const end = endOfString(line, at);
      if (inside === undefined) named = depth === 1 && namesBody(line, at, end);
      at = end;
    } else if (byte === COLON) {
      if (depth === 1 && named) inside ??= at + 1;
    } else if ((byte | CASE) === OPEN) {
      depth += 1;
    } else if ((byte | CASE) === CLOSE || byte === COMMA) {
      if (depth === 1 && inside !== undefined) endBody(inside, at);
      if (byte !== COMMA) depth -= 1;
    }
  }
  // The body does not end: the text around it is not JSON.
  if (inside !== undefined) endBody(inside, line.length);
  if (line.length - inBodies > limit) return undefined;
  return { envelope: Buffer.concat([...around, line.subarray(outside)]), body };
}

/** Index of the quote that ends the string beginning at `start`; after the line where there is none. */
function endOfString(line: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < line.length && line[at] !== QUOTE) at += line[at] === BACKSLASH ? 2 : 1;
  return at;
}

/** Whether the string between the quotes is `body`, also with escapes. */
function namesBody(line: Uint8Array, start: number, end: number): boolean {
  if (end - start >= LONGEST_NAME) return false;
  try {
    return JSON.parse(Buffer.from(line.subarray(start, end + 1)).toString()) === BODY;
  } catch {
    return false;
  }
}
