// A cross-margined account of perpetuals along a path of hours (docs/accounts.md, "One hour"): shares that are open and funding of up to 8
// rows in registers, everything else at places of account_memory.wgsl. An hour with a forced close is followed by account_event_hour.
// Inputs: gains of prices in workgroup memory; terms, account_data.
// Outputs: figures; sums.
// Units: amounts in units of the equity at the start, so that equity starts at 1; hours from 1.
// Provides: Terms, SUM_COUNT, ProductState, product_begin, product_save, product_restore, product_finish, account_begin, account_hour,
// account_ended, account_settle_block, ACCOUNT_CALLED, ACCOUNT_ENDED, ACCOUNT_MOST_TOUCHES, ACCOUNT_NEVER.
// Reference: src/core/product/account.ts, kernel/account.ts.
// Expects:
//   kernel/bindings.wgsl: state_restore_next, state_save_next
//   kernel/sums.wgsl: sum_add
//   product/account_event.wgsl: AccountTouch, account_call, account_event_hour, account_liquidatable, account_note
//   product/account_funding.wgsl: account_begin_funding
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, FIGURE_*, account_balances_at, account_before_at, account_gain,
//     account_held, account_hold, account_late, account_number, account_prices, account_recent_at, account_row, account_rows,
//     account_store_set,
//     account_values_at, account_word, figure_set
//   product/account_rows.wgsl: account_rows_evaluate, account_rows_settle
//   product/account_rules.wgsl: AccountTotals
//   product/account_touch.wgsl: account_slopes, account_touch_logarithm, account_touches, account_variance, account_weigh_slopes
//   product/account_value.wgsl: account_begin_values, account_sums
//   product/leverage_median.wgsl: LEVERAGE_KNOWN, LEVERAGE_STATE_WORDS, LeverageCounts, leverage_*
//   one product: terms

struct Terms {
  // Leverage at the start; 0 for none.
  exposure: f32,
  // 1 in the first run over the paths, 0 in the further runs for the median leverage.
  first_run: u32,
  // Times of the fan; whether the paths are listed, and whether the run writes parts of losses.
  times: u32,
  listed: u32,
  parts: u32,
  // Positions, currencies and assets: loops over them are not unrolled, as those to a pipeline constant are.
  rows: u32,
  currencies: u32,
  assets: u32,
  // Places in the data.
  rows_at: u32,
  currencies_at: u32,
  dues_at: u32,
  correlation_at: u32,
  scale_at: u32,
  paths_at: u32,
  // Processes of funding, their place in the data, and bits: whether they follow returns over the deviations of the scale, else shocks;
  // and whether credits of rates that are drawn are 0.
  processes: u32,
  processes_at: u32,
  of_returns: u32,
  debits_only: u32,
  // Liquidatable at E < M, else at E <= M; a margin call is at E <= margin_call x M. The fee that is set aside with the margin.
  strict: u32,
  margin_call: f32,
  reserved: f32,
  // Variance within an hour over that of its return, 0 for checks by the hour alone; and what a reach is multiplied by.
  bridge: f32,
  reach: f32,
  // The same for an hour, per root of -2 ln U.
  reach_of_root: f32,
  // The sizes of all slopes of E - M are at most so much of the notionals, and so much of the sizes of the values of the currencies.
  slope_of_notionals: f32,
  slope_of_values: f32,
  // Hours by which the deciding prices are late.
  lag: u32,
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
  for (var c = 0u; c < terms.currencies; c++) {
    let at = terms.currencies_at + ACCOUNT_CURRENCY_WORDS * c;
    account_hold(account_balances_at + c, who, account_number(at + ACCOUNT_CURRENCY_BALANCE));
    account_hold(account_recent_at + c, who, 0.0);
    account_hold(account_values_at + c, who, account_number(at + ACCOUNT_CURRENCY_VALUE));
  }
  account_begin_funding(who);
  for (var field = FIGURE_FEES; field < FIGURE_CALL_HOUR; field++) {
    figure_set(field, who.path, 0u);
  }
  for (var row = 0u; row < account_rows; row++) {
    account_store_set(ACCOUNT_OPEN, row, who, account_number(account_row(row) + ACCOUNT_ROW_OPEN));
    account_store_set(ACCOUNT_FLOW, row, who, 0.0);
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
  for (var c = 0u; c < terms.currencies; c++) {
    let settled = account_held(account_balances_at + c, who) + account_held(account_recent_at + c, who);
    account_hold(account_balances_at + c, who, settled);
    account_hold(account_recent_at + c, who, 0.0);
  }
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
  let most = (*state).largest * (*state).bound;
  if (nearest > terms.reach * most) {
    return touch;
  }
  // The word of the hour first: on average it reaches a fifth of what any word reaches.
  let logarithm = account_touch_logarithm(hour, who);
  let reach = terms.reach_of_root * sqrt(logarithm);
  if (nearest > reach * most) {
    return touch;
  }
  account_slopes(slot - 1u, who);
  if (nearest <= reach * account_weigh_slopes(who)) {
    touch.variance = account_variance(who);
    let spread = terms.bridge * touch.variance * logarithm;
    if (account_touches(c0, c1, spread) >= 0.0) {
      account_call(state, hour, who);
    }
    touch.further = account_touches(d0, d1, spread);
    touch.touched = d0 > 0.0 && touch.further >= 0.0;
  }
  return touch;
}

// What the account comes to at the prices of a slot.
fn account_totals(
  state: ptr<function, ProductState>,
  notional: ptr<function, array<f32, ACCOUNT_MOST_ROWS>>,
  slot: u32,
  who: AccountPath,
) -> AccountTotals {
  account_begin_values(slot, who);
  let rows = account_rows_evaluate(state, notional, slot, who);
  let sums = account_sums(who);
  let required = fma(terms.reserved, rows.x, rows.y);
  return AccountTotals(sums.equity, sums.counted, required, rows.y, rows.x, sums.worth);
}

// One hour, whose prices are in a slot and those of the hour before in the slot below.
fn account_hour(state: ptr<function, ProductState>, hour: u32, slot: u32, who: AccountPath) {
  for (var c = 0u; c < terms.currencies; c++) {
    account_hold(account_before_at + c, who, account_held(account_values_at + c, who));
  }
  var notional = array<f32, ACCOUNT_MOST_ROWS>();
  var totals = account_totals(state, &notional, slot, who);
  var touch = AccountTouch(false, 0.0, 0.0, 0.0);
  if (terms.bridge > 0.0) {
    touch = account_within_hour(state, totals, hour, slot, who);
  }
  if (!touch.touched) {
    if (account_word(terms.dues_at + hour - 1u) != 0u) {
      account_rows_settle(state, &notional, hour, slot, who);
      let sums = account_sums(who);
      totals.equity = sums.equity;
      totals.counted = sums.counted;
      totals.worth = sums.worth;
    }
    var deciding = totals;
    if (account_late > 0u) {
      deciding = account_totals(state, &notional, slot - terms.lag, who);
    }
    if (!account_liquidatable(deciding)) {
      if (deciding.counted <= terms.margin_call * deciding.required) {
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
