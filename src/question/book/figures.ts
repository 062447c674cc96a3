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

/** Figures of the loans of each borrower together. @param borrowers per loan its borrower, if it has one */
export function borrowerFigures(
  product: BookProduct,
  outcome: BookOutcome,
  borrowers: readonly (string | null)[],
): JsonRows {
  const { tails } = outcome;
  const { paths, loans } = underWeights(outcome);
  const loansOf = new Map<string, number[]>();
  borrowers.forEach((name, k) => {
    if (name === null) return;
    const known = loansOf.get(name);
    if (known === undefined) loansOf.set(name, [k]);
    else known.push(k);
  });
  const sum = (of: readonly number[], amount: (k: number) => number) =>
    of.reduce((total, k) => total + amount(k), 0);
  const names = [...loansOf.keys()];
  return new JsonRows(names, i => {
    const own = loansOf.get(names[i]) ?? [];
    return {
      LoanValue: sum(own, k => product.loanValue[k]),
      ExpectedLoss: sum(own, k => expectedLoss(product, { paths, loans }, k)),
      ...tailParts(BORROWER_PARTS, product.quantiles, tails, part => sum(own, k => part[k])),
    } satisfies OfBorrower;
  });
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
