/**
 * Sums of a book by the weights of its paths: one set for equal weights; else plain sums, those under the weights of
 * all paths and of odd ones, and those under the squares of the weights, end to end.
 *
 * Sums under weights are whole numbers too, in units of their own, so that paths can be added in any order.
 */

import { isShifted } from '../plan/model/gbm-shifted.ts';
import { hasWeights } from '../plan/models.ts';
import { type BookProduct, columnsOfBook } from '../plan/product/book.ts';
import type { SimulationPlan } from '../plan/simulation-plan.ts';
import {
  addParts,
  addSums,
  type BookSums,
  LENDING_COLUMNS,
  LOW_PART,
  SQUARE_COLUMNS,
  SUM_COLUMNS,
  sumsAt,
  sumsLength,
  sumsOfProduct,
} from './book-sums.ts';
import { listCredit } from './credit-columns.ts';

type BookPlan = SimulationPlan<BookProduct>;

/** Plain sums; then, of weighted paths, those under the weights, of odd paths alone, and under the squares of the weights. */
export type SumSets = readonly [plain: BookSums, once?: BookSums, odd?: BookSums, twice?: BookSums];

export const isWeighted = ({ scenarios }: Pick<BookPlan, 'scenarios'>): boolean => hasWeights(scenarios.kind);

/** Columns of a plan's paths, in memory order. */
export const columnsOfRun = (
  plan: BookPlan,
): readonly (ReturnType<typeof columnsOfBook>[number] | 'weight')[] =>
  isWeighted(plan) ? [...columnsOfBook(plan.product), 'weight'] : columnsOfBook(plan.product);

const setsOf = (plan: BookPlan): number => (isWeighted(plan) ? 4 : 1);
const sizeOf = ({ product }: BookPlan, groups: number) =>
  [product.loanValue.length, groups, product.lending !== undefined, product.credit !== undefined] as const;

/** Doubles that the sets of one thread take. */
export const sumSetsLength = (plan: BookPlan, groups: number): number =>
  setsOf(plan) * sumsLength(...sizeOf(plan, groups));

/** Views on the sets at `offset` doubles of a buffer. */
export function sumSetsAt(buffer: ArrayBufferLike, offset: number, plan: BookPlan, groups: number): SumSets {
  const length = sumsLength(...sizeOf(plan, groups));
  const views = Array.from({ length: setsOf(plan) }, (_, set) =>
    sumsAt(buffer, offset + set * length, ...sizeOf(plan, groups)),
  );
  return views as unknown as SumSets;
}

/** Sums of no paths, in memory of their own. @param shared whether threads are to share that */
export function emptySumSets(plan: BookPlan, groups: number, shared = false): SumSets {
  const bytes = sumSetsLength(plan, groups) * Float64Array.BYTES_PER_ELEMENT;
  const sets = sumSetsAt(shared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes), 0, plan, groups);
  for (const set of sets) set?.worstRatio.fill(Number.POSITIVE_INFINITY);
  return sets;
}

/** The memory of sets that lie at its beginning. */
export const memoryOf = ([plain]: SumSets): ArrayBufferLike => plain.worstRatio.buffer;

/** Adds sets that lie end to end in plain numbers, from any number of threads or another process. */
export function addFlatSets(sets: SumSets, more: Float64Array, plan: BookPlan): void {
  const groups = sets[0].worstRatio.length;
  const length = sumSetsLength(plan, groups);
  for (let at = 0; at < more.length; at += length) {
    const offset = more.byteOffset / Float64Array.BYTES_PER_ELEMENT + at;
    const other = sumSetsAt(more.buffer, offset, plan, groups);
    sets.forEach((set, i) => {
      const from = other[i];
      if (set !== undefined && from !== undefined) addSums(set, from);
    });
  }
}

/** A column of one path's sums, and the columns of the sets that receive it. */
interface WeighedColumn {
  readonly from: Float64Array;
  readonly to: readonly Float64Array[];
  readonly units: number;
  /** The same of the lower parts, where entries have two. */
  readonly low: { readonly from: Float64Array; readonly to: readonly Float64Array[] } | undefined;
}

/** Sums of one path at a time; `add` adds them under the weight of the path. */
export class PathSums {
  readonly sums: BookSums;
  private readonly columns: readonly WeighedColumn[];

