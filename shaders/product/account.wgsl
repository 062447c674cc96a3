// A cross-margined account of perpetuals along a path of hours (docs/accounts.md, "One hour"): shares that are open and funding of up to 8
// rows in registers, everything else at places of account_memory.wgsl. An hour with a forced close is followed by account_event_hour.
// Inputs: gains of prices in workgroup memory; terms, account_data.
// Outputs: figures; sums.
// Units: amounts in units of the equity at the start, so that equity starts at 1; hours from 1.
// Provides: Terms, SUM_COUNT, ProductState, product_begin, product_save, product_restore, product_finish,
// account_begin, account_hour, account_ended, account_settle_block.
// Reference: src/core/product/account.ts, kernel/account.ts.
// Expects:
//   kernel/bindings.wgsl: state_restore_next, state_save_next
//   kernel/sums.wgsl: sum_add
//   product/account_closing.wgsl: AccountClosed, account_close, account_evaluate
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, FIGURE_*, account_balances_at, account_before_at, account_currencies,
//     account_gain, account_gain_set, account_held, account_hold, account_number, account_prices, account_recent_at, account_row,
//     account_rows, account_store_set, account_stored, account_values_at, account_word, figure, figure_set
//   product/account_rules.wgsl: AccountTotals
//   product/account_touch.wgsl: account_currency_slopes, account_prices_between, account_row_slope, account_touch_logarithm,
//     account_touch_prices, account_touches, account_variance, account_weigh_slopes
//   product/account_value.wgsl: account_begin_values, account_row_evaluate, account_row_settle, account_sums
//   product/leverage_median.wgsl: LEVERAGE_KNOWN, LEVERAGE_STATE_WORDS, LeverageCounts, leverage_*
//   one product: terms

struct Terms {
  // Leverage at the start; 0 for none.
  exposure: f32,
  // 1 in the first run over the paths, 0 in the further runs for the median leverage.
  first_run: u32,
  // Whether this run counts, whether its paths are listed, and whether it writes parts of losses.
  counted: u32,
  listed: u32,
  parts: u32,
  // Places in the data.
  rows_at: u32,
  currencies_at: u32,
  dues_at: u32,
  correlation_at: u32,
  scale_at: u32,
  paths_at: u32,
  // Liquidatable at E < M, else at E <= M; a margin call is at E <= margin_call x M. The fee that is set aside with the margin.
  strict: u32,
  margin_call: f32,
  reserved: f32,
  // Variance within an hour over that of its return, 0 for checks by the hour alone; and what a reach is multiplied by.
  bridge: f32,
  reach: f32,
  // The account at the start, after a shock: bits of its status, E - M, E - M / ratio, a bound of their slopes, the peak, the largest
  // fall below it, equity.
  start_status: u32,
  start_excess: f32,
  start_call_excess: f32,
  start_bound: f32,
  start_peak: f32,
  start_drawdown: f32,
  start_equity: f32,
  // The closing rule, and its members.
  rule: u32,
  share: f32,
  share_count: u32,
  share_target: f32,
  buffer: f32,
  order: u32,
  portion: f32,
  above: f32,
  again: u32,
  tier_steps: u32,
  // What the venue takes.
  fee_rate: f32,
  maintenance_fee: f32,
  has_maintenance_fee: u32,
  fee_ends_at_bankruptcy: u32,
  backstop: f32,
  rest_to_fund: u32,
  bankruptcy_by_share: u32,
  unfilled: u32,
  fund_pays_costs: u32,
  conversion_cost: f32,
  slippage: f32,
  slippage_growth: f32,
  notionals_at_start: f32,
}

// Paths whose median leverage needs a further run.
const SUM_PENDING = 0u;
const SUM_COUNT = 1u;

// Bits of the status.
const ACCOUNT_CALLED = 1u;
const ACCOUNT_ENDED = 2u;
const ACCOUNT_MOST_TOUCHES = 8u;
// An hour of an event that does not happen.
const ACCOUNT_NEVER = 0xffffffffu;

