/** The kinds of products. */
export const PRODUCT_KINDS = [
  'loan',
  'origination',
  'capped-loan',
  'value-at-risk',
  'advance-rate',
  'perpetual',
  'account',
  'book',
] as const;
export type ProductKind = (typeof PRODUCT_KINDS)[number];
