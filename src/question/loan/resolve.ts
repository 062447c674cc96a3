/**
 * A loan as sent, with amounts or LTVs in place of weights, value and ratios, and its resolved form, in which all of them are present.
 */
import type { z } from 'zod';
import { type GridHours, stepsOfDays } from '../../core/plan/grid.ts';
import type { Day } from '../../text/calendar-date.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { cashIsDollar } from '../../text/symbols.ts';
import { type AmountSides, amountsOf, type SentAmounts, type Valued } from '../request/amounts.ts';
import { Faults } from '../request/faults.ts';
import {
  BOOKED_VALUE_BOUND,
  bookedValueUsd,
  RATIO_BOUND,
  ratio,
  VALUE_BOUND,
  valueUsd,
} from '../request/fields.ts';
import type { LiquidationLtv } from '../request/ltv.ts';
import { readBody, type SchemaOf } from '../request/parse.ts';
import type { PriceShock } from '../request/price-shock.ts';
import { type Rule, rule } from '../request/rules.ts';
import { alphabetical, type WeightMap } from '../request/weight-map.ts';
import {
  type BasketTerms,
  type Reading,
  type Resolved,
  type ResolvedBaskets,
  resolvedBaskets,
} from '../resolved.ts';
import type { DrawnMembers, TypedRequest } from '../typed-request.ts';
import type { UnderWayMembers } from './under-way.ts';

/** The baskets and the value of a loan as sent. */
export interface SentBasis extends SentAmounts {
  readonly collateral_weights?: WeightMap | undefined;
  readonly loan_weights?: WeightMap | undefined;
  readonly loan_value?: number | undefined;
}

/** The same where all are present. */
export interface Basis {
  readonly collateral_weights: WeightMap;
  readonly loan_weights: WeightMap;
  /** USD. */
  readonly loan_value: number;
}

/** Bounds of what follows from amounts: those of the members in whose place they are sent. */
const FOLLOWING: readonly Rule<Basis & { readonly N?: number }>[] = [
  ...(['collateral_weights', 'loan_weights'] as const).map(name =>
    rule<Basis>(
      [name],
      value => `${name}.${weightless(value[name])}`,
      value => weightless(value[name]) === undefined,
      () => 'a weight above 0',
      () => 0,
    ),
  ),
  rule(
    ['N'],
    'N',
    ({ N }) => N === undefined || ratio.safeParse(N).success,
    () => RATIO_BOUND,
    ({ N }) => Number(N),
  ),
];
const weightless = (weights: WeightMap) => Object.keys(weights).find(symbol => weights[symbol] === 0);

const inBounds = (schema: z.ZodType<number>, bound: string) =>
  rule<Basis>(
    ['loan_value'],
    'loan_value',
    ({ loan_value }) => schema.safeParse(loan_value).success,
    () => bound,
    ({ loan_value }) => loan_value,
  );
const VALUE_IN_BOUNDS = inBounds(valueUsd, VALUE_BOUND);
export const BOOKED_VALUE_IN_BOUNDS = inBounds(bookedValueUsd, BOOKED_VALUE_BOUND);

/**
 * The baskets and the value as sent, or as they follow from amounts; empty maps and NaN for members with faults, which no rule reads.
 *
 * @param valued what follows from the amounts
 * @param valueInBounds the bound of a value that follows
 */
export function basisOf(
  sent: SentBasis,
  valued: Valued | undefined,
  faults: Faults,
  valueInBounds: Rule<Basis>,
): Basis & { readonly N?: number } {
  const value = <V>(member: string, found: V | undefined, none: V, bound: string): V => {
    if (found !== undefined && !faults.touch(member)) return found;
    if (!faults.touch(member)) faults.refuse('missing', [member], bound, undefined);
    return none;
  };
  const weights = (found: WeightMap | undefined) => found && alphabetical(new Map(Object.entries(found)));
  const basis = {
    collateral_weights: value(
      'collateral_weights',
      weights(valued?.collateral_weights) ?? sent.collateral_weights,
      {},
      'an object of symbols and weights, or collateral in its place',
    ),
    loan_weights: value(
      'loan_weights',
      weights(valued?.loan_weights) ?? sent.loan_weights,
      {},
      'an object of symbols and weights, or loan in its place',
    ),
    loan_value: value(
      'loan_value',
      valued?.loan_value ?? sent.loan_value,
      Number.NaN,
      'a value in USD, or loan in its place',
    ),
    ...(valued?.N === undefined ? {} : { N: valued.N }),
  };
  if (valued !== undefined) faults.judge(basis, [...FOLLOWING, valueInBounds]);
  return basis;
}

