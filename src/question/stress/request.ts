/** The request of /stress: a book as in /book_risk, and scenarios; its schema, and the request with its loans by columns. */
import type { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import { METHODOLOGIES, type MethodologyName } from '../../models/methodology/methodologies.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { type BookColumns, bookColumns } from '../book/columns.ts';
import { salesRestoreMoreThanTheyCost } from '../book/loan-row.ts';
import { bookTerms, namingLoan } from '../book/request.ts';
import { MAX_BOOK_PATHS, meaning, wholeNumber } from '../request/fields.ts';
import { type Checked, checkRequest, perDay } from '../request/parse.ts';
import { ALL_OTHERS } from '../request/price-shock.ts';
import { scenarios } from '../request/scenario.ts';
import { readScenario, type Scenario, type ScenarioLibrary } from '../scenario/scenario.ts';
import { typedRequest } from '../typed-request.ts';
import { type ComparedTerms, comparedBody, compareMember, faultsOfCompared } from './compared-terms.ts';

export const stressSchema = perDay((today: Day, resolve) =>
  typedRequest('stress', {
    terms: {
      ...bookTerms(today, resolve),
      scenarios: scenarios(resolve),
      compare: compareMember,
    },
    rules: [salesRestoreMoreThanTheyCost],
    paths: meaning(
      wholeNumber(0, MAX_BOOK_PATHS),
      'Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read.',
      'paths',
    ),
  }),
);

type Sent = z.infer<ReturnType<typeof stressSchema>>;

/** A processed /stress request, its loans by columns. */
export interface StressRequest {
  readonly type: Sent['type'];
  readonly params: Omit<Sent['params'], 'loans' | 'scenarios' | 'compare'> & {
    readonly loans: BookColumns;
    readonly scenarios: readonly Scenario[];
    /** The same loans under other terms. */
    readonly compare?: ComparedTerms;
  };
}

export function readStress(
  body: unknown,
  today: Day,
  library: ScenarioLibrary,
  resolve?: ResolveSymbol,
): Checked<StressRequest> {
  const checked = checkRequest(stressSchema(today, resolve), body);
  if (!checked.ok) return { ok: false, faults: checked.faults.map(fault => namingLoan(fault, body)) };
  const { type, params } = checked.value;
  const { loans, scenarios: sent, compare, ...terms } = params;
  const columns = bookColumns(loans, true);
  const read = sent.map((each, i) => readScenario(each, `params.scenarios.${i}`, { library, today }));
  const faults = read.flatMap(each => each.faults ?? []);
  const named = read.flatMap(each => (each.faults === undefined ? [each.scenario] : []));
  // A scenario of the server may name assets that are not in this book.
  const unfit = named.flatMap(each =>
    scenarioFaults(each, type, library.get(each.name) === each ? undefined : columns.symbols, sent),
  );
  if (faults.length + unfit.length > 0) return { ok: false, faults: [...faults, ...unfit] };
  const request = { ...terms, loans: columns, scenarios: named };
  if (compare === undefined) return { ok: true, value: { type, params: request } };
  const other = checkRequest(stressSchema(today, resolve), comparedBody(body, compare));
  if (!other.ok) return { ok: false, faults: faultsOfCompared(other.faults, compare) };
  const compared = {
    terms: compare,
    saleDelay: other.value.params.sale_delay,
    loans: bookColumns(other.value.params.loans, true),
  };
  return { ok: true, value: { type, params: { ...request, compare: compared } } };
}

/** Members of a scenario that do not fit the methodology or the book. @param symbols that it may name; absent: any */
function scenarioFaults(
  { name, priceShock = {}, volatilityShock, replay }: Scenario,
  type: MethodologyName,
  symbols: readonly string[] | undefined,
  sent: readonly { readonly name: string }[],
): Fault[] {
  const path = `params.scenarios.${sent.findIndex(each => each.name === name)}`;
  const fault = (member: string, bound: string): Fault => ({
    path: `${path}.${member}`,
    message: `${path.replace('params.', '')}.${member} must be ${bound}`,
  });
  const unused = (names: readonly string[]) =>
    symbols === undefined ? [] : names.filter(each => !symbols.includes(each));
  const shocked = unused(Object.keys(priceShock).filter(each => each !== ALL_OTHERS));
  const proxied = unused(Object.keys(replay?.proxies ?? {}));
  const ofBook = `assets of the book (${symbols?.join(', ')})`;
  return [
    ...(shocked.length > 0
      ? [fault('price_shock', `a change of ${ofBook}, or of ${ALL_OTHERS}; got ${shocked.join(', ')}`)]
      : []),
    ...(proxied.length > 0 ? [fault('replay.proxy', `of ${ofBook}; got ${proxied.join(', ')}`)] : []),
    ...(volatilityShock !== undefined && volatilityShock !== 0 && !METHODOLOGIES[type].takesShock
      ? [fault('volatility_shock', `0 or absent, because ${type} takes no shock; got ${volatilityShock}`)]
      : []),
  ];
}
