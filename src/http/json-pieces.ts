/**
 * JSON of an answer as one text, or as lines, made in pieces with the event loop free in between.
 */
import { RiskError } from '../core/errors.ts';
import { JsonRows, RawJson } from '../question/answer-pieces.ts';

/** Members after which others get their turn: some milliseconds. */
const ROWS_PER_TURN = 250;
/** Levels of objects below one in which a large part is looked for. */
const LEVELS = 5;

/** The JSON text of a value whose large parts are `RawJson` or `JsonRows`, in objects of at most six levels. */
export async function jsonInPieces(value: unknown): Promise<string> {
  const pieces: string[] = [];
  await write(value, pieces);
  return pieces.join('');
}

/** Lines of JSON, some at a time: one for each row, with its id, then one for the rest. */
export async function* linesInPieces(rows: JsonRows, rest: object): AsyncGenerator<string> {
  let lines = '';
  for (const [i, id] of rows.keys.entries()) {
    lines += `${strictJson({ id, ...(rows.row(i) as object) })}\n`;
    if (i % ROWS_PER_TURN !== ROWS_PER_TURN - 1) continue;
    yield lines;
    lines = '';
    await new Promise(setImmediate);
  }
  yield `${lines}${await jsonInPieces(rest)}\n`;
}

async function write(value: unknown, pieces: string[]): Promise<void> {
  if (value instanceof RawJson) {
    pieces.push(value.text);
  } else if (value instanceof JsonRows) {
    pieces.push('{');
    for (const [i, key] of value.keys.entries()) {
      if (i % ROWS_PER_TURN === ROWS_PER_TURN - 1) await new Promise(setImmediate);
      pieces.push(`${i === 0 ? '' : ','}${JSON.stringify(key)}:${strictJson(value.row(i))}`);
    }
    pieces.push('}');
  } else if (hasParts(value, LEVELS)) {
    pieces.push('{');
    const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
    for (const [i, [key, member]] of members.entries()) {
      pieces.push(`${i === 0 ? '' : ','}${JSON.stringify(key)}:`);
      await write(member, pieces);
    }
    pieces.push('}');
  } else {
    pieces.push(strictJson(value));
  }
}

/** Whether an object holds a large part. */
function hasParts(value: unknown, levels: number): boolean {
  if (value instanceof RawJson || value instanceof JsonRows) return true;
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).some(member => hasParts(member, levels - 1));
}

/** JSON.stringify itself would write null for numbers that are not. @throws RiskError `engine-failed` */
export function strictJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new RiskError('engine-failed', `The figure ${name} is ${member}.`);
    return member;
  });
}
