/**
 * A book in the order in which its loans are followed: groups of equal baskets and term, in them classes of equal M, L,
 * R and time to top up, the most fragile class and loan first. All threads read its plain arrays.
 */
import {
  hasOwnRules,
  isFollowedSingly,
  isPlainUntilCalled,
  isUnderWay,
  LOAN_START,
} from '../plan/book-lending.ts';
import { type BookProduct, bookUnit } from '../plan/product/book.ts';
import { firstTrue } from '../stats/first-true.ts';
import { loanClasses } from './loan-classes.ts';
import { type SignedTerms, type SparseWeights, signedTerms, sparseWeights } from './signed-terms.ts';
import { sortWithinGroups } from './sorted-places.ts';

/** The groups of loans with the terms of real loans; each engine selects one way, and no figure depends on it. */
export type SingleLoanGroups = 'together' | 'apart';

/** Loans of the same baskets and term share r_t = C_t / L_t. G groups. */
export interface PreparedBook {
  readonly collateral: SparseWeights;
  readonly loan: SparseWeights;
  /** Collateral with the liquidation LTVs of assets; absent where no loan has them. */
  readonly secured?: SparseWeights;
  /** Per group: its baskets, and steps of the term. */
  readonly groupBasket: Uint32Array;
  readonly groupTerm: Uint32Array;
  /** Loans of group g have the places groupFirst[g] .. groupFirst[g + 1] - 1. */
  readonly groupFirst: Uint32Array;
  /** Per group: the largest r_t of a possible event, max(M, 1) / N. */
  readonly groupThreshold: Float64Array;
  /** Classes of group g are groupClass[g] .. groupClass[g + 1] - 1, by the largest M / N of each, falling. */
  readonly groupClass: Uint32Array;
  /** Loans of class c have the places classFirst[c] .. classFirst[c + 1] - 1. */
  readonly classFirst: Uint32Array;
  /** Per place: its loan number, within a class by rising N: the loans that are called on a path come first. */
  readonly byCall: Uint32Array;
  /** Places, within a group by rising N: the loans under water on a path come first. */
  readonly byNominal: Uint32Array;
  /** Per place: M / N, L / N, R / N and 1 / N. Loans that are followed one after another are adjacent in memory. */
  readonly callAt: Float64Array;
  readonly liquidationAt: Float64Array;
  readonly recoveryAt: Float64Array;
  readonly underAt: Float64Array;
  /** Per place: N, USD at the start, and steps between a margin call and its deadline. */
  readonly nominalRatio: Float64Array;
  readonly loanValue: Float64Array;
  /** Per place, and one more: N times value, USD, of all places before it. */
  readonly pledgedBefore: Float64Array;
  readonly topUpSteps: Uint32Array;
  /** Groups of one loan with M of at least 1, followed by the signs of sums; then the other groups of plain loans. */
  readonly aloneGroups: Uint32Array;
  readonly sharedGroups: Uint32Array;
  /** Groups of loans that are followed singly from the start on; no group has both kinds of loans. */
  readonly singleGroups: Uint32Array;
  /** Per alone group: 1 where its loan is followed singly from its first call on. */
  readonly singleFromCall: Uint32Array;
  /** Per alone group: the start of its loan, a value of `LOAN_START`; none without an event there. */
  readonly aloneStart: Uint32Array;
  /** Per alone group with a call at the start: the step index of the deadline. */
  readonly aloneDeadline: Uint32Array;
  /** Per group: increment per step of the natural logarithm of the debt. */
  readonly groupGrowth: Float64Array;
  readonly terms: SignedTerms;
  /** USD of the smallest step of amounts. */
  readonly unit: number;
}

/**
 * @param assets n
 * @param singles the groups of loans of their own terms with equal baskets, term and growth: one group, or, for those
 *    that are plain until they are called, a group for each
 */
