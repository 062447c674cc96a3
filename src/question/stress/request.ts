/** The request of /stress: a book as in /book_risk, and scenarios; its schema, and the request with its loans by columns. */
import type { z } from 'zod';
import type { Fault } from '../../core/errors.ts';
import { METHODOLOGIES, type MethodologyName } from '../../models/methodology/methodologies.ts';
import type { Day } from '../../text/calendar-date.ts';
import { type BookColumns, bookColumns } from '../book/columns.ts';
import { bookTerms, loansToResolve, MAX_LOANS, namingLoans } from '../book/request.ts';
import { Faults } from '../request/faults.ts';
import { MAX_BOOK_PATHS, meaning, wholeNumber } from '../request/fields.ts';
import { perDay, readBody } from '../request/parse.ts';
import { ALL_OTHERS } from '../request/price-shock.ts';
import { JOINED_HISTORY, proxies } from '../request/proxies.ts';
import { scenarios } from '../request/scenario.ts';
import type { Reading, Resolved } from '../resolved.ts';
import { readScenario, type Scenario, scenarioLibrary } from '../scenario/scenario.ts';
import { typedRequest } from '../typed-request.ts';
import { type ComparedTerms, comparedLoans, compareMember } from './compared-terms.ts';
import { reverseFaults } from './reverse-faults.ts';

export const stressSchema = perDay((today: Day, resolve, maxLoans = MAX_LOANS) =>
  typedRequest('stress', {
    terms: {
      ...bookTerms(today, resolve, maxLoans),
      scenarios: scenarios(resolve),
      proxy: proxies(
        resolve,
        `${JOINED_HISTORY} The same in a replay, for assets without prices of their own. Default there: what an asset wraps, then ETH.`,
      ),
      compare: compareMember(resolve),
    },
    paths: meaning(
      wholeNumber(0, MAX_BOOK_PATHS),
      'Number of Monte Carlo paths of each scenario; 0 simulates nothing, and no prices of the window are read.',
      'paths',
    ),
  }),
);

type Sent = z.infer<ReturnType<typeof stressSchema>>;

/** The members of a stress, its loans by columns. */
export type StressTerms = Omit<Sent['params'], 'loans' | 'scenarios' | 'compare'> & {
  readonly loans: BookColumns;
  readonly scenarios: readonly Scenario[];
  /** The same loans under other terms. */
  readonly compare?: ComparedTerms;
};
export type StressRequest = Resolved<StressTerms>;

export const STRESS_READING: Reading<StressRequest> = {
  schema: stressSchema,
  read: (body, { today, resolve: symbols, scenarios: own = [], maxLoans }) =>
    namingLoans(
      body,
      readBody(stressSchema(today, symbols, maxLoans), body, ({ type, params }, issues, list) => {
        const faults = Faults.ofParams(issues, list);
        const book = loansToResolve(params, faults, maxLoans);
        return {
          wanted: book.wanted,
          resolve(closes) {
            const { loans, prices, valued } = book.resolve(closes);
            if (!faults.none) return undefined;
            const { loans: rows, scenarios: sent, compare, ...terms } = params;
            const columns = bookColumns(loans, true);
            const library = scenarioLibrary(own);
            const read = sent.map((each, i) =>
              readScenario(each, `params.scenarios.${i}`, { library, today }),
            );
            const scenarios = read.flatMap(each => (each.faults === undefined ? [each.scenario] : []));
            list.push(...read.flatMap(each => each.faults ?? []));
            // A scenario of the server may name assets that are not in this book.
            for (const each of scenarios)
              list.push(
                ...scenarioFaults(
                  each,
                  type,
                  library.get(each.name) === each ? undefined : columns.symbols,
                  sent,
                ),
                ...reverseFaults(
                  each,
                  `params.scenarios.${sent.findIndex(({ name }) => name === each.name)}`,
                  type,
                  columns.symbols,
                  params,
                ),
              );
            const other = compare && comparedLoans(rows, valued, compare, params.sale_cost, list);
            if (list.length > 0) return undefined;
            return {
              methodology: type,
              terms: {
                ...terms,
                ...(prices && { prices }),
                loans: columns,
                scenarios,
                ...(compare &&
                  other && {
                    compare: {
                      terms: compare,
                      saleDelay: compare.sale_delay ?? params.sale_delay,
                      loans: bookColumns(other, true),
                    },
                  }),
              },
            };
          },
        };
      }),
    ),
};

/** Members of a scenario that do not fit the methodology or the book. @param symbols that it may name; absent: any */
function scenarioFaults(
  { name, priceShock = {}, volatilityShock, replay }: Scenario,
  type: MethodologyName,
  symbols: readonly string[] | undefined,
  sent: readonly { readonly name: string }[],
): Fault[] {
  const path = `params.scenarios.${sent.findIndex(each => each.name === name)}`;
  const fault = (member: string, bound: string): Fault => ({
    code: 'not_allowed',
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
