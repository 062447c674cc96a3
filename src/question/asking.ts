/**
 * Checks a question and answers it: the same for a request over HTTP, a line of a batch, a job and a command.
 *
 * Takes: a row of the table of questions, a body, the query and headers that are part of the question. Gives: an answer, or throws
 * a RiskError. Must not know: the source of the question, queues, the form of the answer.
 */
import { type Fault, refuseIfFaulty } from '../core/errors.ts';
import type { Asker } from '../core/turns.ts';
import type { Warning } from '../core/warnings.ts';
import { closesAt } from '../market/closes-at.ts';
import { lastCompleteDay } from '../market/last-complete-day.ts';
import type { MarketData } from '../market/market-data.ts';
import { METHODOLOGIES } from '../models/methodology/methodologies.ts';
import type { FitCost } from '../models/methodology/methodology.ts';
import { dayOf, formatCalendarDate, formatIsoDate, parseCalendarDate } from '../text/calendar-date.ts';
import type { Venues } from './account/venues/venues.ts';
import type { AnyQuestion, OperationAnswer, OperationContext } from './question.ts';
import { isLongQuestion } from './reading/read-bytes.ts';
import { readLongBody } from './reading/reader.ts';
import type { TapeTerms } from './reading/tape-body.ts';
import { parseJson } from './request/json-form.ts';
import type { Checked } from './request/parse.ts';
import { checkQuery, DEFAULT_QUERY, type OperationQuery, type Sampling } from './request/query.ts';
import { repeatedMembers } from './request/repeated-members.ts';
import { checkRunHeaders, type RunHeaders } from './request/run-headers.ts';
import { readTapeQuery, withoutTape } from './request/tape-query.ts';
import { type AnyRequest, requestOf } from './resolved.ts';
import type { NamedScenario } from './scenario/scenario.ts';
import { atMembers, type SentNames, sentNames, type Workload } from './workload.ts';

/** The bytes of a body are no JSON, or need too much memory. */
export class UnreadableBody extends Error {
  override readonly name = 'UnreadableBody';
}

/** A body as sent: the bytes of its JSON text, its JSON value, or the bytes of a tape in CSV. */
export type SentBody =
  | { readonly bytes: Uint8Array }
  | {
      readonly body: unknown;
      /** Members that the JSON text of `body` names more than once. */
      readonly repeats: readonly Fault[];
    }
  | {
      readonly tape: Uint8Array;
      /** Whether the JSON body that it stands for is wanted, too. */
      readonly keepsJson: boolean;
    };

/** A question as sent, and its caller, whose turn it uses where bodies wait to be parsed. */
export interface SentQuestion {
  readonly asker: Asker;
  readonly sent: SentBody;
  readonly query: URLSearchParams;
  /** Header `x-seed`. */
  readonly seed: string | undefined;
  /** Header `x-compute`. */
  readonly compute: string | undefined;
  /** Header `x-market-data`. */
  readonly marketData?: string | undefined;
  /** Sentences on the tape that the body stands for: warnings of the answer. */
  readonly remarks?: readonly string[] | undefined;
}

/** When, and on which data, a question is asked. */
export interface AskedOn {
  readonly market: MarketData;
  /** Whether the request names the market. */
  readonly isPinned?: boolean;
  readonly moment: Date;
  /** Scenarios that bodies may name, in addition to those of the program. */
  readonly scenarios: readonly NamedScenario[];
  /** Venues of accounts; those of the program where absent. */
  readonly venues?: Venues | undefined;
  /** Most loans of a book. */
  readonly maxLoans: number;
}

/** A question without faults. Its date is fixed, so that its answer does not depend on when it runs. */
export interface CheckedQuestion extends RunHeaders {
  readonly question: AnyQuestion;
  readonly query: OperationQuery;
  readonly moment: Date;
  /** Whether the request names `market`, which then never gives way to a newer version. */
  readonly isPinned: boolean;
  /** The version of the market for its answer. */
  readonly market: MarketData;
  /** Warnings on its tape. */
  readonly remarks: readonly string[];
  /** Members that its methodology does not use. */
  readonly unused?: readonly string[] | undefined;
  /** The JSON text that its tape stands for, where it is kept. */
  readonly json?: string | undefined;
  /** The product, model, number of assets and work of the run. */
  readonly workload: Workload;
  /** `type` or `model` as sent. */
  readonly methodology: string;
  /** The cost of its fits. */
  readonly fitCost: FitCost;
  /** `YYYY-MM-DD`; of a back-test the last forecast. */
  readonly analysisDate: string;
  /** Days. */
  readonly lookback: number;
  readonly run: (context: OperationContext) => Promise<OperationAnswer>;
  /** The error itself; for a refusal of the run, the same with members of the body in its faults. */
  readonly atMembers: (error: unknown) => unknown;
}

/**
 * @throws RiskError `invalid-request` with the faults of query, headers and body
 * @throws UnreadableBody
 */
