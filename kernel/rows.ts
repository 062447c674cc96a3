/**
 * Rows that paths draw from a list, an array of rows for each asset: residuals of days, or past returns in blocks of random length; twin of
 * shaders/model/residual_rows.wgsl and block_rows.wgsl. ROWS has the place of each path's row for every day or hour of a block.
 */

import { COUNT_ONE, constant } from './constants';
import { gather, LANES, VECTOR } from './lanes';
import { EXTRA_WORDS, ROW, ROWS } from './memory';

let list: usize;
let count: i32;
/** A word below this begins a new block; 0: every word does. */
let newBlock: i32;

/** Sets the address of the rows of asset 0, and their number. */
export function placeRows(at: usize, rows: i32, threshold: i32): void {
  list = at;
  count = rows;
  newBlock = threshold;
}

/** Draws the row of each path by its word at `wordsAt`; writes it to place `place` of ROWS. */
export function drawRows(wordsAt: usize, place: usize): void {
  for (let lane: usize = 0; lane < VECTOR; lane += 4) {
    i32.store(ROWS + place + lane, rowOf(i32.load(EXTRA_WORDS + wordsAt + lane)) << 2);
  }
}

function rowOf(word: i32): i32 {
  return <i32>(<u32>word % <u32>count);
}

/** Moves to the next row: the words at `wordsAt` decide on a new block, those after them on its first row. */
export function nextRows(isFirst: bool, wordsAt: usize, place: usize): void {
  const words = v128.load(EXTRA_WORDS + wordsAt);
  const next = i32x4.add(v128.load(ROW), constant(COUNT_ONE));
  let row = v128.andnot(next, i32x4.eq(next, i32x4.splat(count)));
  const begins = isFirst || newBlock === 0 ? i32x4.splat(-1) : i32x4.lt_u(words, i32x4.splat(newBlock));
  v128.store(ROW, row);
  if (v128.any_true(begins)) {
    const lanes = i32x4.bitmask(begins);
    for (let lane = 0; lane < LANES; lane++) {
      if (((lanes >>> lane) & 1) === 0) continue;
      const at = (<usize>lane) << 2;
      i32.store(ROW + at, rowOf(i32.load(EXTRA_WORDS + wordsAt + VECTOR + at)));
    }
    row = v128.load(ROW);
  }
  v128.store(ROWS + place, i32x4.shl(row, 2));
}

/** The entries of an asset in the rows at `place` of ROWS. */
export function entriesOf(asset: i32, place: usize): v128 {
  return gather(list + ((<usize>(asset * count)) << 2), ROWS + place);
}
