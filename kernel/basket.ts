/** Baskets: every asset's price, weighted and summed; log prices in base 2. Twin of shaders/portfolio/ratio.wgsl. */
import { GROUP_BYTES, GROUP_SHIFT, VECTOR, VECTOR_SHIFT } from './lanes';
import { COLLATERAL_WEIGHT, LOAN_WEIGHT, PAIR } from './memory';
import { walkModel } from './model';
import { PAIR_START } from './pair';
import { addPrices, exponentiate } from './price';

/** Writes C and L of the steps of `groups` draw groups; all assets must have normals. */
export function walkBasket(assets: i32, groups: i32, collateral: usize, loan: usize): void {
  const bytes = (<usize>groups) << GROUP_SHIFT;
  memory.fill(collateral, 0, bytes);
  memory.fill(loan, 0, bytes);
  for (let i = 0; i < assets; i++) {
    walkModel(i, bytes);
    exponentiate(bytes);
    addPrices(COLLATERAL_WEIGHT + ((<usize>i) << VECTOR_SHIFT), bytes, collateral);
    addPrices(LOAN_WEIGHT + ((<usize>i) << VECTOR_SHIFT), bytes, loan);
  }
}

/**
 * Writes ln(C/L) of a pair of single assets to `values`, asset by asset; with `amounts` C and L beside it. The start of the pair and
 * what it takes of each asset's logarithm are at PAIR.
 */
export function walkPairOfAssets(
  assets: i32,
  groups: i32,
  values: usize,
  collateral: usize,
  loan: usize,
  amounts: bool,
): void {
  const bytes = (<usize>groups) << GROUP_SHIFT;
  const start = v128.load(PAIR, PAIR_START);
  for (let at = values; at < values + bytes; at += VECTOR) v128.store(at, start);
  if (amounts) {
    memory.fill(collateral, 0, bytes);
    memory.fill(loan, 0, bytes);
  }
  for (let i = 0; i < assets; i++) {
    const at = (<usize>i) << VECTOR_SHIFT;
    walkModel(i, bytes);
    addPrices(PAIR + at, bytes, values);
    if (amounts) {
      exponentiate(bytes);
      addPrices(COLLATERAL_WEIGHT + at, bytes, collateral);
      addPrices(LOAN_WEIGHT + at, bytes, loan);
    }
  }
}

/** Writes C / L of the steps of `groups` draw groups to `values`. */
export function divide(groups: i32, collateral: usize, loan: usize, values: usize): void {
  const bytes = (<usize>groups) << GROUP_SHIFT;
  for (let offset: usize = 0; offset < bytes; offset += GROUP_BYTES) {
    const c = collateral + offset;
    const l = loan + offset;
    v128.store(values + offset, f32x4.div(v128.load(c), v128.load(l)));
    v128.store(values + offset, f32x4.div(v128.load(c, VECTOR), v128.load(l, VECTOR)), VECTOR);
    v128.store(values + offset, f32x4.div(v128.load(c, 2 * VECTOR), v128.load(l, 2 * VECTOR)), 2 * VECTOR);
    v128.store(values + offset, f32x4.div(v128.load(c, 3 * VECTOR), v128.load(l, 3 * VECTOR)), 3 * VECTOR);
  }
}
