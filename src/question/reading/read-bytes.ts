/** Reads the body of a book: its bytes, JSON or a loan tape, to a request by columns, or every fault. */
import type { Fault } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import { type AliasEntry, type ResolveSymbol, resolverOf } from '../../text/symbols.ts';
import { BOOK_FORM, BOOK_READING, type BookRiskRequest } from '../book/request.ts';
import { beyondForm, parseJson } from '../request/json-form.ts';
import type { PricesOf } from '../request/prices.ts';
import { repeatedMembers } from '../request/repeated-members.ts';
import { type Reading, requestOf } from '../resolved.ts';
import type { NamedScenario } from '../scenario/scenario.ts';
import { STRESS_READING, type StressRequest } from '../stress/request.ts';
import { type ReportReading, type ReportRequest, readReportBody } from './report-body.ts';
import { type Read, readTapeBody, type TapeTerms } from './tape-body.ts';

export interface LongRequests {
  readonly book: BookRiskRequest;
  readonly stress: StressRequest;
}
export type LongQuestion = keyof LongRequests;

/** What is read for each question. */
export interface ReadBodies extends Record<LongQuestion, ReadBook> {
  readonly report: ReportRequest;
}
export type ReadBytes<Q extends keyof ReadBodies = keyof ReadBodies> = Read<ReadBodies[Q]>;

export interface ReadBook {
  readonly request: LongRequests[LongQuestion];
  /** Sentences on a tape. */
  readonly remarks: readonly string[];
  /** The JSON text of the request that a tape stands for, where its terms ask for it. */
  readonly json?: string;
}

export interface ReadingTerms<Q extends keyof ReadBodies = keyof ReadBodies> {
  readonly question: Q;
  /** The day on which the body was sent. */
  readonly today: Day;
  /** Symbols of other assets. */
  readonly aliases: readonly AliasEntry[];
  /** Scenarios of the server, in addition to those of the program. */
  readonly scenarios: readonly NamedScenario[];
  /** Most loans of a body. */
  readonly maxLoans: number;
  /** Of a tape; absent where the bytes are JSON. */
  readonly tape?: TapeTerms;
  /** Of the question report. */
  readonly report?: ReportReading;
}

const READINGS: { readonly [Q in LongQuestion]: Reading<LongRequests[Q]> } = {
  book: BOOK_READING,
  stress: STRESS_READING,
};

/** Whether the bodies of a question are read this way. */
export const isLongQuestion = (name: string): name is LongQuestion => Object.hasOwn(READINGS, name);

/** @param pricesOf source of the prices of amounts */
export function readBytes(bytes: Uint8Array, terms: ReadingTerms, pricesOf: PricesOf): Promise<ReadBytes> {
  const { question, tape, report } = terms;
  const resolve = resolverOf(terms.aliases);
  if (question === 'report') {
    if (report === undefined) throw new Error('The body of a report has its terms.');
    return readReportBody(bytes, report, resolve, pricesOf);
  }
  return tape === undefined
    ? readJsonBytes(bytes, { ...terms, question }, resolve, pricesOf)
    : readTapeBody(bytes, { ...terms, ...tape }, resolve, pricesOf);
}

async function readJsonBytes(
  bytes: Uint8Array,
  terms: ReadingTerms<LongQuestion>,
  resolve: ResolveSymbol,
  pricesOf: PricesOf,
): Promise<Read<ReadBook>> {
  const beyond = beyondForm(bytes, BOOK_FORM);
  if (beyond !== undefined)
    return {
      ok: false,
      faults: [{ code: 'out_of_range', path: 'body', message: `The body must be ${beyond}` }],
    };
  const parsed = parseJson(bytes, 'body');
  if ('unreadable' in parsed) return { ok: false, unreadable: parsed.unreadable };
  const repeats: readonly Fault[] = repeatedMembers(parsed.text);
  const reading: Reading<LongRequests[LongQuestion]> = READINGS[terms.question];
  const checked = await requestOf(reading, parsed.value, { ...terms, resolve }, pricesOf);
  const faults = [...repeats, ...(checked.ok ? [] : checked.faults)];
  return checked.ok && faults.length === 0
    ? { ok: true, value: { request: checked.value, remarks: [] } }
    : { ok: false, faults };
}
