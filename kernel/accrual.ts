/** The growth of a debt and its effect on a loan's ratio at each step. Twin of src/core/product/accrued-paths.ts. */
import { VECTOR } from './lanes';

/** A single for each step: -ln g_t, or 1 / g_t. None where the debt does not grow. */
let table: usize;
let areLogs: bool;

/**
 * Sets the growth of the debt.
 *
 * @param at address of the table, one single for each step; 0 where the debt does not grow
 * @param logs whether values are logarithms: entries are added then, else values are multiplied by them
 */
export function configureAccrual(at: usize, logs: bool): void {
  table = at;
  areLogs = logs;
}

/** Takes the growth of the debt off the values of `count` steps behind `step` others. */
export function accrue(values: usize, step: i32, count: i32): void {
  if (table === 0) return;
  let at = values;
  const end = table + ((<usize>(step + count)) << 2);
  for (let entry = table + ((<usize>step) << 2); entry < end; entry += 4) {
    const growth = f32x4.splat(f32.load(entry));
    const value = v128.load(at);
    v128.store(at, areLogs ? f32x4.add(value, growth) : f32x4.mul(value, growth));
    at += VECTOR;
  }
}
