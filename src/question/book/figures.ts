/** The members `Borrowers` and `Book` of /book_risk, from the outcome of a book. */
import {
  ASSET_PARTS,
  type BORROWER_FIGURES,
  BORROWER_PARTS,
  bookColumnFigures,
} from '../../core/figures/book.ts';
import { expectedLoss, tailParts, underWeights } from '../../core/figures/book-loan.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import { JsonRows } from '../answer-pieces.ts';

/** Figures of the loans of each borrower together. @param borrowerOf the borrower of a loan, if it has one */
export function borrowerFigures(
  product: BookProduct,
  outcome: BookOutcome,
  borrowerOf: (loan: number) => string | null,
): JsonRows {
  const { tails } = outcome;
  const { paths, loans } = underWeights(outcome);
  const { names, loansOf } = byBorrower(product.loanValue.length, borrowerOf);
  const sum = (of: Uint32Array, amount: (k: number) => number) =>
    of.reduce((total, k) => total + amount(k), 0);
  return new JsonRows(names, i => {
    const own = loansOf(i);
    return {
      LoanValue: sum(own, k => product.loanValue[k]),
      ExpectedLoss: sum(own, k => expectedLoss(product, { paths, loans }, k)),
      ...tailParts(BORROWER_PARTS, product.quantiles, tails, part => sum(own, k => part[k])),
    } satisfies OfBorrower;
  });
}

/** The borrowers in the order of their first loans, and the loans of each, in a few long lists: 100,000 short ones take 20 ms. */
function byBorrower(count: number, borrowerOf: (loan: number) => string | null) {
  const places = new Map<string, number>();
  /** Per loan 1 + the place of its borrower, or 0. */
  const ranks = new Uint32Array(count);
  for (let k = 0; k < count; k++) {
    const name = borrowerOf(k);
    if (name === null) continue;
    const place = places.get(name) ?? places.size;
    if (place === places.size) places.set(name, place);
    ranks[k] = place + 1;
  }
  /** Where the loans of each rank begin, and the place of the next one. */
  const begins = new Uint32Array(places.size + 2);
  for (const rank of ranks) begins[rank + 1] += 1;
  for (let rank = 1; rank < begins.length; rank++) begins[rank] += begins[rank - 1];
  const next = begins.slice();
  const loans = new Uint32Array(count);
  for (let k = 0; k < count; k++) loans[next[ranks[k]]++] = k;
  return {
    names: [...places.keys()],
    loansOf: (place: number) => loans.subarray(begins[place + 1], begins[place + 2]),
  };
}

type OfBorrower = Record<keyof typeof BORROWER_FIGURES, number> &
  Record<keyof typeof BORROWER_PARTS, unknown>;

export function bookFigures(product: BookProduct, outcome: BookOutcome, symbols: readonly string[]) {
  const { quantiles, loanValue } = product;
  const { summaries, tails, collateralByAsset } = outcome;
  const total = collateralByAsset.reduce((sum, value) => sum + value, 0);
  const ofAsset = (i: number) => ({
    CollateralShare: collateralByAsset[i] / total,
    ...tailParts(ASSET_PARTS, quantiles, tails, part => part[i]),
  });
  const held = [...symbols.keys()].filter(i => collateralByAsset[i] !== 0);
  return {
    LoanValue: loanValue.reduce((sum, value) => sum + value, 0),
    ...bookColumnFigures(summaries, quantiles),
    Assets: Object.fromEntries(held.map(i => [symbols[i], ofAsset(i)])),
  };
}
