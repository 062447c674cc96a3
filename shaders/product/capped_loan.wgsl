// A loan whose sale is limited per step (methodology part 6). Before the first sale the comparisons are those of product/loan.wgsl on the
// same numbers: unlimited capacity gives its counts exactly, no capacity its underwater paths and its worst CCR. Its steps need C and L,
// and go on after a liquidation: loan_states.wgsl has no place for that.
// Inputs: C/L, C and L after each step; terms.
// Outputs: sums and records.
// Units: amounts in units of the initial loan value; steps.
// Provides: Terms, SUM_COUNT, LOAN_CLOSED, ProductValues, ProductState, product_*, loan_quiet, loan_sold.
// Reference: src/core/product/capped-loan.ts.
// Expects:
//   kernel/bindings.wgsl: record_set, state_restore_next, state_save_next, trace
//   kernel/sums.wgsl: amount_add, fine_amount_add, lowest_update, square_add, sum_add
//   lib/four_steps.wgsl: lowest_of
//   lib/limits.wgsl: NO_STEP, VALUE_LIMIT
//   portfolio/market_loan.wgsl: MarketLoan
//   product/loan_codes.wgsl: FLAG_*, START_*
//   product/one_threshold.wgsl or product/asset_thresholds.wgsl: THRESHOLDS_BY_ASSET
//   one file of values: market_ratio, path_value_of
//   one product: terms

struct Terms {
  // Thresholds of the path's value: M/N, L/N, R/N and 1/N.
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  underwater: f32,
  // N, L and R.
  nominal_ratio: f32,
  liquidation_ratio: f32,
  recovery_ratio: f32,
  // Largest sale of a step; the largest number where there is no cap.
  capacity: f32,
  // log2 of the growth factor of the debt in a step.
  growth: f32,
  // Steps between a margin call and its deadline.
  top_up_steps: u32,
  // Status, value, C and L at step 0, and the deadline of a call that is open there.
  start_status: u32,
  start_value: f32,
  start_collateral: f32,
  start_loan: f32,
  start_deadline: u32,
  // Steps of the term from that of startSaleStep on, see src/core/plan/product/capped-loan.ts; 0 without one.
  start_sale_steps: u32,
  // With thresholds by asset: per asset, the collateral weight times the threshold over the mean threshold at the start, less the weight in
  // the loan; and their sum.
  secured_weight: array<vec4<f32>, 8>,
  secured_sum: f32,
}

// Sums over the paths, in this order in the results. An amount and a square have
// three, a fine amount has four: see amount_add, square_add and fine_amount_add.
const SUM_MARGIN_CALLS = 0u;
const SUM_LIQUIDATIONS = 1u;
const SUM_CLOSEOUTS = 2u;
const SUM_UNDERWATER = 3u;
const SUM_CALLS = 4u;
const SUM_CALL_AMOUNT = 5u;
const SUM_SELLERS = 8u;
const SUM_SOLD_AMOUNT = 9u;
const SUM_CALL_SQUARES = 12u;
const SUM_CALL_AMOUNT_SQUARES = 15u;
const SUM_CALL_PRODUCTS = 19u;
const SUM_SOLD_AMOUNT_SQUARES = 23u;
const SUM_REPAID = 27u;
const SUM_RECALLED = 28u;
const SUM_UNFINISHED = 29u;
const SUM_COUNT = 30u;

// Fields of a record, in this order.
const RECORD_WORST_CCR = 0u;
const RECORD_SOLD_AMOUNT = 1u;
const RECORD_CALL_AMOUNT = 2u;
const RECORD_FLAGS = 3u;

// Phases of the loan.
const LOAN_OPEN = 0u;
const LOAN_IN_SALE = 1u;
const LOAN_CLOSED = 2u;
// Closed, and the debt is repaid.
const LOAN_REPAID = 3u;

