/**
 * An answer as flat rows, for spreadsheets: one row per value, RFC 4180.
 *
 * Takes: the members of an answer. Gives: text with the columns member, key1, key2, key3, value. Must not know: any operation.
 */
import { RiskError } from '../../core/errors.ts';
import { csvField } from '../../text/csv-field.ts';

const COLUMNS = ['member', 'key1', 'key2', 'key3', 'value'];
/** Names of a value: the member and three keys; deeper names are joined with dots in the last key. */
const KEYS = COLUMNS.length - 1;

/** Characters of rows between two turns of the event loop: some milliseconds. */
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

/** Members of an object, map or list; undefined of any other value. */
function membersOf(value: unknown): Members | undefined {
  if (value instanceof Map) return value;
  return typeof value === 'object' && value !== null ? Object.entries(value) : undefined;
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
