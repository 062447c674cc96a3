/**
 * Serializes the answer of an operation: as JSON, lines or CSV, with the headers that state engine and data.
 *
 * A long text is made in pieces: 15 MB of JSON in one turn of the event loop would take 150 ms.
 */
import { RiskError } from '../../core/errors.ts';
import { formatFilled } from '../../market/market-data.ts';
import { describeMarket } from '../../market/missing-data.ts';
import { filledWarnings, jumpWarnings } from '../../models/methodology/warnings.ts';
import type { AnswerBasis, OperationAnswer } from '../../question/question.ts';
import type { OperationQuery } from '../../question/request/query.ts';
import { type TableRule, wholeResult } from '../../question/table.ts';
import { type ColumnForm, columnsFile, columnsOf } from './columns.ts';
import { csvInPieces } from './csv.ts';

/** What an answer states beside the figures. */
export interface Statement {
  readonly include: OperationQuery['include'];
  /** `Risk engine version`. */
  readonly version: string;
}

/**
 * An answer as JSON.
 *
 * @param planText JSON text of the member `Plan`, if the query asks for it
 * @throws RiskError `engine-failed` where a figure is not a finite number
 */
export const jsonOf = (
  answer: OperationAnswer,
  statement: Statement,
  planText?: string,
): Promise<Uint8Array> => bytesOf(withPlan(jsonParts(membersOf(answer, statement)), planText));

/** The parts of an object with the member `Plan` behind the others. */
function* withPlan(parts: Iterable<string>, planText: string | undefined): Generator<string> {
  let last = '';
  for (const part of parts) {
    yield last;
    last = part;
  }
  yield planText === undefined ? last : `${last.slice(0, -1)},"Plan":${planText}}`;
}

/** The same in lines made on demand, for an operation that offers them. */
export function linesOf(answer: OperationAnswer, statement: Statement): AsyncIterable<string> {
  const { lines: asked } = answer;
  if (asked === undefined) throw new Error('The answer of this operation has no lines.');
  return piecesOf(lines(asked.rows, membersOf({ ...answer, ...asked }, statement)));
}

/** The same as rows of a table made on demand. */
export const csvOf = (answer: OperationAnswer, statement: Statement): AsyncIterable<string> =>
  csvInPieces(membersOf(answer, statement));

/** The same as typed columns: the rows of the answer, and beside them its other members without the loans of a book. */
export async function columnsOfAnswer(
  answer: OperationAnswer,
  statement: Statement,
  form: ColumnForm,
  table: TableRule = wholeResult,
): Promise<Uint8Array> {
  const { rows, rest } = table(answer.result);
  const { loans: _, ...terms } = answer.arguments;
  const columns = await columnsOf(rows);
  const others = await jsonOf({ ...answer, arguments: terms, result: rest }, statement);
  return columnsFile(form, { columns, answer: Buffer.from(others).toString() });
}

const warningsOf = (answer: OperationAnswer) => [
  ...(answer.warnings ?? []),
  ...(answer.fitted?.warnings ?? []),
  ...filledWarnings(answer.filled),
  ...jumpWarnings(answer.filled),
];

const membersOf = (answer: OperationAnswer, { include, version }: Statement) => ({
  Arguments: answer.arguments,
  [answer.resultMember]: answer.result,
  'Risk engine version': version,
  ...answer.included,
  ...(include.has('warnings') ? { Warnings: warningsOf(answer) } : {}),
});

/** The headers that state engine and data. @param marketData the header `x-market-data` */
export function answerHeaders(answer: OperationAnswer, marketData: string): Record<string, string> {
  const headers: Record<string, string> = {
    'x-compute': answer.engine.backend,
    'x-compute-device': headerText(answer.engine.device),
    'x-market-data': marketData,
    'x-market-grid': gridName(answer.basis),
    'x-scenarios': String(answer.basis.paths),
  };
  const { maintenanceMarginRate, funding } = answer.basis;
  if (maintenanceMarginRate !== undefined) headers['x-maintenance-margin'] = String(maintenanceMarginRate);
  if (funding !== undefined)
    headers['x-funding-rate'] = `${describeMarket(funding.market)}; settlements=${funding.settlements}`;
  const warnings = warningsOf(answer);
  if (warnings.length > 0) headers['x-warnings'] = [...new Set(warnings.map(({ code }) => code))].join(',');
  const filled = formatFilled(answer.filled);
  if (filled !== '') headers['x-market-data-filled'] = filled;
  return headers;
}

/** The name of the price grid in headers and the log. */
export const gridName = ({ gridHours }: AnswerBasis) => (gridHours === 1 ? 'hourly' : 'daily');

/** Device names come from drivers; a header has visible ASCII only. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

/** Characters of a piece of a text. */
const PIECE_CHARACTERS = 2 ** 16;
/** Entries from which a list or an object is written one after another, and levels that are searched for such. */
const MANY = 500;
const LEVELS = 5;

type Entry = readonly [name: string | undefined, value: unknown];

/** The entries of a map, and of an object or list of many; undefined of any other value. */
function manyEntries(value: unknown): Iterable<Entry> | undefined {
  if (value instanceof Map) return value;
  if (Array.isArray(value))
    return value.length < MANY ? undefined : value.map(member => [undefined, member] as const);
  if (typeof value !== 'object' || value === null) return undefined;
  const entries = Object.entries(value);
  return entries.length < MANY ? undefined : entries;
}

/** Whether a value or a member of it is written entry by entry. */
function isLong(value: unknown, levels = LEVELS): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Map || Object.keys(value).length >= MANY) return true;
  return levels > 0 && !Array.isArray(value) && Object.values(value).some(each => isLong(each, levels - 1));
}

/** The JSON text of a value in parts; a map is an object in its order. */
function* jsonParts(value: unknown): Generator<string> {
  if (!isLong(value)) {
    yield strictJson(value);
    return;
  }
  const many = manyEntries(value);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  let before = open;
  for (const [name, member] of many ?? Object.entries(value as object)) {
    if (member === undefined && name !== undefined) continue;
    yield name === undefined ? before : `${before}${JSON.stringify(name)}:`;
    before = ',';
    if (many === undefined) yield* jsonParts(member);
    else yield strictJson(member, name) ?? 'null';
  }
  yield before === open ? `${open}${close}` : close;
}

/** Lines of JSON: one for each row, with its id, then one for the rest. */
function* lines(rows: ReadonlyMap<string, object>, rest: object): Generator<string> {
  for (const [id, row] of rows) yield `${strictJson({ id, ...row })}\n`;
  yield* jsonParts(rest);
  yield '\n';
}

/** Joins the parts of a text to pieces; the event loop turns after each. */
async function* piecesOf(parts: Iterable<string>): AsyncGenerator<string> {
  let piece = '';
  for (const part of parts) {
    piece += part;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
    await new Promise(setImmediate);
  }
  yield piece;
}

async function bytesOf(parts: Iterable<string>): Promise<Uint8Array> {
  const bytes: Buffer[] = [];
  for await (const piece of piecesOf(parts)) bytes.push(Buffer.from(piece));
  return Buffer.concat(bytes);
}

/** Refuses numbers that are not finite, for which JSON.stringify would write null. @param own name of the value @throws RiskError `engine-failed` */
export function strictJson(value: unknown, own = ''): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new RiskError('engine-failed', `The figure ${name || own} is ${member}.`);
    return member;
  });
}