struct ProductState {
  // Per row: the share that is open, and its funding in USD.
  open: array<f32, ACCOUNT_MOST_ROWS>,
  funding: array<f32, ACCOUNT_MOST_ROWS>,
  // E - M and E - M / ratio after the last hour, and a bound of their slopes.
  excess: f32,
  call_excess: f32,
  bound: f32,
  // Equity, its peak, and its largest fall below it.
  peak: f32,
  drawdown: f32,
  equity: f32,
  status: u32,
  // Largest deviation of an asset in an hour of the day.
  largest: f32,
  leverage: LeverageCounts,
}

fn product_begin(who: AccountPath) -> ProductState {
  var state = ProductState();
  for (var row = 0u; row < account_rows; row++) {
    state.open[row] = account_number(account_row(row) + ACCOUNT_ROW_OPEN);
  }
  state.excess = terms.start_excess;
  state.call_excess = terms.start_call_excess;
  state.bound = terms.start_bound;
  state.peak = terms.start_peak;
  state.drawdown = terms.start_drawdown;
  state.equity = terms.start_equity;
  state.status = terms.start_status;
  state.leverage = leverage_begin(who.path);
  return state;
}

// Begins a path: its leverage, its currencies and its figures.
fn account_begin(state: ptr<function, ProductState>, who: AccountPath) {
  if (terms.exposure > 0.0) {
    leverage_count(&(*state).leverage, who.invocation, terms.exposure);
  }
  for (var c = 0u; c < account_currencies; c++) {
    let at = terms.currencies_at + ACCOUNT_CURRENCY_WORDS * c;
    account_hold(account_balances_at + c, who, account_number(at + ACCOUNT_CURRENCY_BALANCE));
    account_hold(account_recent_at + c, who, 0.0);
    account_hold(account_values_at + c, who, account_number(at + ACCOUNT_CURRENCY_VALUE));
  }
  for (var field = FIGURE_FEES; field < FIGURE_CALL_HOUR; field++) {
    figure_set(field, who.path, 0u);
  }
  figure_set(FIGURE_FORCED, who.path, 0u);
  figure_set(FIGURE_CALL_HOUR, who.path, ACCOUNT_NEVER);
  figure_set(FIGURE_CLOSE_HOUR, who.path, ACCOUNT_NEVER);
  figure_set(FIGURE_END_HOUR, who.path, ACCOUNT_NEVER);
  if (terms.parts != 0u) {
    for (var row = 0u; row < account_rows; row++) {
      figure_set(FIGURE_ROWS + ACCOUNT_ROW_FIGURES * account_rows + row, who.path, 0u);
    }
  }
}

// Words of the saved state of a path.
const PRODUCT_STATE_WORDS = 2u * ACCOUNT_MOST_ROWS + 7u + LEVERAGE_STATE_WORDS;

fn product_save(state: ptr<function, ProductState>, invocation: u32, at: ptr<function, u32>) {
  for (var row = 0u; row < ACCOUNT_MOST_ROWS; row++) {
    state_save_next(at, bitcast<u32>((*state).open[row]));
    state_save_next(at, bitcast<u32>((*state).funding[row]));
  }
  state_save_next(at, bitcast<u32>((*state).excess));
  state_save_next(at, bitcast<u32>((*state).call_excess));
  state_save_next(at, bitcast<u32>((*state).bound));
  state_save_next(at, bitcast<u32>((*state).peak));
  state_save_next(at, bitcast<u32>((*state).drawdown));
  state_save_next(at, bitcast<u32>((*state).equity));
  state_save_next(at, (*state).status);
  leverage_save(&(*state).leverage, invocation, at);
}

fn product_restore(state: ptr<function, ProductState>, invocation: u32, at: ptr<function, u32>) {
  for (var row = 0u; row < ACCOUNT_MOST_ROWS; row++) {
    (*state).open[row] = bitcast<f32>(state_restore_next(at));
    (*state).funding[row] = bitcast<f32>(state_restore_next(at));
  }
  (*state).excess = bitcast<f32>(state_restore_next(at));
  (*state).call_excess = bitcast<f32>(state_restore_next(at));
  (*state).bound = bitcast<f32>(state_restore_next(at));
  (*state).peak = bitcast<f32>(state_restore_next(at));
  (*state).drawdown = bitcast<f32>(state_restore_next(at));
  (*state).equity = bitcast<f32>(state_restore_next(at));
  (*state).status = state_restore_next(at);
  leverage_restore(&(*state).leverage, invocation, at);
}

