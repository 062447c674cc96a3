/**
 * Serializes the answer of an operation: as JSON, lines or CSV, with the headers that state engine and data.
 *
 * Long texts are made in pieces without blocking the event loop.
 */
import { RiskError } from '../../core/errors.ts';
import { type LongText, TextWriter } from '../../core/long-text.ts';
import { formatFilled } from '../../market/market-data.ts';
import { describeMarket } from '../../market/missing-data.ts';
import { filledWarnings } from '../../models/methodology/warnings.ts';
import { JsonRows, RawJson } from '../../question/answer-pieces.ts';
import type { AnswerBasis, OperationAnswer } from '../../question/question.ts';
import type { OperationQuery } from '../../question/request/query.ts';
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
export async function jsonOf(
  answer: OperationAnswer,
  statement: Statement,
  planText?: string,
): Promise<LongText> {
  const plan = planText === undefined ? {} : { Plan: new RawJson(planText) };
  return await longJson({ ...membersOf(answer, statement), ...plan });
}

/** The same in lines made on demand, for an operation that offers them. */
export function linesOf(answer: OperationAnswer, statement: Statement): AsyncIterable<string> {
  const { lines } = answer;
  if (lines === undefined) throw new Error('The answer of this operation has no lines.');
  return linesInPieces(lines.rows, membersOf({ ...answer, ...lines }, statement));
}

/** The same as rows of a table made on demand. */
export const csvOf = (answer: OperationAnswer, statement: Statement): AsyncIterable<string> =>
  csvInPieces(membersOf(answer, statement));

const warningsOf = (answer: OperationAnswer) => [
  ...(answer.warnings ?? []),
  ...(answer.fitted?.warnings ?? []),
  ...filledWarnings(answer.filled),
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
  if (answer.filled.length > 0) headers['x-market-data-filled'] = formatFilled(answer.filled);
  return headers;
}

/** The name of the price grid in headers and the log. */
export const gridName = ({ gridHours }: AnswerBasis) => (gridHours === 1 ? 'hourly' : 'daily');

/** Device names come from drivers; a header has visible ASCII only. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');

/** Members between two turns of the event loop: some milliseconds. */
const ROWS_PER_TURN = 250;
/** Levels of nested objects that are searched for a large part. */
const LEVELS = 5;

/** The JSON text of a value whose large parts are `RawJson` or `JsonRows`, in objects of at most six levels. */
async function longJson(value: unknown): Promise<LongText> {
  const writer = new TextWriter();
  await write(value, writer);
  return writer.text;
}

/** Lines of JSON, several at a time: one for each row, with its id, then one for the rest. */
async function* linesInPieces(rows: JsonRows, rest: object): AsyncGenerator<string> {
  let lines = '';
  for (const [i, id] of rows.keys.entries()) {
    lines += `${strictJson({ id, ...(rows.row(i) as object) })}\n`;
    if (i % ROWS_PER_TURN !== ROWS_PER_TURN - 1) continue;
    yield lines;
    lines = '';
    await new Promise(setImmediate);
  }
  const writer = new TextWriter();
  writer.write(lines);
  await write(rest, writer);
  writer.write('\n');
  for (const piece of [writer.text].flat()) {
    yield piece;
    await new Promise(setImmediate);
  }
}

async function write(value: unknown, writer: TextWriter): Promise<void> {
  if (value instanceof RawJson) {
    for (const piece of [value.text].flat()) writer.write(piece);
  } else if (value instanceof JsonRows) {
    writer.write('{');
    for (const [i, key] of value.keys.entries()) {
      if (i % ROWS_PER_TURN === ROWS_PER_TURN - 1) await new Promise(setImmediate);
      writer.write(`${i === 0 ? '' : ','}${JSON.stringify(key)}:${strictJson(value.row(i))}`);
    }
    writer.write('}');
  } else if (hasParts(value, LEVELS)) {
    writer.write('{');
    const members = Object.entries(value as object).filter(([, member]) => member !== undefined);
    for (const [i, [key, member]] of members.entries()) {
      writer.write(`${i === 0 ? '' : ','}${JSON.stringify(key)}:`);
      await write(member, writer);
    }
    writer.write('}');
  } else {
    writer.write(strictJson(value));
  }
}

/** Whether an object has a large part. */
function hasParts(value: unknown, levels: number): boolean {
  if (value instanceof RawJson || value instanceof JsonRows) return true;
  if (levels === 0 || typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.values(value).some(member => hasParts(member, levels - 1));
}

/** Refuses numbers that are not finite, for which JSON.stringify would write null. @throws RiskError `engine-failed` */
export function strictJson(value: unknown): string {
  return JSON.stringify(value, (name, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member))
      throw new RiskError('engine-failed', `The figure ${name} is ${member}.`);
    return member;
  });
}
