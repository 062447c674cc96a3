/** Reads a body with a long list of loans: bytes to a request by columns, a tape to a JSON body, or their faults. */
import type { Fault } from '../../core/errors.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { BOOK_FORM, BOOK_READING, type BookRiskRequest } from '../book/request.ts';
import { beyondForm, parseJson } from '../request/json-form.ts';
import type { PricesOf } from '../request/prices.ts';
import { repeatedMembers } from '../request/repeated-members.ts';
import { type Reading, requestOf } from '../resolved.ts';
import type { NamedScenario } from '../scenario/scenario.ts';
import { STRESS_READING, type StressRequest } from '../stress/request.ts';
import { type Read, readTapeBody, type TapeBody, type TapeTerms } from './tape-body.ts';

export interface LongRequests {
  readonly book: BookRiskRequest;
  readonly stress: StressRequest;
}
export type LongQuestion = keyof LongRequests;
export type ReadBytes<Q extends LongQuestion = LongQuestion> = Read<LongRequests[Q]>;

export interface ReadingTerms<Q extends LongQuestion = LongQuestion> {
  readonly question: Q;
  /** The day on which the body was sent. */
  readonly today: Day;
  /** Symbols of other assets. */
  readonly aliases: readonly (readonly [symbol: string, asset: string])[];
  /** Scenarios of the server, in addition to those of the program. */
  readonly scenarios: readonly NamedScenario[];
}

export interface TapeReadingTerms extends Pick<ReadingTerms, 'today' | 'aliases'> {
  readonly tape: TapeTerms;
}

const READINGS: { readonly [Q in LongQuestion]: Reading<LongRequests[Q]> } = {
  book: BOOK_READING,
  stress: STRESS_READING,
};

/** Whether the bytes of the bodies of a question are read this way. */
export const isLongQuestion = (name: string): name is LongQuestion => Object.hasOwn(READINGS, name);

/** @param pricesOf source of the prices of amounts */
export async function readBytes<Q extends LongQuestion>(
  bytes: Uint8Array,
  terms: ReadingTerms<Q>,
  pricesOf: PricesOf,
): Promise<ReadBytes<Q>> {
  const beyond = beyondForm(bytes, BOOK_FORM);
  if (beyond !== undefined)
    return { ok: false, faults: [{ path: 'body', message: `The body must be ${beyond}` }] };
  const parsed = parseJson(bytes, 'body');
  if ('unreadable' in parsed) return { ok: false, unreadable: parsed.unreadable };
  const repeats: readonly Fault[] = repeatedMembers(parsed.text);
  const { question, today, scenarios } = terms;
  const on = { today, scenarios, resolve: resolverOf(terms) };
  const checked = await requestOf(READINGS[question], parsed.value, on, pricesOf);
  if (repeats.length === 0) return checked;
  return { ok: false, faults: [...repeats, ...(checked.ok ? [] : checked.faults)] };
}

function resolverOf({ aliases }: Pick<ReadingTerms, 'aliases'>): ResolveSymbol {
  const table = new Map(aliases);
  return symbol => table.get(symbol) ?? symbol;
}

export type AnyTerms = ReadingTerms | TapeReadingTerms;
export type AnyRead = ReadBytes | Read<TapeBody>;

export async function readAny(bytes: Uint8Array, terms: AnyTerms, pricesOf: PricesOf): Promise<AnyRead> {
  if (!('tape' in terms)) return readBytes(bytes, terms, pricesOf);
  return readTapeBody(bytes, terms.tape, terms.today, resolverOf(terms), pricesOf);
}