// Lowest coverage whose logarithm is computed.
const MIN_COVERAGE = 1.0e-30;
// A long sale subtracts the same small part every step, with rounding errors of one sign: parts are summed over so many steps first.
const SALE_STEPS = 256u;

alias ProductValues = MarketLoan;

struct ProductState {
  phase: u32,
  flags: u32,
  // Deadline of the open margin call, or NO_STEP.
  deadline: u32,
  calls: u32,
  call_amount: f32,
  // Steps that sold the whole capacity, and the amount of the step that ended the sale.
  capped_steps: u32,
  last_sale: f32,
  // Parts of the initial collateral and debt that remained at the last multiple of SALE_STEPS, and parts sold or repaid since.
  collateral_left: f32,
  debt_left: f32,
  collateral_since: f32,
  debt_since: f32,
  // Lowest value before the first sale, and lowest coverage of the whole claim after it.
  lowest: f32,
  lowest_coverage: f32,
}

fn product_begin(path: u32) -> ProductState {
  var state = ProductState(
    LOAN_OPEN, 0u, NO_STEP, 0u, 0.0, 0u, 0.0, 1.0, 1.0, 0.0, 0.0, VALUE_LIMIT, VALUE_LIMIT,
  );
  if (terms.start_status == START_NONE) {
    return state;
  }
  state.lowest = terms.start_value;
  if (terms.start_status >= START_CALLED) {
    loan_add_call(&state, terms.start_collateral, terms.start_loan);
    state.flags = FLAG_MARGIN_CALL;
    state.deadline = terms.start_deadline;
  }
  if (terms.start_status == START_LIQUIDATED) {
    state.flags |= FLAG_LIQUIDATION;
    state.phase = LOAN_IN_SALE;
    // The loan is below L already.
    loan_sale_step(&state, terms.start_value, terms.start_value, terms.start_collateral, terms.start_loan, 0u);
  }
  return state;
}

// Words of the saved state of a path.
const PRODUCT_STATE_WORDS = 13u;

fn product_save(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  state_save_next(at, (*state).phase);
  state_save_next(at, (*state).flags);
  state_save_next(at, (*state).deadline);
  state_save_next(at, (*state).calls);
  state_save_next(at, bitcast<u32>((*state).call_amount));
  state_save_next(at, (*state).capped_steps);
  state_save_next(at, bitcast<u32>((*state).last_sale));
  state_save_next(at, bitcast<u32>((*state).collateral_left));
  state_save_next(at, bitcast<u32>((*state).debt_left));
  state_save_next(at, bitcast<u32>((*state).collateral_since));
  state_save_next(at, bitcast<u32>((*state).debt_since));
  state_save_next(at, bitcast<u32>((*state).lowest));
  state_save_next(at, bitcast<u32>((*state).lowest_coverage));
}

fn product_restore(state: ptr<function, ProductState>, at: ptr<function, u32>) {
  (*state).phase = state_restore_next(at);
  (*state).flags = state_restore_next(at);
  (*state).deadline = state_restore_next(at);
  (*state).calls = state_restore_next(at);
  (*state).call_amount = bitcast<f32>(state_restore_next(at));
  (*state).capped_steps = state_restore_next(at);
  (*state).last_sale = bitcast<f32>(state_restore_next(at));
  (*state).collateral_left = bitcast<f32>(state_restore_next(at));
  (*state).debt_left = bitcast<f32>(state_restore_next(at));
  (*state).collateral_since = bitcast<f32>(state_restore_next(at));
  (*state).debt_since = bitcast<f32>(state_restore_next(at));
  (*state).lowest = bitcast<f32>(state_restore_next(at));
  (*state).lowest_coverage = bitcast<f32>(state_restore_next(at));
}

// Adds a margin call and its amount: the collateral missing for the recovery ratio.
fn loan_add_call(state: ptr<function, ProductState>, collateral: f32, loan: f32) {
  (*state).calls += 1u;
  let missing = terms.recovery_ratio * loan - terms.nominal_ratio * collateral;
  (*state).call_amount += max(0.0, missing);
}

