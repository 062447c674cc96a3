/**
 * A resolved request: everything that follows from the sent members is present. One function of each question makes it from the sent form.
 *
 * Must not know: any question.
 */
import type { z } from 'zod';
import { type NumberedPortfolio, numberAssets } from '../core/plan/portfolio.ts';
import { METHODOLOGIES, type MethodologyName } from '../models/methodology/methodologies.ts';
import type { Day } from '../text/calendar-date.ts';
import type { ResolveSymbol } from '../text/symbols.ts';
import type { Venues } from './account/venues/venues.ts';
import { type Checked, readBody, type SchemaOf, type UnresolvedBody } from './request/parse.ts';
import { basketChange, type PriceShock, shocked } from './request/price-shock.ts';
import { NO_CLOSES, type PricesOf } from './request/prices.ts';
import type { WeightMap } from './request/weight-map.ts';
import type { NamedScenario } from './scenario/scenario.ts';

export interface Resolved<Terms> {
  readonly methodology: MethodologyName;
  /** The members under the names of the interface; `Arguments` shows them. */
  readonly terms: Terms;
  /** Members that were sent and have no use under the methodology; absent where there are none. */
  readonly unused?: readonly string[];
}

/** Members of every request. */
export type AnyRequest = Resolved<
  { readonly model_lookback: number } & ({ readonly analysis_date: Day } | { readonly to: Day })
>;

/** When a body was sent, and the names that it may use. */
export interface SentOn {
  readonly today: Day;
  /** The assets of symbols; CASH alone is another name where absent. */
  readonly resolve?: ResolveSymbol;
  /** Scenarios that it may name, in addition to those of the program. */
  readonly scenarios?: readonly NamedScenario[];
  /** Venues of accounts; those of the program where absent. */
  readonly venues?: Venues;
  /** Most loans of a book; those of a body over HTTP where absent. */
  readonly maxLoans?: number;
}

/** How the bodies of a question are read. */
export interface Reading<R> {
  /** The schema of bodies sent on a day. */
  readonly schema: SchemaOf<z.ZodType>;
  read(body: unknown, on: SentOn): UnresolvedBody<R>;
}

/** The requests of a reading. */
export type RequestOf<Of> = Of extends Reading<infer R> ? R : never;

/** The reading of bodies that are complete as sent. */
export const reading = <Sent, R>(
  schema: SchemaOf<z.ZodType<Sent>>,
  resolved: (sent: Sent) => R,
): Reading<R> => ({
  schema,
  read: (body, { today, resolve }) =>
    readBody(schema(today, resolve), body, (sent, issues) => ({
      resolve: () => (issues.length === 0 ? resolved(sent) : undefined),
    })),
});

/** The request of a body, its amounts at the prices of `pricesOf`, or every fault. */
export async function requestOf<R extends Resolved<unknown>>(
  question: Pick<Reading<R>, 'read'>,
  body: unknown,
  on: SentOn,
  pricesOf: PricesOf,
): Promise<Checked<R>> {
  const { wanted, resolve } = question.read(body, on);
  const checked = resolve(wanted === undefined ? NO_CLOSES : await pricesOf(wanted));
  const unused = checked.ok ? unusedMembers(body, checked.value.methodology) : [];
  return checked.ok && unused.length > 0 ? { ok: true, value: { ...checked.value, unused } } : checked;
}

/** The number of paths, where a methodology draws none: clients share one body between methodologies. */
function unusedMembers(body: unknown, methodology: MethodologyName): readonly string[] {
  if (METHODOLOGIES[methodology].draws) return [];
  const { params, ...flat } = body as { readonly params?: object; readonly mc_iter?: unknown };
  return { ...flat, ...params }.mc_iter === undefined ? [] : ['mc_iter'];
}

/** The resolved form of a body whose members are complete as sent. */
export const asSent = <Terms>(sent: {
  readonly type: MethodologyName;
  readonly params: Terms;
}): Resolved<Terms> => ({ methodology: sent.type, terms: sent.params });

/** The baskets of a loan or an exposure: their assets numbered, and their values after the shock of prices. */
export interface ResolvedBaskets {
  readonly portfolio: NumberedPortfolio;
  readonly start: StartingBaskets;
}

interface StartingBaskets {
  /** Values in units of the basket before the shock; not normalised. */
  readonly collateral: WeightMap;
  readonly loan: WeightMap;
  readonly portfolio: NumberedPortfolio;
  /** Value of each basket over that before; absent without a shock. */
  readonly change?: { readonly collateral: number; readonly loan: number };
}

export interface BasketTerms {
  readonly collateral_weights: WeightMap;
  readonly loan_weights: WeightMap;
  readonly price_shock?: PriceShock | undefined;
}

export function resolvedBaskets(terms: BasketTerms): ResolvedBaskets {
  const { collateral_weights, loan_weights, price_shock } = terms;
  const portfolio = numberAssets(collateral_weights, loan_weights);
  if (price_shock === undefined)
    return { portfolio, start: { collateral: collateral_weights, loan: loan_weights, portfolio } };
  const collateral = shocked(collateral_weights, price_shock);
  const loan = shocked(loan_weights, price_shock);
  const change = {
    collateral: basketChange(collateral_weights, collateral),
    loan: basketChange(loan_weights, loan),
  };
  return { portfolio, start: { collateral, loan, portfolio: numberAssets(collateral, loan), change } };
}
