/** Rules between the members of a row of a book: of every loan, and of partial sales. */
import type { z } from 'zod';
import { basketsAreSent } from '../../request/amounts.ts';
import type { partialSale } from '../../request/loan-fields.ts';
import {
  ALL_RATIOS,
  marginCallAboveLiquidation,
  ratiosAreNoLtvs,
  ratiosAreSent,
  recoveryAboveLiquidation,
} from '../../request/ltv.ts';
import { issue } from '../../request/message.ts';
import { fewDistinctSymbols, type Rule, rule } from '../../request/rules.ts';
import {
  calledBelowMarginCall,
  debtStaysPositive,
  endsCall,
  restoredRatio,
  topUpRules,
} from '../loan/under-way.ts';

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
export const ROW_RULES = [
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