export async function checkQuestion(
  question: AnyQuestion,
  { asker, sent, query: parameters, seed, compute, remarks = [] }: SentQuestion,
  on: AskedOn,
): Promise<CheckedQuestion> {
  const query = checkQuery('tape' in sent ? withoutTape(parameters) : parameters, question.query);
  const headers = checkRunHeaders(seed, compute);
  const { sampling } = query.ok ? query.value : DEFAULT_QUERY;
  const read = await readBody(question, sent, parameters, asker, on);
  const { repeats = [], request, names, json } = read;
  const unsampled = request.ok ? (question.samplingFaults?.(request.value, sampling) ?? []) : [];
  if (query.ok && headers.ok && request.ok && unsampled.length + repeats.length === 0)
    return {
      ...{ question, query: query.value, moment: on.moment, market: on.market, json },
      isPinned: on.isPinned ?? false,
      remarks: read.remarks ?? remarks,
      unused: request.value.unused,
      ...headers.value,
      ...prepared(question, request.value, sampling, names),
    };
  const faults = [query, headers, request].flatMap(checked => (checked.ok ? [] : checked.faults));
  refuseIfFaulty([...repeats, ...faults, ...unsampled]);
  throw new Error('A question without a value has at least one fault.');
}

/** Runs a question on its market, or on `market`; warnings on its tape and its members come before the others. */
export async function answerQuestion(
  { run, query, seed, compute, moment, market: own, remarks, unused = [], methodology }: CheckedQuestion,
  {
    market = own,
    ...terms
  }: Pick<OperationContext, 'engines' | 'signal' | 'caller' | 'log' | 'maintenanceMargins'> & {
    readonly market?: MarketData;
  },
): Promise<OperationAnswer> {
  const answer = await run({ ...terms, market, query, seed, compute, now: moment });
  const warnings: readonly Warning[] = [
    ...remarks.map(message => ({ code: 'tape-remark' as const, message })),
    ...unused.map(member => ({
      code: 'unused-member' as const,
      message: `${methodology} does not use ${member}: it was checked and left out.`,
    })),
  ];
  return warnings.length === 0 ? answer : { ...answer, warnings: [...warnings, ...(answer.warnings ?? [])] };
}

interface ReadRequest {
  readonly request: Checked<AnyRequest>;
  /** Members that the text of the body repeats, where `request` does not report them. */
  readonly repeats?: readonly Fault[];
  readonly names: SentNames;
  /** Of a tape. */
  readonly remarks?: readonly string[];
  readonly json?: string | undefined;
}

/** Faults of a book name assets after aliasing. */
const asUsed: SentNames = (_map, asset) => asset;

/** Reads a body with its amounts valued; the bytes of a long one outside the event loop. */
async function readBody(
  question: AnyQuestion,
  sent: SentBody,
  parameters: URLSearchParams,
  asker: Asker,
  { market, moment, scenarios, venues, maxLoans }: AskedOn,
): Promise<ReadRequest> {
  const { name } = question;
  const { symbols } = market;
  const today = dayOf(moment);
  const pricesOf = closesAt(market, moment);
  if (!('body' in sent) && isLongQuestion(name)) {
    const tape = 'tape' in sent ? tapeTerms(parameters, moment, sent.keepsJson) : undefined;
    if (tape !== undefined && 'faults' in tape) return { request: { ok: false, ...tape }, names: asUsed };
    const terms = {
      ...{ question: name, today, aliases: symbols.aliases(), scenarios, maxLoans },
      ...(tape && { tape }),
    };
    const read = await readLongBody('tape' in sent ? sent.tape : sent.bytes, terms, asker, pricesOf);
    if ('unreadable' in read) throw new UnreadableBody(read.unreadable);
    if (!read.ok) return { request: read, names: asUsed };
    const { request, remarks, json } = read.value;
    return { request: { ok: true, value: request }, names: asUsed, json, ...('tape' in sent && { remarks }) };
  }
  if ('tape' in sent) throw new Error(`${name} takes no tape.`);
  const { resolve } = symbols;
  const { body, repeats } = 'bytes' in sent ? jsonBody(sent.bytes) : sent;
  const request = await requestOf(
    question,
    body,
    { today, resolve, scenarios, maxLoans, ...(venues && { venues }) },
    pricesOf,
  );
  return { request, repeats, names: isLongQuestion(name) ? asUsed : sentNames(body, resolve) };
}

/** The terms of a tape: the query, whose default date is today, and the last day of its data. */
function tapeTerms(
  parameters: URLSearchParams,
  moment: Date,
  keepsJson: boolean,
): TapeTerms | { readonly faults: readonly Fault[] } {
  const read = readTapeQuery(parameters);
  if ('faults' in read) return read;
  const today = dayOf(moment);
  const { analysis_date = formatCalendarDate(today) } = read.value.params;
  const query = { ...read.value, params: { analysis_date, ...read.value.params } };
  const day = Math.min(parseCalendarDate(String(analysis_date)) ?? today, today);
  return { query, asOf: lastCompleteDay(day, moment), keepsJson };
}

/** The value of a JSON text. @throws UnreadableBody */
export function jsonBody(bytes: Uint8Array): { readonly body: unknown; readonly repeats: readonly Fault[] } {
  const parsed = parseJson(bytes, 'body');
  if ('unreadable' in parsed) throw new UnreadableBody(parsed.unreadable);
  return { body: parsed.value, repeats: repeatedMembers(parsed.text) };
}

/** What admission, log and run need of a valid request. */
function prepared(question: AnyQuestion, request: AnyRequest, sampling: Sampling, names: SentNames) {
  const { methodology, terms } = request;
  const named = (error: unknown) => atMembers(request, error, question, names);
  return {
    atMembers: named,
    workload: question.workload(request, sampling),
    methodology,
    fitCost: METHODOLOGIES[methodology].fitCost,
    analysisDate: formatIsoDate('to' in terms ? terms.to : terms.analysis_date),
    lookback: terms.model_lookback,
    run: (context: OperationContext) =>
      question.answer(request, context).catch((error: unknown) => {
        throw named(error);
      }),
  };
}
