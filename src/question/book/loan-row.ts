/** A loan of a book as a request states it, its resolved form, and the rules between its members. */
import type { z } from 'zod';
import { cashIsDollar, type ResolveSymbol } from '../../text/symbols.ts';
import { loanMembers, ratioMembers } from '../loan/request.ts';
import { type Basis, BOOKED_VALUE_IN_BOUNDS, basisOf, inOrder, shownAmounts } from '../loan/resolve.ts';
import {
  calledBelowMarginCall,
  debtStaysPositive,
  endsCall,
  restoredRatio,
  topUpRules,
} from '../loan/under-way.ts';
import { amountMembers, type Valued } from '../request/amounts.ts';
import type { Faults } from '../request/faults.ts';
import { bookedValueUsd, identifier, meaning, members } from '../request/fields.ts';
import { type partialSale, rowMembers } from '../request/loan-fields.ts';
import {
  type Grace,
  marginCallAboveLiquidation,
  type Ratios,
  rangeByAsset,
  ratiosAreNoLtvs,
  recoveryAboveLiquidation,
  resolvedGrace,
  resolvedRatiosOfRow,
  thresholdsOf,
} from '../request/ltv.ts';
import { fewDistinctSymbols, type Rule, rule } from '../request/rules.ts';

type PartialSale = NonNullable<z.infer<typeof partialSale>>;

/** Collateral over debt that a sale restores. */
export const saleRatio = (sale: Pick<PartialSale, 'to' | 'to_ltv'>): number =>
  restoredRatio(sale, Number.NaN);

interface Selling {
  readonly M: number;
  readonly R: number;
  readonly partial_sale?: PartialSale | undefined;
}

const oneSaleRatio = rule<Selling>(
  ['partial_sale'],
  'partial_sale.to',
  ({ partial_sale }) =>
    partial_sale === undefined || (partial_sale.to === undefined) !== (partial_sale.to_ltv === undefined),
  () => 'a ratio at or below 100, either as to or as to_ltv',
  ({ partial_sale }) => (partial_sale?.to === undefined ? 'neither' : 'both'),
);

const saleEndsCall = endsCall<Selling>(
  'partial_sale',
  'a sale',
  ({ partial_sale }) => partial_sale && saleRatio(partial_sale),
);

/** A sale restores a ratio at which no mix of the collateral is liquidated: else it would sell nothing. */
const saleAboveThresholds = rule<BookLoan>(
  ['partial_sale', 'liquidation_ltv', 'collateral_weights'],
  'partial_sale',
  ({ partial_sale, liquidation_ltv, collateral_weights }) => {
    const byAsset = thresholdsOf(liquidation_ltv, collateral_weights);
    const to = partial_sale === undefined ? Number.NaN : saleRatio(partial_sale);
    return byAsset === undefined || Number.isNaN(to) || to > rangeByAsset(byAsset).most;
  },
  ({ liquidation_ltv, collateral_weights }) => {
    const { most } = rangeByAsset(thresholdsOf(liquidation_ltv, collateral_weights) ?? {});
    return `such that a sale restores a ratio above ${most}, the largest of 1 / liquidation_ltv of the collateral`;
  },
  ({ partial_sale }) => (partial_sale === undefined ? 'none' : saleRatio(partial_sale)),
);

const maturesAfterTerm = rule<{
  readonly loan_duration: number;
  readonly maturity_days?: number | null | undefined;
}>(
  ['loan_duration', 'maturity_days'],
  'maturity_days',
  ({ loan_duration, maturity_days }) => (maturity_days ?? loan_duration) >= loan_duration,
  ({ loan_duration }) => `at least loan_duration (${loan_duration}), or null without a maturity`,
  ({ maturity_days }) => Number(maturity_days),
);

/** The rules of a row. A loan of a book may start below M or below L. */
const ROW_RULES: readonly Rule<BookLoan>[] = [
  fewDistinctSymbols,
  ratiosAreNoLtvs,
  marginCallAboveLiquidation,
  calledBelowMarginCall,
  recoveryAboveLiquidation,
  debtStaysPositive,
  ...topUpRules,
  oneSaleRatio,
  saleEndsCall,
  saleAboveThresholds,
  maturesAfterTerm,
];

/** The cost of the sales of a loan: that of its row, or else of the book. */
interface Costs {
  readonly sale_cost?: number | undefined;
  readonly partial_sale?: PartialSale | undefined;
}

/** A partial sale raises the ratio: it restores more than 1 after its cost. @param ofBook cost of the sales of the book */
export function refuseCostlySale({ sale_cost, partial_sale }: Costs, ofBook: number, faults: Faults): void {
  if (partial_sale === undefined || faults.touch('partial_sale', 'sale_cost')) return;
  const cost = sale_cost ?? ofBook;
  const to = saleRatio(partial_sale);
  if ((1 - cost) * to > 1) return;
  const bound = `such that a sale restores a ratio above ${1 / (1 - cost)}, which is 1 after its cost (${cost})`;
  faults.refuse('inconsistent', ['partial_sale'], bound, to);
}

const rowMembersOf = (resolve: ResolveSymbol) => {
  const { analysis_date: _date, model_lookback: _lookback, proxy: _proxy, ...own } = loanMembers(0, resolve);
  return {
    id: meaning(identifier, "The caller's name of the loan, 1 to 64 characters; each once."),
    ...own,
    ...amountMembers(resolve),
    loan_value: meaning(bookedValueUsd, 'Value of the loan at the start.', 'USD').optional(),
    ...ratioMembers,
    ...rowMembers,
  };
};

export const loanSchema = (resolve: ResolveSymbol) => members(rowMembersOf(resolve));

export type SentRow = z.output<ReturnType<typeof loanSchema>>;
export type BookLoan = SentRow & Basis & Ratios & Grace;

const ORDER = Object.keys(rowMembersOf(cashIsDollar));

/** The resolved row. Without faults all its members are present. */
export function resolvedRow(sent: SentRow, valued: Valued | undefined, faults: Faults): BookLoan {
  const basis = basisOf(sent, valued, faults, BOOKED_VALUE_IN_BOUNDS);
  const ratios = resolvedRatiosOfRow(sent, faults, basis);
  const row = { ...sent, ...basis, ...ratios, ...resolvedGrace(sent, ratios, faults), ...shownAmounts(sent) };
  faults.judge(row, ROW_RULES);
  return inOrder(row, ORDER);
}