export function prepareBook(
  product: BookProduct,
  assets: number,
  singles: SingleLoanGroups = 'together',
): PreparedBook {
  const { basket, termSteps, nominalRatio, marginCallRatio } = product;
  const loans = basket.length;
  const { groupOf, groupFirst } = groupsOf(product, singles);
  const { classOf, classFirst, groupClass } = loanClasses(
    product,
    marginCallRatio.map((m, k) => m / nominalRatio[k]),
    groupOf,
    groupFirst,
  );
  const byCall = sortWithinGroups(classOf, classFirst, nominalRatio);
  const byNominal = sortWithinGroups(groupOf, groupFirst, nominalRatio);
  const placeOf = new Uint32Array(loans);
  for (let i = 0; i < loans; i++) placeOf[byCall[i]] = i;
  const inPlace = (column: Float64Array) => {
    const placed = new Float64Array(loans);
    for (let i = 0; i < loans; i++) placed[i] = column[byCall[i]];
    return placed;
  };
  const nominal = inPlace(nominalRatio);
  const overNominal = (ratio: Float64Array) => {
    const placed = inPlace(ratio);
    for (let i = 0; i < loans; i++) placed[i] /= nominal[i];
    return placed;
  };
  const callAt = overNominal(marginCallRatio);
  const loanValue = inPlace(product.loanValue);
  const pledgedBefore = new Float64Array(loans + 1);
  for (let i = 0; i < loans; i++) pledgedBefore[i + 1] = pledgedBefore[i] + nominal[i] * loanValue[i];
  const collateral = sparseWeights(product.collateralWeights, assets);
  const loan = sparseWeights(product.loanWeights, assets);
  const groups = groupFirst.length - 1;
  const groupBasket = new Uint32Array(groups);
  const groupTerm = new Uint32Array(groups);
  const groupGrowth = new Float64Array(groups);
  const groupThreshold = new Float64Array(groups);
  const [alone, single, shared]: number[][] = [[], [], []];
  for (let g = 0; g < groups; g++) {
    const first = groupFirst[g];
    const k = byCall[first];
    groupBasket[g] = basket[k];
    groupTerm[g] = termSteps[k];
    groupGrowth[g] = logGrowth(product, k);
    groupThreshold[g] = Math.max(callAt[first], 1 / nominalRatio[byNominal[first]]);
    const isAlone = groupFirst[g + 1] === first + 1 && isPlainUntilCalled(product, k);
    if (isAlone) alone.push(g);
    else if (isFollowedSingly(product, k)) single.push(g);
    else shared.push(g);
  }
  const aloneGroups = new Uint32Array(alone);
  const firstLoan = (g: number) => byCall[groupFirst[g]];
  const startOf = (g: number) => product.lending?.start[firstLoan(g)] ?? LOAN_START.none;
  return {
    collateral,
    loan,
    ...(product.liquidationWeights && { secured: sparseWeights(product.liquidationWeights, assets) }),
    aloneGroups,
    singleFromCall: aloneGroups.map(g => Number(hasOwnRules(product, firstLoan(g)))),
    aloneStart: aloneGroups.map(g => (isUnderWay(product, firstLoan(g)) ? startOf(g) : LOAN_START.none)),
    aloneDeadline: aloneGroups.map(g =>
      startOf(g) === LOAN_START.called ? Number(product.lending?.startDeadline[firstLoan(g)]) - 1 : 0,
    ),
    sharedGroups: new Uint32Array(shared),
    singleGroups: new Uint32Array(single),
    groupGrowth,
    terms: signedTerms(collateral, loan),
    groupBasket,
    groupTerm,
    groupFirst,
    groupClass,
    classFirst,
    groupThreshold,
    byCall,
    byNominal: byNominal.map(k => placeOf[k]),
    callAt,
    liquidationAt: overNominal(product.liquidationRatio),
    recoveryAt: overNominal(product.recoveryRatio),
    underAt: nominal.map(n => 1 / n),
    nominalRatio: nominal,
    loanValue,
    pledgedBefore,
    topUpSteps: byCall.map(k => product.topUpSteps[k]),
    unit: bookUnit(product),
  };
}

function logGrowth({ lending, termSteps }: BookProduct, k: number): number {
  return lending === undefined ? 0 : Math.log(lending.debtGrowth[k]) / termSteps[k];
}

/**
 * Groups in the order of their baskets, then terms. Behind them are the groups of loans that are followed singly: one
 * for each growth of the debt, or one for each loan that is plain until it is called. A loan that differs from a plain
 * one only at the start is always alone in its group.
 */
function groupsOf(product: BookProduct, singles: SingleLoanGroups) {
  const { basket, termSteps } = product;
  const most = termSteps.reduce((a, b) => Math.max(a, b));
  // Below 2^53: up to 2^17 baskets and 2^17 steps.
  const loans = basket.length;
  const keys = new Float64Array(loans);
  for (let k = 0; k < loans; k++) keys[k] = basket[k] * most + termSteps[k];
  numberSingles(product, keys, singles);
  const sorted = keys.slice().sort();
  const groupFirst = new Uint32Array(loans + 1);
  let groups = 0;
  for (let i = 0; i < loans; i++) if (i === 0 || sorted[i] !== sorted[i - 1]) groupFirst[groups++] = i;
  groupFirst[groups] = loans;
  const groupOf = new Uint32Array(loans);
  for (let k = 0; k < loans; k++) groupOf[k] = firstTrue(groups, g => sorted[groupFirst[g]] >= keys[k]);
  return { groupOf, groupFirst: groupFirst.slice(0, groups + 1) };
}

/**
 * Sets the keys of loans that are followed singly, after all others, by their present key and the growth of their debt.
 */
function numberSingles(product: BookProduct, keys: Float64Array, groups: SingleLoanGroups): void {
  const { lending } = product;
  if (lending === undefined) return;
  const { debtGrowth } = lending;
  const singles = Array.from(keys.keys()).filter(k => isFollowedSingly(product, k));
  const isAlone = (k: number) =>
    Number(isPlainUntilCalled(product, k) && (groups === 'apart' || isUnderWay(product, k)));
  // Those that are alone come after the others of their baskets.
  singles.sort(
    (a, b) => keys[a] - keys[b] || isAlone(a) - isAlone(b) || debtGrowth[a] - debtGrowth[b] || a - b,
  );
  let next = keys.reduce((a, b) => Math.max(a, b), 0);
  let before = Number.NaN;
  let growth = Number.NaN;
  for (const k of singles) {
    if (keys[k] !== before || debtGrowth[k] !== growth || isAlone(k) === 1) next += 1;
    before = keys[k];
    growth = debtGrowth[k];
    keys[k] = next;
  }
}
