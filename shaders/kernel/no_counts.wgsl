// The counts of a plan that requests no distribution: none.
// Provides: CountState, count_*.
// Expects:
//   one product: ProductState, ProductValues, product_group

struct CountState {
  unused: u32,
}

fn count_begin(path: u32) -> CountState {
  return CountState();
}

fn count_save(count: ptr<function, CountState>, at: ptr<function, u32>) {
}

fn count_restore(count: ptr<function, CountState>, at: ptr<function, u32>) {
}

fn count_group(
  state: ptr<function, ProductState>,
  count: ptr<function, CountState>,
  values: ProductValues,
  step: u32,
  live: u32,
) {
  product_group(state, values, step, live);
}

fn count_finish(state: ptr<function, ProductState>, count: ptr<function, CountState>) {
}