// Whether no position is left: the account has no further hours.
fn account_ended(state: ptr<function, ProductState>) -> bool {
  return ((*state).status & ACCOUNT_ENDED) != 0u;
}

// Joins what is settled to the balances: a long sum of small numbers would lose its last digits.
fn account_settle_block(who: AccountPath) {
  for (var c = 0u; c < account_currencies; c++) {
    let settled = account_held(account_balances_at + c, who) + account_held(account_recent_at + c, who);
    account_hold(account_balances_at + c, who, settled);
    account_hold(account_recent_at + c, who, 0.0);
  }
}

// Rows are written one by one, with constant numbers, so that their shares stay in registers: places are 1, 2, 4 or 8.

fn row_evaluate(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  row: u32,
  slot: u32,
  who: AccountPath,
) -> vec2<f32> {
  let own = account_row_evaluate(row, (*state).open[row], slot, who);
  (*notional)[row] = own.x;
  return own;
}

// Evaluates all rows; returns the sums of notionals and margins.
fn rows_evaluate(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  slot: u32,
  who: AccountPath,
) -> vec2<f32> {
  var sums = row_evaluate(state, notional, 0u, slot, who);
  if (account_rows > 1u) {
    sums += row_evaluate(state, notional, 1u, slot, who);
  }
  if (account_rows > 2u) {
    sums += row_evaluate(state, notional, 2u, slot, who);
    sums += row_evaluate(state, notional, 3u, slot, who);
  }
  if (account_rows > 4u) {
    sums += row_evaluate(state, notional, 4u, slot, who);
    sums += row_evaluate(state, notional, 5u, slot, who);
    sums += row_evaluate(state, notional, 6u, slot, who);
    sums += row_evaluate(state, notional, 7u, slot, who);
  }
  return sums;
}

fn row_settle(state: ptr<function, ProductState>, notional: f32, row: u32, hour: u32, slot: u32, who: AccountPath) {
  (*state).funding[row] += account_row_settle(row, notional, hour, slot, who);
}

fn rows_settle(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  hour: u32,
  slot: u32,
  who: AccountPath,
) {
  row_settle(state, (*notional)[0], 0u, hour, slot, who);
  if (account_rows > 1u) {
    row_settle(state, (*notional)[1], 1u, hour, slot, who);
  }
  if (account_rows > 2u) {
    row_settle(state, (*notional)[2], 2u, hour, slot, who);
    row_settle(state, (*notional)[3], 3u, hour, slot, who);
  }
  if (account_rows > 4u) {
    row_settle(state, (*notional)[4], 4u, hour, slot, who);
    row_settle(state, (*notional)[5], 5u, hour, slot, who);
    row_settle(state, (*notional)[6], 6u, hour, slot, who);
    row_settle(state, (*notional)[7], 7u, hour, slot, who);
  }
}

// Sets the slopes of the excess at the prices of a slot.
fn rows_slopes(state: ptr<function, ProductState>, slot: u32, who: AccountPath) {
  account_currency_slopes(who);
  account_row_slope(0u, (*state).open[0], slot, who);
  if (account_rows > 1u) {
    account_row_slope(1u, (*state).open[1], slot, who);
  }
  if (account_rows > 2u) {
    account_row_slope(2u, (*state).open[2], slot, who);
    account_row_slope(3u, (*state).open[3], slot, who);
  }
  if (account_rows > 4u) {
    account_row_slope(4u, (*state).open[4], slot, who);
    account_row_slope(5u, (*state).open[5], slot, who);
    account_row_slope(6u, (*state).open[6], slot, who);
    account_row_slope(7u, (*state).open[7], slot, who);
  }
}

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

