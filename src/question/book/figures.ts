/** The members `Borrowers` and `Book` of /book_risk, from the outcome of a book. */
import {
  ASSET_PARTS,
  type BORROWER_FIGURES,
  BORROWER_PARTS,
  bookColumnFigures,
} from '../../core/figures/book.ts';
import { expectedLoss, tailParts, underWeights } from '../../core/figures/book-loan.ts';
import { type CAPITAL_PARTS, capitalParts } from '../../core/figures/capital.ts';
import type { BookOutcome, BookProduct } from '../../core/plan/product/book.ts';
import { rowsInTurns } from '../../host/in-turns.ts';
import type { Borrowers } from './columns.ts';

/** Figures of the loans of each borrower together. @param borrowers ranks are of the loans of the product */
export function borrowerFigures(
  product: BookProduct,
  outcome: BookOutcome,
  borrowers: Borrowers,
  hasCapital: boolean,
) {
  const { tails } = outcome;
  const { paths, loans } = underWeights(outcome);
  const { names, loansOf } = byBorrower(borrowers);
  const sum = (of: Uint32Array, amount: (k: number) => number) =>
    of.reduce((total, k) => total + amount(k), 0);
  return rowsInTurns(names, i => {
    const own = loansOf(i);
    return {
      LoanValue: sum(own, k => product.loanValue[k]),
      ExpectedLoss: sum(own, k => expectedLoss(product, { paths, loans }, k)),
      ...tailParts(BORROWER_PARTS, product.quantiles, tails, part => sum(own, k => part[k])),
      ...(hasCapital && capitalParts(product, outcome, own)),
    } satisfies OfBorrower;
  });
}

/** The borrowers with loans in the order of these, and the loans of each, in a few long lists: 100,000 short ones take 20 ms. */
function byBorrower({ names, ranks }: Borrowers) {
  const shown: string[] = [];
  const places = new Uint32Array(names.length + 1);
  /** Per loan 1 + the place of its borrower in `shown`, or 0. */
  const own = ranks.map(rank => {
    if (rank > 0 && places[rank] === 0) places[rank] = shown.push(names[rank - 1]);
    return places[rank];
  });
  /** Where the loans of each place begin, and the place of the next one. */
  const begins = new Uint32Array(shown.length + 2);
  for (const place of own) begins[place + 1] += 1;
  for (let place = 1; place < begins.length; place++) begins[place] += begins[place - 1];
  const next = begins.slice();
  const loans = new Uint32Array(own.length);
  for (let k = 0; k < own.length; k++) loans[next[own[k]]++] = k;
  return {
    names: shown,
    loansOf: (place: number) => loans.subarray(begins[place + 1], begins[place + 2]),
  };
}

type OfBorrower = Record<keyof typeof BORROWER_FIGURES, number> &
  Record<keyof typeof BORROWER_PARTS, unknown> &
  Partial<Record<keyof typeof CAPITAL_PARTS, unknown>>;

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