// One step before the sale, by the rules of methodology part 4 in their order; it may begin the sale. @param secured see MarketLoan
fn loan_open_step(
  state: ptr<function, ProductState>,
  value: f32,
  secured: f32,
  collateral: f32,
  loan: f32,
  step: u32,
) {
  if (secured < terms.liquidation) {
    if ((*state).deadline == NO_STEP) {
      loan_add_call(state, collateral, loan);
    }
    (*state).flags |= FLAG_MARGIN_CALL | FLAG_LIQUIDATION;
    (*state).phase = LOAN_IN_SALE;
    return;
  }
  let cured = (*state).deadline != NO_STEP && value >= terms.recovery;
  if (cured) {
    (*state).deadline = NO_STEP;
  }
  if ((*state).deadline == NO_STEP && value < terms.margin_call) {
    // With R below M a step can cure a call and open it again: that is one call, not two.
    if (!cured) {
      loan_add_call(state, collateral, loan);
    }
    (*state).flags |= FLAG_MARGIN_CALL;
    (*state).deadline = step + terms.top_up_steps;
  }
  if (step >= (*state).deadline) {
    (*state).flags |= FLAG_CLOSEOUT;
    (*state).phase = LOAN_IN_SALE;
  }
}

// The amount sold so far: every step of a sale sells the capacity, except the last.
fn loan_sold(state: ptr<function, ProductState>) -> f32 {
  return fma(f32((*state).capped_steps), terms.capacity, (*state).last_sale);
}

// One step of the sale: first the ratios of the remaining loan, then the amount of this step.
fn loan_sale_step(
  state: ptr<function, ProductState>,
  value: f32,
  secured: f32,
  collateral: f32,
  loan: f32,
  step: u32,
) {
  let debt_left = (*state).debt_left - (*state).debt_since;
  let collateral_left = (*state).collateral_left - (*state).collateral_since;
  let collateral_value = terms.nominal_ratio * collateral_left * collateral;
  let debt_value = debt_left * loan;
  if (loan_sold(state) == 0.0) {
    (*state).lowest = min((*state).lowest, value);
    if (secured < terms.liquidation) {
      (*state).flags |= FLAG_LIQUIDATION;
    }
  } else {
    let coverage = collateral_value / loan + (1.0 - debt_left);
    (*state).lowest_coverage = min((*state).lowest_coverage, coverage);
    if (collateral_value < debt_value) {
      (*state).flags |= FLAG_UNDERWATER;
    }
    var below = collateral_value < terms.liquidation_ratio * debt_value;
    if (THRESHOLDS_BY_ASSET) {
      below = terms.nominal_ratio * collateral_left * market_ratio(secured) < terms.liquidation_ratio * debt_left;
    }
    if (below) {
      (*state).flags |= FLAG_LIQUIDATION;
    }
  }
  let sale = min(terms.capacity, min(collateral_value, debt_value));
  if (sale == debt_value) {
    (*state).last_sale = sale;
    (*state).phase = LOAN_REPAID;
  } else if (sale == collateral_value) {
    (*state).last_sale = sale;
    (*state).flags |= FLAG_UNDERWATER;
    (*state).phase = LOAN_CLOSED;
  } else {
    (*state).capped_steps += 1u;
    (*state).collateral_since += sale / (terms.nominal_ratio * collateral);
    (*state).debt_since += sale / loan;
  }
  if (step % SALE_STEPS == 0u) {
    (*state).collateral_left -= (*state).collateral_since;
    (*state).debt_left -= (*state).debt_since;
    (*state).collateral_since = 0.0;
    (*state).debt_since = 0.0;
  }
}

fn loan_step(
  state: ptr<function, ProductState>,
  value: f32,
  secured: f32,
  collateral: f32,
  loan: f32,
  step: u32,
) {
  if ((*state).phase == LOAN_OPEN) {
    (*state).lowest = min((*state).lowest, value);
    loan_open_step(state, value, secured, collateral, loan, step);
  }
  if ((*state).phase == LOAN_IN_SALE) {
    loan_sale_step(state, value, secured, collateral, loan, step);
  }
}

