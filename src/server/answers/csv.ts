/**
 * An answer as flat rows, for spreadsheets: one row per value, RFC 4180.
 *
 * Takes: the members of an answer. Gives: text with the columns member, key1, key2, key3, value. Must not know: any operation.
 */
import { RiskError } from '../../core/errors.ts';
import { type LongText, textPieces } from '../../core/long-text.ts';
import { JsonRows, RawJson } from '../../question/answer-pieces.ts';
import { csvField } from '../../text/csv-field.ts';

const COLUMNS = ['member', 'key1', 'key2', 'key3', 'value'];
/** Names of a value: the member and three keys; deeper names are joined with dots in the last key. */
const KEYS = COLUMNS.length - 1;

/** Characters of rows, and of JSON that is read for them, between two turns of the event loop: some milliseconds. */
const PIECE_CHARACTERS = 32_768;

type Names = readonly string[];
type Answer = Readonly<Record<string, unknown>>;

/** Rows of an object, in the order of its members. */
export const csvText = (answer: Answer): string => [...pieces(answer)].join('');

/**
 * The same text in pieces, made on demand without blocking the event loop.
 *
 * @throws RiskError `engine-failed` where a figure is not a finite number
 */
export async function* csvInPieces(answer: Answer): AsyncGenerator<string> {
  for (const piece of pieces(answer)) {
    yield piece;
    await new Promise(setImmediate);
  }
}

interface Rows {
  text: string;
}

function* pieces(answer: Answer): Generator<string> {
  const rows: Rows = { text: `${COLUMNS.join(',')}\r\n` };
  yield* write([], Object.entries(answer), rows);
  yield rows.text;
}

/** Adds the rows of members to `rows`, and yields the text when it is long enough for a piece. @returns whether there were any */
function* write(names: Names, members: Members, rows: Rows): Generator<string, boolean> {
  let any = false;
  for (const [name, value] of members) {
    // As in JSON.
    if (value === undefined) continue;
    any = true;
    const own = [...names, name];
    const inner = membersOf(value);
    if (inner === undefined) rows.text += rowOf(own, textOf(name, value));
    else if (!(yield* write(own, inner, rows))) rows.text += rowOf(own, '');
    if (rows.text.length < PIECE_CHARACTERS) continue;
    yield rows.text;
    rows.text = '';
  }
  return any;
}

type Member = readonly [name: string, value: unknown];
type Members = Iterable<Member>;

/** Members of an object or list; undefined of any other value. */
function membersOf(value: unknown): Members | undefined {
  if (value instanceof JsonRows) return rowsOf(value);
  if (value instanceof RawJson) return elementsOf(value.text);
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
}

function* rowsOf({ keys, row }: JsonRows): Generator<Member> {
  for (const [i, key] of keys.entries()) yield [key, row(i)];
}

/** The delimiters of elements of a list in JSON, outside strings. A string that a piece ends in ends with the piece. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},]/g;

/** Elements of a list in JSON text, which is read in pieces: those that end in a piece with what was left of the piece before. */
function* elementsOf(text: LongText): Generator<Member> {
  let index = 0;
  /** The text of the elements that have not ended, after the bracket of the list. */
  let left = '';
  for (const [i, piece] of textPieces(text).entries()) {
    const json = left + (i === 0 ? piece.slice(1) : piece);
    let [depth, end] = [1, -1];
    for (const { 0: token, index: at } of json.matchAll(TOKEN)) {
      if (token === '[' || token === '{') depth++;
      if (token === ']' || token === '}') depth--;
      if (depth === 0 || (depth === 1 && token === ',')) end = at;
    }
    left = json.slice(end + 1);
    if (end < 0) continue;
    for (const element of JSON.parse(`[${json.slice(0, end)}]`) as unknown[])
      yield [String(index++), element];
  }
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'number') return value === null ? '' : csvField(String(value));
  if (!Number.isFinite(value)) throw new RiskError('engine-failed', `The figure ${name} is ${value}.`);
  return String(value);
}

/** @param value text of the last field */
function rowOf(names: Names, value: string): string {
  const keys = [...names.slice(0, KEYS - 1), names.slice(KEYS - 1).join('.')];
  return `${keys.map(csvField).join(',')}${','.repeat(COLUMNS.length - keys.length)}${value}\r\n`;
}
