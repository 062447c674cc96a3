/** A loan of a book as a request states it, and the rules between its members. */
import { z } from 'zod';
import { issue } from '../../text/message.ts';
import type { ResolveSymbol } from '../../text/symbols.ts';
import { loanMembers, orAmounts, ratioMembers } from '../loan/request.ts';
import {
  calledBelowMarginCall,
  debtStaysPositive,
  endsCall,
  restoredRatio,
  topUpRules,
} from '../loan/under-way.ts';
import { amountMembers, basketsAreSent } from '../request/amounts.ts';
import { bookedValueUsd, identifier, meaning, members } from '../request/fields.ts';
import { type partialSale, rowMembers } from '../request/loan-fields.ts';
import {
  ALL_RATIOS,
  marginCallAboveLiquidation,
  ratiosAreNoLtvs,
  ratiosAreSent,
  recoveryAboveLiquidation,
  withRatiosOfRow,
} from '../request/ltv.ts';
import { fewDistinctSymbols, type Rule, rule, withRules } from '../request/rules.ts';

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

/** The rules of a row. A loan of a book may start below M or below L. */
const ROW_RULES = [
  basketsAreSent,
  ratiosAreSent(ALL_RATIOS),
  fewDistinctSymbols,
  ratiosAreNoLtvs,
  marginCallAboveLiquidation,
  calledBelowMarginCall,
  recoveryAboveLiquidation,
  debtStaysPositive,
  ...topUpRules,
  oneSaleRatio,
  saleEndsCall,
] as const;

interface Book {
  readonly sale_cost: number;
  readonly loans: readonly {
    readonly sale_cost?: number | undefined;
    readonly partial_sale?: PartialSale | undefined;
  }[];
}

const MAX_FAULTS = 100;

/** A partial sale raises the ratio: it restores more than 1 after its cost, which is that of the row or else of the book. */
export const salesRestoreMoreThanTheyCost: Rule<Book> = [
  ({ sale_cost, loans }, context) => {
    let faults = 0;
    loans.forEach((loan, k) => {
      if (loan.partial_sale === undefined || faults >= MAX_FAULTS) return;
      const cost = loan.sale_cost ?? sale_cost;
      const to = saleRatio(loan.partial_sale);
      if ((1 - cost) * to > 1) return;
      faults += 1;
      context.addIssue(
        issue(
          ['loans', k, 'partial_sale'],
          `such that a sale restores a ratio above ${1 / (1 - cost)}, which is 1 after its cost (${cost})`,
          to,
        ),
      );
    });
  },
  { when: ({ issues }) => issues.length === 0 },
];

export function loanSchema(resolve: ResolveSymbol) {
  const { analysis_date: _date, model_lookback: _lookback, ...own } = loanMembers(0, resolve);
  const loan = withRules(
    members({
      id: meaning(identifier, "The caller's name of the loan, 1 to 64 characters; each once."),
      ...own,
      ...amountMembers(resolve),
      loan_value: orAmounts(meaning(bookedValueUsd, 'Value of the loan at the start.', 'USD')),
      ...ratioMembers,
      ...rowMembers,
    }),
    ...ROW_RULES,
  );
  return z.preprocess(withRatiosOfRow, loan);
}

export type BookLoan = z.output<ReturnType<typeof loanSchema>>;
