/** The words of `BookPiece` (shaders/book/piece.wgsl): the part of a range in one dispatch. */
import { stepSquareUnits } from '../../book/sum-sets.ts';
import type { BookProduct } from '../../plan/product/book.ts';
import type { SimulationPlan } from '../../plan/simulation-plan.ts';
import { wordsOf } from '../struct-layout.ts';
import { type BookRange, pathsOf } from './book-range.ts';
import { PIECE } from './kernels.ts';
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
  const tails = range.kind === 'tails' ? range : undefined;
  return wordsOf(PIECE, {
    path_count: pathCount,
    first_path: firstPath,
    range_paths: pathsOf(range),
    steps: product.steps,
    assets: scenarios.assets,
    first_loan: firstLoan,
    loan_count: product.loanValue.length,
    sale_delay: product.saleDelaySteps,
    after_cost: 1 - product.saleCost,
    day_steps: product.daySteps,
    tails: tails ? 1 : 0,
    rows_start: tails?.sums.rowsStart ?? 0,
    weights_row: priceRows(product.steps),
    step_square_units: stepSquareUnits({ product, paths }),
  });
}
