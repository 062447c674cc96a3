// The states of a loan: margin call, cure, liquidation, closeout (methodology part 4), on values of any domain.
// Provides: LOAN_NEVER, LOAN_BEYOND, LoanRules, LoanState, loan_begin, loan_watch, loan_group. Expects: nothing.
// Twin: src/core/product/loan.ts. Who follows a loan along a path: loan.wgsl alone, book/loans.wgsl many at a time.

// A step that never comes.
const LOAN_NEVER = 0xffffffffu;
// A value above every threshold: what steps beyond the term are given.
const LOAN_BEYOND = 3.0e38;

// Thresholds of the path's value: M/N, L/N, R/N; and the steps between a margin call and its deadline.
struct LoanRules {
  margin_call: f32,
  liquidation: f32,
  recovery: f32,
  top_up_steps: u32,
}

struct LoanState {
  // Deadline of the open margin call, or LOAN_NEVER.
  deadline: u32,
  // How the loan ended: twice the step, plus 1 for a closeout; LOAN_NEVER while it is open.
  end: u32,
  // Nothing happens to the loan while values stay at or above the first, below the second, and before the deadline.
  fall: f32,
  rise: f32,
}

fn loan_begin(rules: LoanRules) -> LoanState {
  return LoanState(LOAN_NEVER, LOAN_NEVER, rules.margin_call, LOAN_BEYOND);
}

// Says what can happen next: a call while none is open, a fall through L or a cure while one is, nothing after the end.
fn loan_watch(state: ptr<function, LoanState>, rules: LoanRules) {
  let ended = (*state).end != LOAN_NEVER;
  (*state).deadline = select((*state).deadline, LOAN_NEVER, ended);
  let called = (*state).deadline != LOAN_NEVER;
  (*state).fall = select(select(rules.margin_call, rules.liquidation, called), -LOAN_BEYOND, ended);
  (*state).rise = select(LOAN_BEYOND, rules.recovery, called);
}

// One step of an open loan, without a branch. The order of the rules: a fall through L comes first; a cure takes the
// deadline away; a new call sets one (an open call has an earlier deadline already); a deadline reached closes out.
fn loan_step(state: ptr<function, LoanState>, rules: LoanRules, value: f32, step: u32) {
  let kept = select((*state).deadline, LOAN_NEVER, value >= rules.recovery);
  let deadline = min(kept, select(LOAN_NEVER, step + rules.top_up_steps, value < rules.margin_call));
  let closeout = select(LOAN_NEVER, 2u * step + 1u, step >= deadline);
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
