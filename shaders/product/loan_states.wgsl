// The states of a loan: margin call, cure, liquidation, closeout (methodology part 4), on values of any domain.
// Provides: LoanRules, LoanState, loan_begin, loan_watch, loan_group. Expects: nothing.
// Twin: src/core/product/loan.ts. Who follows a loan along a path: loan.wgsl alone, book/loans.wgsl many at a time.

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
  // Nothing happens to the loan while values stay at or above the first, below the second, and before the deadline.
  fall: f32,
  rise: f32,
}

fn loan_begin(rules: LoanRules) -> LoanState {
  return LoanState(NO_STEP, NO_STEP, rules.margin_call, VALUE_LIMIT);
}

// Says what can happen next: a call while none is open, a fall through L or a cure while one is, nothing after the end.
fn loan_watch(state: ptr<function, LoanState>, rules: LoanRules) {
  let ended = (*state).end != NO_STEP;
  (*state).deadline = select((*state).deadline, NO_STEP, ended);
  let called = (*state).deadline != NO_STEP;
  (*state).fall = select(select(rules.margin_call, rules.liquidation, called), -VALUE_LIMIT, ended);
  (*state).rise = select(VALUE_LIMIT, rules.recovery, called);
}

// One step of an open loan, without a branch. The order of the rules: a fall through L comes first; a cure takes the
// deadline away; a new call sets one (an open call has an earlier deadline already); a deadline reached closes out.
fn loan_step(state: ptr<function, LoanState>, rules: LoanRules, value: f32, step: u32) {
  let kept = select((*state).deadline, NO_STEP, value >= rules.recovery);
  let deadline = min(kept, select(NO_STEP, step + rules.top_up_steps, value < rules.margin_call));
  let closeout = select(NO_STEP, 2u * step + 1u, step >= deadline);
  (*state).end = min((*state).end, select(closeout, 2u * step, value < rules.liquidation));
  (*state).deadline = deadline;
}

// Values after steps `step` + 1 .. `step` + 4, whose lowest and highest are known.
fn loan_group(
  state: ptr<function, LoanState>,
  rules: LoanRules,
  v: vec4<f32>,
  lowest: f32,
  highest: f32,
  step: u32,
) {
  if (lowest < (*state).fall || highest >= (*state).rise || step + 4u >= (*state).deadline) {
    loan_step(state, rules, v.x, step + 1u);
    loan_step(state, rules, v.y, step + 2u);
    loan_step(state, rules, v.z, step + 3u);
    loan_step(state, rules, v.w, step + 4u);
    loan_watch(state, rules);
  }
}