// Whether the account touches its line within an hour; a margin call by a touch is noted.
fn account_within_hour(
  state: ptr<function, ProductState>,
  totals: AccountTotals,
  hour: u32,
  slot: u32,
  who: AccountPath,
) -> AccountTouch {
  let d0 = (*state).excess;
  let c0 = (*state).call_excess;
  let d1 = totals.counted - totals.required;
  let c1 = totals.counted - terms.margin_call * totals.required;
  let is_called = ((*state).status & ACCOUNT_CALLED) != 0u;
  let nearest = select(min(c0, c1), min(d0, d1), is_called);
  var touch = AccountTouch(false, 0.0, d1, 0.0);
  if (nearest <= terms.reach * (*state).largest * (*state).bound) {
    rows_slopes(state, slot - 1u, who);
    if (nearest <= terms.reach * account_weigh_slopes(who)) {
      touch.variance = account_variance(who);
      let spread = terms.bridge * touch.variance * account_touch_logarithm(hour, who);
      if (account_touches(c0, c1, spread) >= 0.0) {
        account_call(state, hour, who);
      }
      touch.further = account_touches(d0, d1, spread);
      touch.touched = d0 > 0.0 && touch.further >= 0.0;
    }
  }
  return touch;
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

// One hour, whose prices are in a slot and those of the hour before in the slot below.
fn account_hour(state: ptr<function, ProductState>, hour: u32, slot: u32, who: AccountPath) {
  for (var c = 0u; c < account_currencies; c++) {
    account_hold(account_before_at + c, who, account_held(account_values_at + c, who));
  }
  account_begin_values(slot, who);
  var notional = array<f32, ACCOUNT_MOST_ROWS>();
  let rows = rows_evaluate(state, &notional, slot, who);
  var sums = account_sums(who);
  let required = fma(terms.reserved, rows.x, rows.y);
  var totals = AccountTotals(sums.equity, sums.counted, required, rows.y, rows.x, sums.worth);
  var touch = AccountTouch(false, 0.0, 0.0, 0.0);
  if (terms.bridge > 0.0) {
    touch = account_within_hour(state, totals, hour, slot, who);
  }
  if (!touch.touched) {
    if (account_word(terms.dues_at + hour - 1u) != 0u) {
      rows_settle(state, &notional, hour, slot, who);
      sums = account_sums(who);
      totals.equity = sums.equity;
      totals.counted = sums.counted;
      totals.worth = sums.worth;
    }
    if (!account_liquidatable(totals)) {
      if (totals.counted <= terms.margin_call * totals.required) {
        account_call(state, hour, who);
      }
      account_note(state, totals, who);
      return;
    }
  }
  account_event_hour(state, touch, hour, slot, who);
}

// Writes the figures of a path, with the state of the search for its median leverage. `slot`: that of its last prices.
fn product_finish(state: ptr<function, ProductState>, slot: u32, who: AccountPath) {
  figure_set(FIGURE_EQUITY, who.path, bitcast<u32>((*state).equity));
  figure_set(FIGURE_LARGEST_FALL, who.path, bitcast<u32>((*state).drawdown));
  for (var row = 0u; row < account_rows; row++) {
    let field = FIGURE_ROWS + ACCOUNT_ROW_FIGURES * row;
    figure_set(field, who.path, bitcast<u32>((*state).open[row]));
    figure_set(field + 1u, who.path, bitcast<u32>((*state).funding[row]));
  }
  if (terms.parts != 0u) {
    let first = FIGURE_ROWS + (ACCOUNT_ROW_FIGURES + ACCOUNT_ROW_PARTS) * account_rows;
    for (var i = 0u; i < account_prices - 1u; i++) {
      figure_set(first + i, who.path, bitcast<u32>(account_gain(i, slot, who)));
    }
  }
  if ((*state).leverage.values == 0u) {
    figure_set(FIGURE_LEVERAGE, who.path, 0u);
    figure_set(FIGURE_SHIFT, who.path, LEVERAGE_KNOWN);
  } else {
    sum_add(SUM_PENDING, u32(!leverage_finish(&(*state).leverage, who.path, who.invocation)));
  }
}
