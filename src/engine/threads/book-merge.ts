/** The tails of a book, and its outcome from the sums of all its paths. A thread computes them once for each run. */
import { type BookSums, LOW_PART, loanSums } from '../../core/book/book-sums.ts';
import { splitOverCollateral, spreadOverCollateral } from '../../core/book/by-asset.ts';
import type { PreparedBook } from '../../core/book/prepared-book.ts';
import {
  addFlatSets,
  columnsOfRun,
  emptySumSets,
  inPlainUnits,
  isWeighted,
} from '../../core/book/sum-sets.ts';
import { bookTailPaths } from '../../core/book/tail-paths.ts';
import { tailWeight } from '../../core/book/tail-weights.ts';
import { weightedSums } from '../../core/book/weighted-tails.ts';
import { BOOK_COLUMNS, type WeightedLoanSums } from '../../core/plan/product/book.ts';
import {
  type BookPlan,
  type BookTails,
  type BookTask,
  type BookTaskAnswers,
  CONTRIBUTION_UNITS,
  columnOf,
  contributionsLength,
} from './book-task.ts';
import { shareArrays } from './shared-plan.ts';

/** The weights of the paths of a run; undefined where they are equal. */
function weightsOf(plan: BookPlan, columns: SharedArrayBuffer): Float64Array | undefined {
  return isWeighted(plan) ? columnOf(columns, columnsOfRun(plan).indexOf('weight'), plan.paths) : undefined;
}

const LOSS = BOOK_COLUMNS.indexOf('loss');
const PEAK_DAY = BOOK_COLUMNS.indexOf('peakDay');

export function findTails({ plan, columns }: Extract<BookTask, { kind: 'book-tails' }>): BookTails {
  const loss = columnOf(columns, LOSS, plan.paths);
  const peak = columnOf(columns, PEAK_DAY, plan.paths);
  const tails = bookTailPaths(plan.product.quantiles, loss, peak, weightsOf(plan, columns));
  return shareArrays({ ...tails, loss: Float64Array.from(tails.paths, p => loss[p]) });
}

/** The outcome of a book without its columns and their summaries. */
export function mergeBook(task: Extract<BookTask, { kind: 'book-merge' }>): BookTaskAnswers['book-merge'] {
  const { plan, book, sums, tails, tailSums } = task;
  const { product, scenarios, paths } = plan;
  const loans = product.loanValue.length;
  const total = emptySumSets(plan, book.groupTerm.length);
  addFlatSets(total, new Float64Array(sums.sums), plan);
  const [plain, ...underWeights] = total;
  const weights = weightsOf(plan, sums.columns);
  const parts = new Float64Array(tailSums.contributions);
  const perSet = contributionsLength(product);
  const contributions = tails.lossTails.map(({ above }, q) => {
    const each = new Float64Array(loans);
    for (let k = 0; k < loans; k++) {
      let high = 0;
      let low = 0;
      for (let set = 0; set < parts.length; set += perSet) {
        high += parts[set + 2 * (q * loans + k)];
        low += parts[set + 2 * (q * loans + k) + 1];
      }
      each[k] = ((high * LOW_PART + low) / CONTRIBUTION_UNITS) * above * product.loanValue[k];
    }
    return each;
  });
  const rows = new Float64Array(tailSums.peakRows);
  const peak = columnOf(sums.columns, PEAK_DAY, paths);
  const peakDayByAsset = tails.peakTails.map(tail => {
    const byAsset = new Float64Array(scenarios.assets);
    tails.paths.forEach((p, i) => {
      const weight = tailWeight(tail, peak[p]) * (weights?.[p] ?? 1);
      if (weight > 0)
        for (let a = 0; a < byAsset.length; a++) byAsset[a] += weight * rows[i * byAsset.length + a];
    });
    return byAsset;
  });
  return {
    loans: loanSums(plain, product, book),
    ...(weights && { weighted: weightedLoans(weights, underWeights, plan, book) }),
    contributions,
    peakDayByAsset,
    lossByAsset: contributions.map(each => splitOverCollateral(product, scenarios.assets, k => each[k])),
    collateralByAsset: spreadOverCollateral(
      product,
      scenarios.assets,
      k => product.nominalRatio[k] * product.loanValue[k],
    ),
  };
}

function weightedLoans(
  weights: Float64Array,
  sets: readonly (BookSums | undefined)[],
  plan: BookPlan,
  book: PreparedBook,
): WeightedLoanSums {
  const inPlain = sets.map(sums => {
    if (sums === undefined) throw new RangeError('a book of weighted paths has no sums of them');
    inPlainUnits(sums, plan);
    return loanSums(sums, plan.product, book);
  });
  return weightedSums(weights, inPlain);
}
