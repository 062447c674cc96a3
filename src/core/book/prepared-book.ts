/**
 * A book in the order in which its loans are followed: groups of the same baskets and term, the most fragile first.
 *
 * Takes: the terms of a book. Gives: plain arrays that any number of threads read. Must not know: paths.
 */
import type { BookProduct } from '../plan/product/book.ts';
import { type SignedTerms, signedTerms } from './signed-terms.ts';
import type { SparseWeights } from './sparse-weights.ts';

/** Loans of the same baskets and term share r_t = C_t / L_t. G groups. */
export interface PreparedBook {
  readonly collateral: SparseWeights;
  readonly loan: SparseWeights;
  /** Per group: its baskets. */
  readonly groupBasket: Uint32Array;
  /** Per group: steps of the term. */
  readonly groupTerm: Uint32Array;
  /** Loans of group g stand at groupFirst[g] .. groupFirst[g + 1] - 1 of both orders below. */
  readonly groupFirst: Uint32Array;
  /** Per group: the largest r_t at which something can happen to one of its loans, max(M, 1) / N. */
  readonly groupThreshold: Float64Array;
  /** Loan numbers, within a group by falling M / N: those called on a path come first. */
  readonly byCall: Uint32Array;
  /** Loan numbers, within a group by rising N: those under water on a path come first. */
  readonly byNominal: Uint32Array;
  /** Groups of one loan with M of 1 or more, which is followed by signs of sums; and the other groups. */
  readonly aloneGroups: Uint32Array;
  readonly sharedGroups: Uint32Array;
  /** Both sides of the baskets together. */
  readonly terms: SignedTerms;
}

/** @param assets n */
export function prepareBook(product: BookProduct, assets: number): PreparedBook {
  const { basket, termSteps, nominalRatio, marginCallRatio } = product;
  const loans = basket.length;
  const callAt = Float64Array.from(marginCallRatio, (m, k) => m / nominalRatio[k]);
  const sameGroup = (a: number, b: number) => basket[a] === basket[b] && termSteps[a] === termSteps[b];
  const grouped = (within: (a: number, b: number) => number) =>
    Uint32Array.from({ length: loans }, (_, k) => k).sort(
      (a, b) => basket[a] - basket[b] || termSteps[a] - termSteps[b] || within(a, b) || a - b,
    );
  const byCall = grouped((a, b) => callAt[b] - callAt[a]);
  const byNominal = grouped((a, b) => nominalRatio[a] - nominalRatio[b]);
  const starts: number[] = [];
  byCall.forEach((k, i) => {
    if (i === 0 || !sameGroup(byCall[i - 1], k)) starts.push(i);
  });
  const collateral = sparse(product.collateralWeights, assets);
  const loan = sparse(product.loanWeights, assets);
  const ends = [...starts.slice(1), loans];
  const groups = Uint32Array.from(starts.keys());
  const isAlone = (g: number) => ends[g] === starts[g] + 1 && marginCallRatio[byCall[starts[g]]] >= 1;
  return {
    collateral,
    loan,
    aloneGroups: groups.filter(isAlone),
    sharedGroups: groups.filter(g => !isAlone(g)),
    terms: signedTerms(collateral, loan),
    groupBasket: Uint32Array.from(starts, i => basket[byCall[i]]),
    groupTerm: Uint32Array.from(starts, i => termSteps[byCall[i]]),
    groupFirst: Uint32Array.from([...starts, loans]),
    groupThreshold: Float64Array.from(starts, i =>
      Math.max(callAt[byCall[i]], 1 / nominalRatio[byNominal[i]]),
    ),
    byCall,
    byNominal,
  };
}

function sparse(weights: Float64Array, assets: number): SparseWeights {
  const held = [...weights.keys()].filter(i => weights[i] !== 0);
  const start = new Uint32Array(weights.length / assets + 1);
  for (const i of held) start[Math.floor(i / assets) + 1]++;
  for (let b = 1; b < start.length; b++) start[b] += start[b - 1];
  return {
    start,
    asset: Uint32Array.from(held, i => i % assets),
    weight: Float64Array.from(held, i => weights[i]),
  };
}
