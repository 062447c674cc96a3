// The end of a loan with unlimited sales on a path: its figures, their sums and records.
// Inputs: lowest and last value, step of the end.
// Outputs: sums and records.
// Units: losses as shares of the loan value; steps.
// Provides: RECORD_MINIMUM_RATIO, LoanEnd, loan_end, loan_end_add, loan_end_record.
// Expects:
//   kernel/bindings.wgsl: record_set, slice
//   kernel/sums.wgsl: square_add, sum_add
//   lib/limits.wgsl: NO_STEP
//   lib/order.wgsl: fixed_point
//   product/loan_codes.wgsl: FLAG_*
//   one file of values: market_ratio
//   one product: terms

// Sums over the paths, in this order in the results. A square takes three: see square_add.
const SUM_MARGIN_CALLS = 0u;
const SUM_LIQUIDATIONS = 1u;
const SUM_CLOSEOUTS = 2u;
const SUM_UNDERWATER = 3u;
const SUM_OPEN_STEPS = 4u;
const SUM_LOSS = 5u;
const SUM_CLOSED_STEP_SQUARES = 6u;
const SUM_LOSSES = 9u;
const SUM_LOSS_SQUARES = 10u;
const SUM_EARLY_ENDS = 13u;

// Fields of a record, in this order.
const RECORD_MINIMUM_RATIO = 0u;
const RECORD_FINAL_RATIO = 1u;
const RECORD_END_STEP = 2u;
const RECORD_FLAGS = 3u;

struct LoanEnd {
  called: bool,
  liquidated: bool,
  closed_out: bool,
  underwater: bool,
  // The step of the end, T where it did not end.
  step: u32,
  // C/L after the last step, and 1 - N C/L there: below 0 where nothing is lost.
  final_ratio: f32,
  loss: f32,
}

// @param end twice the step, plus 1 for a closeout; NO_STEP where the loan did not end
fn loan_end(lowest: f32, value: f32, end: u32, called: bool) -> LoanEnd {
  let ended = end != NO_STEP;
  let final_ratio = market_ratio(value);
  return LoanEnd(
    called,
    ended && (end & 1u) == 0u,
    ended && (end & 1u) == 1u,
    lowest < terms.underwater,
    select(slice.steps, end >> 1u, ended),
    final_ratio,
    fma(-terms.nominal_ratio, final_ratio, 1.0),
  );
}

fn loan_end_add(end: LoanEnd) {
  sum_add(SUM_MARGIN_CALLS, u32(end.called));
  sum_add(SUM_LIQUIDATIONS, u32(end.liquidated));
  sum_add(SUM_CLOSEOUTS, u32(end.closed_out));
  sum_add(SUM_UNDERWATER, u32(end.underwater));
  sum_add(SUM_OPEN_STEPS, end.step);
  let fixed_loss = fixed_point(clamp(end.loss, 0.0, 1.0));
  sum_add(SUM_LOSS, fixed_loss);
  square_add(SUM_CLOSED_STEP_SQUARES, slice.steps - end.step);
  sum_add(SUM_LOSSES, u32(end.loss > 0.0));
  square_add(SUM_LOSS_SQUARES, fixed_loss);
  sum_add(SUM_EARLY_ENDS, u32(end.step < slice.steps));
}

fn loan_end_record(end: LoanEnd, lowest: f32, path: u32) {
  record_set(RECORD_MINIMUM_RATIO, path, bitcast<u32>(market_ratio(lowest)));
  record_set(RECORD_FINAL_RATIO, path, bitcast<u32>(end.final_ratio));
  record_set(RECORD_END_STEP, path, end.step);
  let sale_flags = select(0u, FLAG_LIQUIDATION, end.liquidated) | select(0u, FLAG_CLOSEOUT, end.closed_out);
  let level_flags = select(0u, FLAG_MARGIN_CALL, end.called) | select(0u, FLAG_UNDERWATER, end.underwater);
  record_set(RECORD_FLAGS, path, sale_flags | level_flags);
}
