// The states of a loan: margin call, cure, liquidation, closeout (methodology part 4). loan.wgsl evaluates one loan per path,
// book/loans.wgsl many.
// Inputs: values of any domain, thresholds in the same.
// Outputs: step and kind of the end.
// Units: steps.
// Provides: LoanRules, LoanState, loan_begin, loan_falls, loan_set_limits, loan_group.
// Reference: src/core/product/loan.ts.
// Expects:
//   lib/limits.wgsl: NO_STEP, VALUE_LIMIT
//   lib/four_steps.wgsl: lowest_of
//   product/one_threshold.wgsl or product/asset_thresholds.wgsl: THRESHOLDS_BY_ASSET

// Thresholds of the path's value: M/N, L/N, R/N; and the steps between a margin call and its deadline.
struct LoanRules {
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  top_up_steps: u32,
}

struct LoanState {
  // Deadline of the open margin call, or NO_STEP.
  deadline: u32,
  // How the loan ended: twice the step, plus 1 for a closeout; NO_STEP while it is open.
  end: u32,
  // The status does not change while values are at or above lower_limit and below upper_limit, before the deadline.
  lower_limit: f32,
  upper_limit: f32,
}

fn loan_begin(rules: LoanRules) -> LoanState {
  return LoanState(NO_STEP, NO_STEP, rules.margin_call, VALUE_LIMIT);
}

// Sets the limits: M without an open call; L and R with one; none after the end.
fn loan_set_limits(state: ptr<function, LoanState>, rules: LoanRules) {
  let ended = (*state).end != NO_STEP;
  (*state).deadline = select((*state).deadline, NO_STEP, ended);
  let called = (*state).deadline != NO_STEP;
  (*state).lower_limit = select(select(rules.margin_call, rules.liquidation, called), -VALUE_LIMIT, ended);
  (*state).upper_limit = select(VALUE_LIMIT, rules.recovery, called);
}

// One step of an open loan, without a branch. The rules in their order: below L the loan is liquidated; a cure removes the deadline; a
// new call sets one (an open call has an earlier one); at the deadline the loan is closed out. @param secured the value that L is compared
// with
fn loan_step(state: ptr<function, LoanState>, rules: LoanRules, value: f32, secured: f32, step: u32) {
  let kept = select((*state).deadline, NO_STEP, value >= rules.recovery);
  let deadline = min(kept, select(NO_STEP, step + rules.top_up_steps, value < rules.margin_call));
  let closeout = select(NO_STEP, 2u * step + 1u, step >= deadline);
  (*state).end = min((*state).end, select(closeout, 2u * step, secured < rules.liquidation));
  (*state).deadline = deadline;
}

// Whether a loan with thresholds by asset has not ended and is liquidated at such a value. For other loans lower_limit tells it.
fn loan_falls(state: ptr<function, LoanState>, rules: LoanRules, lowest_secured: f32) -> bool {
  return (*state).end == NO_STEP && lowest_secured < rules.liquidation;
}

// Evaluates the values after steps `step` + 1 .. `step` + 4. @param secured the values that L is compared with
// @param lowest, highest of `v`
fn loan_group(
  state: ptr<function, LoanState>,
  rules: LoanRules,
  v: vec4<f32>,
  secured: vec4<f32>,
  lowest: f32,
  highest: f32,
  step: u32,
) {
  let falls = THRESHOLDS_BY_ASSET && loan_falls(state, rules, lowest_of(secured));
  if (lowest < (*state).lower_limit || highest >= (*state).upper_limit || step + 4u >= (*state).deadline || falls) {
    loan_step(state, rules, v.x, secured.x, step + 1u);
    loan_step(state, rules, v.y, secured.y, step + 2u);
    loan_step(state, rules, v.z, secured.z, step + 3u);
    loan_step(state, rules, v.w, secured.w, step + 4u);
    loan_set_limits(state, rules);
  }
}