/** The amounts of a loan as they are shown. */
export function shownAmounts({ collateral, loan }: SentAmounts) {
  const shown = (units: WeightMap) => alphabetical(new Map(Object.entries(units)));
  return {
    ...(collateral && { collateral: shown(collateral) }),
    ...(loan && { loan: shown(loan) }),
  };
}

/** The same members in the order of the interface, in which `Arguments` shows them. */
export const inOrder = <T extends object>(members: T, order: readonly string[]): T =>
  Object.assign(
    Object.fromEntries(order.flatMap(name => (Object.hasOwn(members, name) ? [[name, undefined]] : []))),
    members,
  );

/** The members of every loan; a search has no N, M and R. */
export interface LoanTerms extends Basis, UnderWayMembers, DrawnMembers, BasketTerms {
  readonly analysis_date: Day;
  readonly model_lookback: number;
  /** Days. */
  readonly loan_duration: number;
  /** Hours. */
  readonly mc_top_up: number;
  readonly L: number;
  readonly liquidation_ltv?: LiquidationLtv | undefined;
  readonly price_shock?: PriceShock | undefined;
}

export interface ResolvedLoan<Terms extends LoanTerms = LoanTerms> extends Resolved<Terms>, ResolvedBaskets {
  /** The term in steps of a grid. */
  termSteps(gridHours: GridHours): number;
}

type SentLoan = SentBasis & { readonly prices?: WeightMap | undefined; readonly analysis_date: Day };

/** How the loans of a question become terms. */
interface LoanQuestion<Sent, Terms> {
  readonly schema: SchemaOf<z.ZodType<TypedRequest<Sent>>>;
  /** Its members in the order of the interface. */
  readonly members: (today: Day, resolve: ResolveSymbol) => z.ZodRawShape;
  readonly sides: AmountSides;
  /** Adds the ratios, and the faults of all rules. */
  terms(sent: Sent & DrawnMembers, basis: Basis & { readonly N?: number }, faults: Faults): Terms;
}

/** The reading of bodies with one loan: its members, its amounts at prices, its ratios, then the rules between them. */
export function loanReading<Sent extends SentLoan, Terms extends LoanTerms>({
  schema,
  members,
  sides,
  terms: termsOf,
}: LoanQuestion<Sent, Terms>): Reading<ResolvedLoan<Terms>> {
  const order = [...Object.keys(members(0, cashIsDollar)), 'mc_iter', 'volatility_shock'];
  return {
    schema,
    read: (body, { today, resolve }) =>
      readBody(schema(today, resolve), body, ({ type, params }, issues, list) => {
        const faults = Faults.ofParams(issues, list);
        const amounts = amountsOf([{ sent: params, faults }], sides, params, faults);
        return {
          wanted: amounts.wanted,
          resolve(closes) {
            const { valued, prices } = amounts.value(closes);
            const basis = basisOf(params, valued[0], faults, VALUE_IN_BOUNDS);
            const terms = {
              ...termsOf(params, basis, faults),
              ...shownAmounts(params),
              ...(prices && { prices }),
            };
            if (!faults.none) return undefined;
            return {
              methodology: type,
              terms: inOrder(terms, order),
              ...resolvedBaskets(terms),
              termSteps: gridHours => stepsOfDays(terms.loan_duration, gridHours),
            };
          },
        };
      }),
  };
}
