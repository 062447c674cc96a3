// No counts: the plan requests no distribution.
// Provides: CountState and the functions count_*. Expects: one product (ProductState, ProductValues, product_group).

struct CountState {
  unused: u32,
}

fn count_begin() -> CountState {
  return CountState();
}

fn count_put_down(count: ptr<function, CountState>, at: ptr<function, u32>) {
}

fn count_take_up(count: ptr<function, CountState>, at: ptr<function, u32>) {
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
