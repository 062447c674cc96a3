/**
 * Writes the answer of an operation down: the members of the body, and the headers that say what ran on what.
 */
import { formatFilled } from '../market/market-data.ts';
import { describeMarket } from '../market/missing-data.ts';
import { filledWarnings } from '../methodology/warnings.ts';
import type { AnswerBasis, AnswerLines, OperationAnswer } from '../question/question.ts';
import type { OperationQuery } from '../request/query.ts';
import { csvInPieces } from './csv.ts';
import { jsonInPieces, linesInPieces } from './json-pieces.ts';

/** The headers and the JSON text of an answer. */
export interface Written {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The headers of an answer and its text in pieces, which are made as they are asked for. */
export interface WrittenPieces {
  readonly headers: Readonly<Record<string, string>>;
  readonly pieces: AsyncIterable<string>;
}

/**
 * An answer as it is sent.
 *
 * @param planText JSON text of the member `Plan`, where it was asked for
 * @throws RiskError `engine-failed` where a figure is not a finite number
 */
export async function writeAnswer(
  answer: OperationAnswer,
  query: OperationQuery,
  marketData: string,
  version: string,
  planText?: string,
): Promise<Written> {
  const { headers, members } = partsOf(answer, query, marketData, version);
  const body = await jsonInPieces(members(answer));
  return { headers, body: planText === undefined ? body : `${body.slice(0, -1)},"Plan":${planText}}` };
}

/** The same in lines, of an operation that offers them. */
export function writeLines(
  answer: OperationAnswer & { readonly lines: AnswerLines },
  query: OperationQuery,
  marketData: string,
  version: string,
): WrittenPieces {
  const { headers, members } = partsOf(answer, query, marketData, version);
  return { headers, pieces: linesInPieces(answer.lines.rows, members(answer.lines)) };
}

/** The same as rows of a table. */
export function writeCsv(
  answer: OperationAnswer,
  query: OperationQuery,
  marketData: string,
  version: string,
): WrittenPieces {
  const { headers, members } = partsOf(answer, query, marketData, version);
  return { headers, pieces: csvInPieces(members(answer)) };
}

/** Headers, and the members around what is answered. */
function partsOf(answer: OperationAnswer, { include }: OperationQuery, marketData: string, version: string) {
  const warnings = [
    ...(answer.warnings ?? []),
    ...(answer.fitted?.warnings ?? []),
    ...filledWarnings(answer.filled),
  ];
  const members = ({ arguments: echo, result }: Pick<OperationAnswer, 'arguments' | 'result'>) => ({
    Arguments: echo,
    [answer.resultMember]: result,
    'Risk engine version': version,
    ...answer.included,
    ...(include.has('warnings') ? { Warnings: warnings } : {}),
  });
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
  if (warnings.length > 0) headers['x-warnings'] = [...new Set(warnings.map(({ code }) => code))].join(',');
  if (answer.filled.length > 0) headers['x-market-data-filled'] = formatFilled(answer.filled);
  return { headers, members };
}

/** The grid of the prices, as headers and log call it. */
export const gridName = ({ gridHours }: AnswerBasis) => (gridHours === 1 ? 'hourly' : 'daily');

/** Device names come from drivers; a header holds visible ASCII. */
const headerText = (text: string) => text.replace(/[^\x20-\x7e]/g, '?');
