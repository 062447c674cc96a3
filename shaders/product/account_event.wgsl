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
//     account_gain_set, account_late, account_number, account_prices, account_row, account_rows, account_slot_touch, account_store_set,
//     account_stored, account_word,
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
  (*state).bound = terms.slope_of_notionals * totals.notionals + terms.slope_of_values * totals.worth;
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

// Books the funding that is due on what a touch has left open.
fn event_settle(hour: u32, slot: u32, who: AccountPath) {
  if (account_word(terms.dues_at + hour - 1u) == 0u) {
    return;
  }
  for (var row = 0u; row < terms.rows; row++) {
    let notional = account_stored(ACCOUNT_NOTIONAL, row, who);
    account_store_set(ACCOUNT_FLOW, row, who, account_row_settle(row, notional, hour, slot, who));
  }
}

// An hour with a forced close, from the state after the hour before, or after funding where nothing touches: closes at touches, then at
// the prices of the hour. All go through one call of account_close, of which compilers make a copy per call.
fn account_event_hour(
  state: ptr<function, ProductState>,
  touch: AccountTouch,
  hour: u32,
  slot: u32,
  who: AccountPath,
) {
  for (var row = 0u; row < terms.rows; row++) {
    account_store_set(ACCOUNT_DEPTH, row, who, account_number(account_row(row) + ACCOUNT_ROW_DEPTH));
    account_store_set(ACCOUNT_FLOW, row, who, 0.0);
  }
  if (touch.touched) {
    account_touch_prices(slot - 1u, (*state).excess, touch.excess, touch.variance, who);
    account_force(state, hour, who);
  }
  var at = select(slot, account_slot_touch, touch.touched);
  var deficit = select(0.0, touch.further, touch.touched);
  var closed = AccountClosed(false, 0.0);
  var totals = AccountTotals();
  for (var count = 1u; count <= ACCOUNT_MOST_TOUCHES + 1u; count++) {
    // Late prices decide, fills are at those of the hour.
    var decide = at;
    if (account_late > 0u) {
      decide -= terms.lag;
    }
    totals = account_evaluate(decide, who);
    if (at == slot) {
      if (totals.counted <= terms.margin_call * totals.required) {
        account_call(state, hour, who);
      }
      if (!account_liquidatable(totals)) {
        if (account_late > 0u) {
          totals = account_evaluate(at, who);
        }
        break;
      }
      account_force(state, hour, who);
    }
    closed = account_close(decide, at, totals, deficit, who);
    if (closed.ended) {
      break;
    }
    totals = account_evaluate(at, who);
    if (at == slot) {
      break;
    }
    let end = account_evaluate(slot, who);
    let left = totals.counted - totals.required;
    let at_end = end.counted - end.required;
    if (count == ACCOUNT_MOST_TOUCHES || left <= 0.0 || at_end >= 0.0) {
      at = slot;
      deficit = 0.0;
      event_settle(hour, slot, who);
    } else {
      account_prices_between(slot, left, at_end, who);
      deficit = -at_end;
    }
  }
  if (closed.ended) {
    for (var i = 0u; i < account_prices - 1u; i++) {
      account_gain_set(i, slot, who, account_gain(i, at, who));
    }
    (*state).status |= ACCOUNT_ENDED;
    figure_set(FIGURE_END_HOUR, who.path, hour);
    totals.equity = closed.equity;
  }
  for (var row = 0u; row < account_rows; row++) {
    (*state).open[row] = account_stored(ACCOUNT_OPEN, row, who);
    (*state).funding[row] += account_stored(ACCOUNT_FLOW, row, who);
  }
  account_note(state, totals, who);
}
