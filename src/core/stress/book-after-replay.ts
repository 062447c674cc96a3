/**
 * The book at the end of a replay: the loans whose term continues, as a caller would send them at that hour. Values
 * include interest, ratios refer to that time, and calls are under way.
 */
import { isByAsset, LOAN_START } from '../plan/book-lending.ts';
import { type GridHours, graceSteps } from '../plan/grid.ts';
import type { BookProduct } from '../plan/product/book.ts';
import { lendingOf } from './book-shock.ts';
import { REPLAY_END, type ReplayedLoans, type ReplayInput } from './replay-book.ts';

/** The remaining loans, and their places in the book before. */
export interface BookLeft {
  readonly product: BookProduct;
  /** Per remaining loan: its number before. */
  readonly loans: Uint32Array;
}

/** The remaining book; undefined where no loan remains. @param gridHours hours of a step of the new product */
export function bookAfterReplay(
  { product, relatives, hours }: ReplayInput,
  replayed: ReplayedLoans,
  gridHours: GridHours,
): BookLeft | undefined {
  const lending = lendingOf(product);
  const goesOn = (k: number) => replayed.end[k] === REPLAY_END.open || replayed.end[k] === REPLAY_END.called;
  const left = Uint32Array.from(product.loanValue.keys()).filter(goesOn);
  if (left.length === 0) return undefined;
  const doubles = (pick: (k: number) => number) => Float64Array.from(left, pick);
  const words = (pick: (k: number) => number) => Uint32Array.from(left, pick);
  const leftHours = (k: number) => product.termSteps[k] - hours;
  const growth = (k: number) => lending.debtGrowth[k] ** (hours / product.termSteps[k]);
  const termSteps = words(k => Math.max(1, Math.round(leftHours(k) / gridHours)));
  const saleDelaySteps = graceSteps(product.saleDelaySteps, gridHours);
  const { debtOf, collateralOf, ...baskets } = basketsOf(product, left, relatives, hours);
  const answerIn = (k: number) => replayed.deadlineSteps[k] - product.topUpSteps[k] + lending.answerDelay[k];
  return {
    loans: left,
    product: {
      ...product,
      ...baskets,
      steps: termSteps.reduce((a, b) => Math.max(a, b), 0) + saleDelaySteps,
      saleDelaySteps,
      daySteps: product.daySteps / gridHours,
      termSteps,
      topUpSteps: words(k => graceSteps(product.topUpSteps[k], gridHours)),
      loanValue: doubles(k => product.loanValue[k] * debtOf(k) * replayed.debtFactor[k] * growth(k)),
      nominalRatio: doubles(
        k =>
          (product.nominalRatio[k] * collateralOf(k) * replayed.collateralFactor[k]) /
          (debtOf(k) * replayed.debtFactor[k] * growth(k)),
      ),
      marginCallRatio: doubles(k => product.marginCallRatio[k]),
      liquidationRatio: doubles(k => product.liquidationRatio[k]),
      recoveryRatio: doubles(k => product.recoveryRatio[k]),
      lending: {
        debtGrowth: doubles(k => lending.debtGrowth[k] / growth(k)),
        saleCost: doubles(k => lending.saleCost[k]),
        start: words(k => (replayed.end[k] === REPLAY_END.called ? LOAN_START.called : LOAN_START.none)),
        startDeadline: words(k => Math.max(1, graceSteps(replayed.deadlineSteps[k], gridHours))),
        startAnswer: words(k =>
          lending.answerRatio[k] > 0 && answerIn(k) > 0 ? graceSteps(answerIn(k), gridHours) : 0,
        ),
        answerShare: doubles(k => lending.answerShare[k]),
        answerDelay: words(k => Math.max(1, graceSteps(lending.answerDelay[k], gridHours))),
        answerRatio: doubles(k => lending.answerRatio[k]),
        nameHigh: words(k => lending.nameHigh[k]),
        nameLow: words(k => lending.nameLow[k]),
        ...(lending.byAsset && { byAsset: words(k => Number(isByAsset(lending, k))) }),
        oneDraw: words(k => lending.oneDraw[k]),
        saleRatio: doubles(k => lending.saleRatio[k]),
        saleShare: doubles(k => lending.saleShare[k]),
      },
    },
  };
}

/** The baskets of the remaining loans as shares at the final prices, without baskets that have no loan; and the values of a unit of each loan's. */
function basketsOf(
  product: BookProduct,
  left: Uint32Array,
  relatives: readonly Float64Array[],
  hours: number,
): Pick<BookProduct, 'basket' | 'collateralWeights' | 'loanWeights' | 'liquidationWeights'> & {
  readonly collateralOf: (k: number) => number;
  readonly debtOf: (k: number) => number;
} {
  const assets = relatives.length;
  const used = [...new Set(Array.from(left, k => product.basket[k]))].sort((a, b) => a - b);
  const place = new Map(used.map((b, i) => [b, i]));
  /** @param units of the shares; the sums of the rows where absent */
  const rows = (weights: Float64Array, units?: readonly number[]) => {
    const shares = new Float64Array(used.length * assets);
    const values = used.map((b, i) => {
      let value = 0;
      for (let a = 0; a < assets; a++) {
        shares[i * assets + a] = weights[b * assets + a] * relatives[a][hours];
        value += shares[i * assets + a];
      }
      for (let a = 0; a < assets; a++) shares[i * assets + a] /= units?.[i] ?? value;
      return value;
    });
    return { shares, values, valueOf: (k: number) => values[place.get(product.basket[k]) as number] };
  };
  const collateral = rows(product.collateralWeights);
  const debt = rows(product.loanWeights);
  return {
    basket: Uint32Array.from(left, k => place.get(product.basket[k]) as number),
    collateralWeights: collateral.shares,
    loanWeights: debt.shares,
    ...(product.liquidationWeights && {
      liquidationWeights: rows(product.liquidationWeights, collateral.values).shares,
    }),
    collateralOf: collateral.valueOf,
    debtOf: debt.valueOf,
  };
}
