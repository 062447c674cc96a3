/** The words of `BookPiece` (shaders/book/piece.wgsl): what a dispatch does of a range. */
import { stepSquareUnits } from '../../book/sum-sets.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { type BookRange, pathsOf } from './book-range.ts';
import { PIECE_LAYOUT } from './kernels.ts';
import { priceRows } from './work-units.ts';

/** A block of paths of a range, and the first of the loans that are followed along it. */
export interface PiecePlace {
  readonly firstPath: number;
  readonly pathCount: number;
  readonly firstLoan: number;
}

export function packPiece(
  { product, scenarios, paths }: SimulationPlan<BookProduct>,
  range: BookRange,
  { firstPath, pathCount, firstLoan }: PiecePlace,
): Uint32Array<ArrayBuffer> {
  const { fields, size } = PIECE_LAYOUT;
  const words = new Uint32Array(size / 4);
  words[fields.path_count / 4] = pathCount;
  words[fields.first_path / 4] = firstPath;
  words[fields.range_paths / 4] = pathsOf(range);
  words[fields.steps / 4] = product.steps;
  words[fields.assets / 4] = scenarios.assets;
  words[fields.first_loan / 4] = firstLoan;
  words[fields.loan_count / 4] = product.loanValue.length;
  words[fields.sale_delay / 4] = product.saleDelaySteps;
  new Float32Array(words.buffer)[fields.after_cost / 4] = 1 - product.saleCost;
  words[fields.day_steps / 4] = product.daySteps;
  words[fields.tails / 4] = range.kind === 'tails' ? 1 : 0;
  words[fields.rows_start / 4] = range.kind === 'tails' ? range.sums.rowsStart : 0;
  words[fields.weights_row / 4] = priceRows(product.steps);
  new Float32Array(words.buffer)[fields.step_square_units / 4] = stepSquareUnits({ product, paths });
  return words;
}