  constructor(
    plan: BookPlan,
    private readonly sets: Required<SumSets>,
  ) {
    this.sums = sumsOfProduct(plan.product, sets[0].worstRatio.length);
    this.sums.worstRatio.set(sets[0].worstRatio);
    const own = columnsOf(this.sums);
    const others = sets.map(columnsOf);
    const to = (c: number) => others.map(each => each[c][1]);
    this.columns = own.flatMap(([name, from], c) => {
      if (name.includes('Low')) return [];
      // The lower part of a square follows the higher one.
      const low = name.includes('High') ? { from: own[c + 1][1], to: to(c + 1) } : undefined;
      return [{ from, to: to(c), units: unitsOf(name, plan), low }];
    });
  }

  /** Adds the sums of a path of this number and weight, and resets all but the lowest ratios. */
  add(path: number, weight: number): void {
    const twice = weight * weight;
    for (const { from, to, units, low } of this.columns) {
      const [plain, once, odd, squared] = to;
      for (let i = 0; i < from.length; i++) {
        const value = from[i];
        if (value === 0 && (low === undefined || low.from[i] === 0)) continue;
        plain[i] += value;
        from[i] = 0;
        if (low === undefined) {
          const weighed = Math.round(weight * value * units);
          once[i] += weighed;
          if (isShifted(path)) odd[i] += weighed;
          squared[i] += Math.round(twice * value * units);
          continue;
        }
        // Both parts are weighed as one number: the higher part alone would be rounded to 2^-24 of a squared share.
        const whole = value * LOW_PART + low.from[i];
        low.to[0][i] += low.from[i];
        low.from[i] = 0;
        addParts(once, low.to[1], i, weight * whole);
        if (isShifted(path)) addParts(odd, low.to[2], i, weight * whole);
        addParts(squared, low.to[3], i, twice * whole);
      }
    }
  }

  finish(): void {
    for (const set of this.sets) set.worstRatio.set(this.sums.worstRatio);
  }
}

/** Turns sums under weights into numbers of paths, steps and amounts; lowest ratios are left as they are. */
export function inPlainUnits(sums: BookSums, plan: BookPlan): void {
  for (const [name, column] of columnsOf(sums)) {
    const units = unitsOf(name, plan);
    for (let i = 0; i < column.length; i++) column[i] /= units;
  }
}

function columnsOf(sums: BookSums): (readonly [name: string, column: Float64Array])[] {
  const { squares, lending, credit } = sums;
  return [
    ...SUM_COLUMNS.map(name => [name, sums[name]] as const),
    ...(squares === undefined ? [] : SQUARE_COLUMNS.map(name => [`${name}Squares`, squares[name]] as const)),
    ...(lending === undefined ? [] : LENDING_COLUMNS.map(name => [name, lending[name]] as const)),
    ...(credit === undefined ? [] : listCredit(credit)),
  ];
}

/** Parts of one path, one step and one sale under a weight: a million paths, with weights of 4 at most, stay below 2^53. */
export const PATH_UNITS = 2 ** 30;
export const STEP_UNITS = 2 ** 13;
const SALE_UNITS = 2 ** 12;
const UNITS: Readonly<Record<string, number>> = {
  marginCalls: PATH_UNITS,
  liquidations: PATH_UNITS,
  closeouts: PATH_UNITS,
  underwater: PATH_UNITS,
  unsoldPathsSquares: PATH_UNITS,
  lossPathsSquares: PATH_UNITS,
  earlyEndsSquares: PATH_UNITS,
  deadlineEndsSquares: PATH_UNITS,
  events: PATH_UNITS,
  losses: PATH_UNITS,
  salePaths: PATH_UNITS,
  topUpPaths: PATH_UNITS,
  missedSteps: STEP_UNITS,
  sales: SALE_UNITS,
  saleSquares: SALE_UNITS,
};
/** Parts of one of a sum under a weight. Amounts and their squares are in small units already. */
export const unitsOf = (name: string, plan: Pick<BookPlan, 'product' | 'paths'>): number =>
  name === 'missedStepsSquares' ? stepSquareUnits(plan) : (UNITS[name] ?? 1);

/**
 * Parts of one squared step under a weight, so small that sums of all paths stay below 2^53 with squared weights of 4
 * at most: 2^17 for a month of 20,000 paths.
 */
export function stepSquareUnits({ product, paths }: Pick<BookPlan, 'product' | 'paths'>): number {
  const most = 4 * paths * product.steps ** 2;
  return 2 ** Math.min(30, Math.max(0, 53 - Math.ceil(Math.log2(most))));
}
