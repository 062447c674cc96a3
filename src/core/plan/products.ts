/** The catalogue of products. Lists by product are records over `ProductKind`: a missing row does not compile. */
import { ACCOUNT, type AccountOutcome, type AccountProduct } from './product/account.ts';
import { ADVANCE_RATE, type AdvanceRateOutcome, type AdvanceRateProduct } from './product/advance-rate.ts';
import { BOOK, type BookOutcome, type BookProduct } from './product/book.ts';
import { CAPPED_LOAN, type CappedLoanOutcome, type CappedLoanProduct } from './product/capped-loan.ts';
import type { Merge, ProductContract } from './product/contract.ts';
import type { ProductKind } from './product/kinds.ts';
import { LOAN, type LoanOutcome, type LoanProduct } from './product/loan.ts';
import { ORIGINATION, type OriginationOutcome, type OriginationProduct } from './product/origination.ts';
import { PERPETUAL, type PerpetualOutcome, type PerpetualProduct } from './product/perpetual.ts';
import { VALUE_AT_RISK, type ValueAtRiskOutcome, type ValueAtRiskProduct } from './product/value-at-risk.ts';

export interface ProductTypes {
  loan: { terms: LoanProduct; outcome: LoanOutcome };
  origination: { terms: OriginationProduct; outcome: OriginationOutcome };
  'capped-loan': { terms: CappedLoanProduct; outcome: CappedLoanOutcome };
  'value-at-risk': { terms: ValueAtRiskProduct; outcome: ValueAtRiskOutcome };
  'advance-rate': { terms: AdvanceRateProduct; outcome: AdvanceRateOutcome };
  perpetual: { terms: PerpetualProduct; outcome: PerpetualOutcome };
  account: { terms: AccountProduct; outcome: AccountOutcome };
  book: { terms: BookProduct; outcome: BookOutcome };
}

export type ProductOf<K extends ProductKind> = ProductTypes[K]['terms'];
export type Product = ProductOf<ProductKind>;
export type Outcome = ProductTypes[ProductKind]['outcome'];
export type OutcomeOf<P extends Product> = ProductTypes[P['kind']]['outcome'];

export const PRODUCTS = {
  loan: LOAN,
  origination: ORIGINATION,
  'capped-loan': CAPPED_LOAN,
  'value-at-risk': VALUE_AT_RISK,
  'advance-rate': ADVANCE_RATE,
  perpetual: PERPETUAL,
  account: ACCOUNT,
  book: BOOK,
} as const satisfies {
  readonly [K in ProductKind]: ProductContract<ProductTypes[K]['terms'], ProductTypes[K]['outcome'], Merge>;
};

type MergeOf<K extends ProductKind> = (typeof PRODUCTS)[K]['merge'] extends infer M extends string
  ? M
  : 'ranges';
/** Kinds whose contract names a way of merging. */
export type KindMergedBy<M extends Merge> = {
  [K in ProductKind]: MergeOf<K> extends M ? K : never;
}[ProductKind];

export function contractOf<P extends Product>(product: P): ProductContract<P, OutcomeOf<P>, Merge> {
  return PRODUCTS[product.kind] as unknown as ProductContract<P, OutcomeOf<P>, Merge>;
}

export function mergeOf(kind: ProductKind): Merge {
  const { merge } = PRODUCTS[kind];
  return typeof merge === 'string' ? merge : 'ranges';
}
