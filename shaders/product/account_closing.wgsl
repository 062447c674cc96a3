// Forced closes of an account: passes until it is healthy or empty, and how each close is booked. Paths enter it in hours with an event.
// Inputs: stores of the rows, balances, prices in a slot; the venue's terms.
// Outputs: stores, balances, figures.
// Units: equity at the start.
// Provides: AccountClosed, account_evaluate, account_close.
// Reference: src/core/account/closing.ts.
// Expects:
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, FIGURE_DELEVERAGED, FIGURE_FEES, FIGURE_FORCED, FIGURE_SHORTFALL,
//     FIGURE_TAKEN_OVER, account_held, account_number, account_row, account_store_set, account_stored,
//     account_values_at, account_word, figure, figure_add, figure_set
//   product/account_rules.wgsl: AccountEvent, AccountTotals, account_rule
//   product/account_value.wgsl: account_begin_values, account_book, account_row_evaluate, account_row_margin, account_row_profit,
//     account_sums, account_unit
//   one product: terms

// After the first pass of an event the rounding of just enough must not start another one.
const HEALTHY_SHARE = 1.0 - 0x1p-18;
const MOST_PASSES = 64u;
// What would stay open of a row below this share is closed.
const LEAST_OPEN = 0x1p-20;
const MOST_SLIPPAGE = 0.5;
const UNFILLED_OPEN = 1u;
const UNFILLED_MARK = 2u;

// What is left of an event: equity at the end where no position is left.
struct AccountClosed {
  ended: bool,
  equity: f32,
}

// Evaluates the rows of the stores at the prices of a slot.
fn account_evaluate(slot: u32, who: AccountPath) -> AccountTotals {
  account_begin_values(slot, who);
  var notionals = 0.0;
  var maintained = 0.0;
  for (var row = 0u; row < terms.rows; row++) {
    let own = account_row_evaluate(row, account_stored(ACCOUNT_OPEN, row, who), slot, who);
    account_store_set(ACCOUNT_NOTIONAL, row, who, own.x);
    account_store_set(ACCOUNT_MARGIN, row, who, own.y);
    notionals += own.x;
    maintained += own.y;
  }
  let sums = account_sums(who);
  let required = fma(terms.reserved, notionals, maintained);
  return AccountTotals(sums.equity, sums.counted, required, maintained, notionals, sums.worth);
}

fn close_charge(row: u32, usd: f32, slot: u32, who: AccountPath) {
  let unit = account_unit(account_word(account_row(row) + ACCOUNT_ROW_CURRENCY), slot, who);
  account_book(row, -usd, -usd / unit, who);
}

// Turns a share of the unrealised profit of a row into balance, and keeps its notional and maintenance up to date.
fn close_realise(row: u32, share: f32, slot: u32, who: AccountPath) {
  let open = account_stored(ACCOUNT_OPEN, row, who);
  let unit = account_unit(account_word(account_row(row) + ACCOUNT_ROW_CURRENCY), slot, who);
  // The value of the currency has it already.
  account_book(row, 0.0, share * account_row_profit(row, open, slot, who) / unit, who);
  let notional = account_stored(ACCOUNT_NOTIONAL, row, who) * (1.0 - share);
  account_store_set(ACCOUNT_OPEN, row, who, select(open * (1.0 - share), 0.0, share == 1.0));
  account_store_set(ACCOUNT_NOTIONAL, row, who, notional);
  account_store_set(ACCOUNT_MARGIN, row, who, account_row_margin(row, notional, slot, who));
  figure_set(FIGURE_FORCED, who.path, figure(FIGURE_FORCED, who.path) | (1u << row));
}

// Closes a share of what is open of a row, and leaves its fee in the store of the share. Returns whether anything was closed.
fn close_row(row: u32, part: f32, slot: u32, who: AccountPath) -> bool {
  let at = account_row(row);
  let equity = account_sums(who).equity;
  let before = account_stored(ACCOUNT_MARGIN, row, who);
  var all_before = 0.0;
  for (var other = 0u; other < terms.rows; other++) {
    all_before += account_stored(ACCOUNT_MARGIN, other, who);
  }
  let notional = account_stored(ACCOUNT_NOTIONAL, row, who);
  account_store_set(ACCOUNT_SHARE, row, who, 0.0);
  var share = select(part, 1.0, account_stored(ACCOUNT_OPEN, row, who) * (1.0 - part) < LEAST_OPEN);
  var amount = share * notional;
  let depth = account_stored(ACCOUNT_DEPTH, row, who);
  let filled = min(amount, depth);
  if (filled < amount && terms.unfilled == UNFILLED_OPEN && equity >= 0.0) {
    if (filled == 0.0) {
      return false;
    }
    share = filled / notional;
    amount = filled;
  }
  let unfilled = amount - filled;
  account_store_set(ACCOUNT_DEPTH, row, who, depth - filled);

  let growth = terms.slippage_growth * sqrt(filled * account_number(at + ACCOUNT_ROW_VOLUME));
  let cost = filled * min(MOST_SLIPPAGE, terms.slippage + growth);
  var charged = cost;
  if (terms.fund_pays_costs != 0u) {
    charged = 0.0;
    figure_add(FIGURE_SHORTFALL, who.path, cost);
  }
  if (unfilled > 0.0) {
    figure_add(FIGURE_DELEVERAGED, who.path, unfilled);
    if (terms.unfilled != UNFILLED_MARK || equity <= 0.0) {
      var of_row = 1.0;
      if (terms.bankruptcy_by_share != 0u) {
        of_row = select(0.0, before / all_before, all_before > 0.0);
      }
      charged += equity * of_row * unfilled / notional;
    }
  }
  close_realise(row, share, slot, who);
  close_charge(row, charged, slot, who);
  if (terms.fee_ends_at_bankruptcy == 0u) {
    let of_notional = terms.fee_rate * amount;
    let fee = select(of_notional, terms.maintenance_fee * share * before, terms.has_maintenance_fee != 0u);
    account_store_set(ACCOUNT_SHARE, row, who, fee);
  } else if (unfilled == 0.0) {
    let fill = select(filled + cost, filled - cost, account_number(at + ACCOUNT_ROW_SIDE) > 0.0);
    var most = -cost;
    if (all_before > 0.0) {
      most += equity * (before - account_stored(ACCOUNT_MARGIN, row, who)) / all_before;
    }
    let paid = min(terms.fee_rate * fill, most);
    close_charge(row, paid, slot, who);
    figure_add(FIGURE_FEES, who.path, max(paid, 0.0));
    figure_add(FIGURE_SHORTFALL, who.path, max(-paid, 0.0));
  }
  return true;
}