// The common case: an open loan without an open call, at or above M and L in all four steps, whose lowest value is `lowest`.
fn loan_quiet(state: ptr<function, ProductState>, path: MarketLoan, lowest: f32, live: u32) -> bool {
  return live == 4u && (*state).phase == LOAN_OPEN && (*state).deadline == NO_STEP && lowest >= terms.margin_call
    && (!THRESHOLDS_BY_ASSET || lowest_of(path.secured) >= terms.liquidation);
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, path: MarketLoan, step: u32, live: u32) {
  let v = path.value;
  let lowest = lowest_of(v);
  if (loan_quiet(state, path, lowest, live)) {
    (*state).lowest = min((*state).lowest, lowest);
    return;
  }
  loan_step(state, v.x, path.secured.x, path.collateral.x, path.loan.x, step + 1u);
  if (live > 1u) {
    loan_step(state, v.y, path.secured.y, path.collateral.y, path.loan.y, step + 2u);
  }
  if (live > 2u) {
    loan_step(state, v.z, path.secured.z, path.collateral.z, path.loan.z, step + 3u);
  }
  if (live > 3u) {
    loan_step(state, v.w, path.secured.w, path.collateral.w, path.loan.w, step + 4u);
  }
}

fn product_finish(state: ptr<function, ProductState>, path: u32) {
  var flags = (*state).flags;
  if ((*state).lowest < terms.underwater) {
    flags |= FLAG_UNDERWATER;
  }
  sum_add(SUM_MARGIN_CALLS, u32((flags & FLAG_MARGIN_CALL) != 0u));
  sum_add(SUM_LIQUIDATIONS, u32((flags & FLAG_LIQUIDATION) != 0u));
  sum_add(SUM_CLOSEOUTS, u32((flags & FLAG_CLOSEOUT) != 0u));
  sum_add(SUM_UNDERWATER, u32((flags & FLAG_UNDERWATER) != 0u));
  sum_add(SUM_CALLS, (*state).calls);
  amount_add(SUM_CALL_AMOUNT, (*state).call_amount);
  let sold = loan_sold(state);
  sum_add(SUM_SELLERS, u32(sold > 0.0));
  amount_add(SUM_SOLD_AMOUNT, sold);
  let called = (*state).call_amount;
  square_add(SUM_CALL_SQUARES, (*state).calls);
  fine_amount_add(SUM_CALL_AMOUNT_SQUARES, called * called);
  fine_amount_add(SUM_CALL_PRODUCTS, called * f32((*state).calls));
  fine_amount_add(SUM_SOLD_AMOUNT_SQUARES, sold * sold);
  sum_add(SUM_REPAID, u32((*state).phase == LOAN_REPAID));
  sum_add(SUM_RECALLED, u32((*state).calls > 1u));
  let from_start = sold > 0.0 && (*state).capped_steps == terms.start_sale_steps;
  sum_add(SUM_UNFINISHED, u32((*state).phase == LOAN_IN_SALE && from_start));
  // The lowest coverage as a value (see path_value_of), so that the value of a path without a sale is not rounded.
  var lowest = (*state).lowest;
  if ((*state).lowest_coverage < VALUE_LIMIT) {
    lowest = min(lowest, path_value_of(max((*state).lowest_coverage, MIN_COVERAGE) / terms.nominal_ratio));
  }
  lowest_update(lowest);
  if (trace) {
    record_set(RECORD_WORST_CCR, path, bitcast<u32>(terms.nominal_ratio * market_ratio(lowest)));
    record_set(RECORD_SOLD_AMOUNT, path, bitcast<u32>(sold));
    record_set(RECORD_CALL_AMOUNT, path, bitcast<u32>((*state).call_amount));
    record_set(RECORD_FLAGS, path, flags);
  }
}
