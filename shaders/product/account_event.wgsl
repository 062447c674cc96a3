// Events of an account: calls, hours with a forced close, and what an hour leaves to the next.
// Inputs: the state of the account, the touch of the hour, stores of the rows.
// Outputs: state, figures.
// Units: equity at the start; hours from 1.
// Provides: AccountTouch, account_call, account_liquidatable, account_note, account_event_hour.
// Reference: src/core/product/account.ts.
// Expects:
//   product/account.wgsl: ProductState, account_ended
//   product/account_closing.wgsl: AccountClosed, account_close, account_evaluate
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, FIGURE_CALL_HOUR, FIGURE_CLOSE_HOUR, FIGURE_END_HOUR, account_gain,
//     account_gain_set, account_number, account_prices, account_row, account_rows, account_store_set, account_stored, account_word,
//     figure, figure_set
//   product/account_rules.wgsl: AccountTotals
//   product/account_touch.wgsl: account_prices_between, account_touch_prices
//   product/account_value.wgsl: account_row_settle
//   product/leverage_median.wgsl: leverage_count
//   one product: terms

fn account_call(state: ptr<function, ProductState>, hour: u32, who: AccountPath) {
  if (((*state).status & ACCOUNT_CALLED) == 0u) {
    (*state).status |= ACCOUNT_CALLED;
    figure_set(FIGURE_CALL_HOUR, who.path, hour);
  }
}

fn account_force(state: ptr<function, ProductState>, hour: u32, who: AccountPath) {
  account_call(state, hour, who);
  if (figure(FIGURE_CLOSE_HOUR, who.path) == ACCOUNT_NEVER) {
    figure_set(FIGURE_CLOSE_HOUR, who.path, hour);
  }
}

fn account_liquidatable(totals: AccountTotals) -> bool {
  let excess = totals.counted - totals.required;
  return excess < 0.0 || (excess == 0.0 && terms.strict == 0u);
}

// The figures of an hour: its leverage, peak and drawdown, and what the next hour needs.
fn account_note(state: ptr<function, ProductState>, totals: AccountTotals, who: AccountPath) {
  (*state).excess = totals.counted - totals.required;
  (*state).call_excess = totals.counted - terms.margin_call * totals.required;
  (*state).bound = 2.0 * (totals.notionals + totals.required + totals.worth);
  (*state).equity = totals.equity;
  (*state).peak = max((*state).peak, totals.equity);
  (*state).drawdown = min((*state).drawdown, totals.equity - (*state).peak);
  if (totals.equity > 0.0 && !account_ended(state)) {
    leverage_count(&(*state).leverage, who.invocation, totals.notionals / totals.equity);
  }
}

// A touch of an hour.
struct AccountTouch {
  touched: bool,
  // How far the lowest point is below 0; E - M at the end of the hour, before funding; variance of the hour.
  further: f32,
  excess: f32,
  variance: f32,
}

// An hour with a forced close, from the state after the hour before, or after funding where nothing touches.
fn account_event_hour(
  state: ptr<function, ProductState>,
  touch: AccountTouch,
  hour: u32,
  slot: u32,
  who: AccountPath,
) {
  for (var row = 0u; row < account_rows; row++) {
    account_store_set(ACCOUNT_OPEN, row, who, (*state).open[row]);
    account_store_set(ACCOUNT_DEPTH, row, who, account_number(account_row(row) + ACCOUNT_ROW_DEPTH));
    account_store_set(ACCOUNT_FLOW, row, who, 0.0);
  }
  var closed = AccountClosed(false, 0.0);
  if (touch.touched) {
    account_touch_prices(slot - 1u, (*state).excess, touch.excess, touch.variance, who);
    account_force(state, hour, who);
    var deficit = touch.further;
    for (var count = 1u; count <= ACCOUNT_MOST_TOUCHES; count++) {
      let before = account_evaluate(ACCOUNT_SLOT_TOUCH, who);
      closed = account_close(ACCOUNT_SLOT_TOUCH, ACCOUNT_SLOT_TOUCH, before, deficit, who);
      if (closed.ended) {
        for (var i = 0u; i < account_prices - 1u; i++) {
          account_gain_set(i, slot, who, account_gain(i, ACCOUNT_SLOT_TOUCH, who));
        }
        break;
      }
      let after = account_evaluate(ACCOUNT_SLOT_TOUCH, who);
      let left = after.counted - after.required;
      let end = account_evaluate(slot, who);
      let at_end = end.counted - end.required;
      if (left <= 0.0 || at_end >= 0.0) {
        break;
      }
      account_prices_between(slot, left, at_end, who);
      deficit = -at_end;
    }
    if (!closed.ended && account_word(terms.dues_at + hour - 1u) != 0u) {
      for (var row = 0u; row < account_rows; row++) {
        let notional = account_stored(ACCOUNT_NOTIONAL, row, who);
        account_store_set(ACCOUNT_FLOW, row, who, account_row_settle(row, notional, hour, slot, who));
      }
    }
  }
  var totals = AccountTotals();
  if (!closed.ended) {
    totals = account_evaluate(slot, who);
    if (totals.counted <= terms.margin_call * totals.required) {
      account_call(state, hour, who);
    }
    if (account_liquidatable(totals)) {
      account_force(state, hour, who);
      closed = account_close(slot, slot, totals, 0.0, who);
      if (!closed.ended) {
        totals = account_evaluate(slot, who);
      }
    }
  }
  for (var row = 0u; row < account_rows; row++) {
    (*state).open[row] = account_stored(ACCOUNT_OPEN, row, who);
    (*state).funding[row] += account_stored(ACCOUNT_FLOW, row, who);
  }
  if (closed.ended) {
    (*state).status |= ACCOUNT_ENDED;
    figure_set(FIGURE_END_HOUR, who.path, hour);
    totals.equity = closed.equity;
  }
  account_note(state, totals, who);
}