// Books the shares of a pass. Returns whether anything was closed.
fn close_shares(slot: u32, who: AccountPath) -> bool {
  account_evaluate(slot, who);
  var closed = false;
  var due = 0.0;
  for (var row = 0u; row < terms.rows; row++) {
    let part = account_stored(ACCOUNT_SHARE, row, who);
    if (part > 0.0 && account_stored(ACCOUNT_OPEN, row, who) > 0.0) {
      closed = close_row(row, part, slot, who) || closed;
      due += account_stored(ACCOUNT_SHARE, row, who);
    } else {
      account_store_set(ACCOUNT_SHARE, row, who, 0.0);
    }
  }
  if (due > 0.0) {
    let most = max(0.0, account_sums(who).equity);
    let paid = select(1.0, most / due, due > most);
    for (var row = 0u; row < terms.rows; row++) {
      let fee = account_stored(ACCOUNT_SHARE, row, who);
      if (fee > 0.0) {
        close_charge(row, paid * fee, slot, who);
      }
    }
    figure_add(FIGURE_FEES, who.path, paid * due);
  }
  return closed;
}

fn close_is_empty(who: AccountPath) -> bool {
  var open = 0.0;
  for (var row = 0u; row < terms.rows; row++) {
    open = max(open, account_stored(ACCOUNT_OPEN, row, who));
  }
  return open == 0.0;
}

// The fund takes balances and positions as they are.
fn close_take_over(slot: u32, who: AccountPath) {
  let equity = account_evaluate(slot, who).equity;
  for (var row = 0u; row < terms.rows; row++) {
    if (account_stored(ACCOUNT_OPEN, row, who) > 0.0) {
      close_realise(row, 1.0, slot, who);
    }
  }
  figure_add(FIGURE_TAKEN_OVER, who.path, max(0.0, equity));
  figure_add(FIGURE_SHORTFALL, who.path, max(0.0, -equity));
}

// Equity once no position is left: after conversion, the fund's payment of a debt, and its part of the rest.
fn close_rest(slot: u32, who: AccountPath) -> f32 {
  account_begin_values(slot, who);
  var debts = 0.0;
  var credits = 0.0;
  for (var c = 0u; c < terms.currencies; c++) {
    let value = account_held(account_values_at + c, who);
    debts += max(-value, 0.0);
    credits += max(value, 0.0);
  }
  let equity = credits - debts - terms.conversion_cost * min(debts, credits);
  if (equity <= 0.0) {
    figure_add(FIGURE_SHORTFALL, who.path, -equity);
    return 0.0;
  }
  if (terms.rest_to_fund == 0u) {
    return equity;
  }
  figure_add(FIGURE_TAKEN_OVER, who.path, equity);
  return 0.0;
}

// One event: passes while the account is liquidatable at the deciding prices, whose totals are given; fills are at those of another slot.
fn account_close(decide: u32, fill: u32, first: AccountTotals, further: f32, who: AccountPath) -> AccountClosed {
  var event = AccountEvent(decide, further, 0u, 0u);
  var totals = first;
  for (var number = 1u; number <= MOST_PASSES; number++) {
    if (terms.backstop > 0.0 && totals.counted < terms.backstop * totals.required) {
      close_take_over(fill, who);
      return AccountClosed(true, 0.0);
    }
    account_rule(&event, totals, number == MOST_PASSES, who);
    if (!close_shares(fill, who)) {
      break;
    }
    if (close_is_empty(who)) {
      return AccountClosed(true, close_rest(fill, who));
    }
    totals = account_evaluate(decide, who);
    if (totals.counted >= totals.required * HEALTHY_SHARE) {
      break;
    }
    event.further = 0.0;
  }
  return AccountClosed(false, 0.0);
}
