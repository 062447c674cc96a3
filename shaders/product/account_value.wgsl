// An account at given prices: values of its currencies, notional and maintenance of its rows, their sums, and funding.
// Inputs: gains, shares that are open; terms.
// Outputs: values of the currencies in workgroup memory; sums.
// Units: equity at the start.
// Provides: account_begin_values, account_row_evaluate, account_row_profit, account_row_margin, account_unit, account_sums,
// account_row_settle, account_book, account_usd_of_unit.
// Reference: src/core/account/account-state.ts.
// Expects:
//   product/account_funding.wgsl: account_rate
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, FIGURE_ROWS, account_balances_at, account_gain, account_held,
//     account_hold, account_number, account_processes, account_recent_at, account_row, account_rows, account_values_at, account_word,
//     figure_add
//   one product: terms

// Sums over the currencies: G, E, and the sizes of all values.
struct AccountSums {
  equity: f32,
  counted: f32,
  worth: f32,
}

// Price of a unit of a currency relative to the start.
fn account_unit(currency: u32, slot: u32, who: AccountPath) -> f32 {
  let place = account_word(terms.currencies_at + ACCOUNT_CURRENCY_WORDS * currency + ACCOUNT_CURRENCY_ASSET);
  return 1.0 + account_gain(place, slot, who);
}

// Sets the values of the currencies to those of their balances.
fn account_begin_values(slot: u32, who: AccountPath) {
  for (var c = 0u; c < terms.currencies; c++) {
    let units = account_held(account_balances_at + c, who) + account_held(account_recent_at + c, who);
    account_hold(account_values_at + c, who, units * account_unit(c, slot, who));
  }
}

fn account_value_add(currency: u32, who: AccountPath, usd: f32) {
  let word = account_values_at + currency;
  account_hold(word, who, account_held(word, who) + usd);
}

// Unrealised profit of a row, USD.
fn account_row_profit(row: u32, open: f32, slot: u32, who: AccountPath) -> f32 {
  let at = account_row(row);
  let gain = account_gain(account_word(at + ACCOUNT_ROW_ASSET), slot, who);
  let profit = open * fma(account_number(at + ACCOUNT_ROW_SLOPE), gain, account_number(at + ACCOUNT_ROW_START));
  if ((account_word(at + ACCOUNT_ROW_KIND) & ACCOUNT_INVERSE) != 0u) {
    return profit;
  }
  return profit * account_unit(account_word(at + ACCOUNT_ROW_CURRENCY), slot, who);
}

// USD of a unit of the tiers of a row, relative to the start.
fn account_usd_of_unit(row: u32, slot: u32, who: AccountPath) -> f32 {
  let at = account_row(row);
  if ((account_word(at + ACCOUNT_ROW_KIND) & ACCOUNT_IN_COINS) == 0u) {
    return 1.0;
  }
  return 1.0 + account_gain(account_word(at + ACCOUNT_ROW_ASSET), slot, who);
}

// Maintenance margin of a row of that notional.
fn account_row_margin(row: u32, notional: f32, slot: u32, who: AccountPath) -> f32 {
  let at = account_row(row);
  let usd = account_usd_of_unit(row, slot, who);
  let end = account_word(at + ACCOUNT_ROW_TIERS_END);
  var margin = 0.0;
  for (var tier = account_word(at + ACCOUNT_ROW_TIERS); tier < end; tier += ACCOUNT_TIER_WORDS) {
    let deduction = account_number(tier + ACCOUNT_TIER_DEDUCTION) * usd;
    margin = max(margin, fma(account_number(tier + ACCOUNT_TIER_RATE), notional, -deduction));
  }
  return margin;
}

// Adds the profit of a row to the value of its currency; returns its notional and its maintenance margin.
fn account_row_evaluate(row: u32, open: f32, slot: u32, who: AccountPath) -> vec2<f32> {
  let at = account_row(row);
  account_value_add(account_word(at + ACCOUNT_ROW_CURRENCY), who, account_row_profit(row, open, slot, who));
  var notional = open * account_number(at + ACCOUNT_ROW_SIZE);
  if ((account_word(at + ACCOUNT_ROW_KIND) & ACCOUNT_INVERSE) == 0u) {
    notional *= 1.0 + account_gain(account_word(at + ACCOUNT_ROW_ASSET), slot, who);
  }
  return vec2(notional, account_row_margin(row, notional, slot, who));
}

// What the value of a currency counts for in E.
fn account_counted(currency: u32, value: f32) -> f32 {
  let at = terms.currencies_at + ACCOUNT_CURRENCY_WORDS * currency;
  let credit = account_number(at + ACCOUNT_CURRENCY_CREDIT) * value;
  return min(credit, account_number(at + ACCOUNT_CURRENCY_DEBT) * value);
}

fn account_sums(who: AccountPath) -> AccountSums {
  var sums = AccountSums();
  for (var c = 0u; c < terms.currencies; c++) {
    let value = account_held(account_values_at + c, who);
    sums.equity += value;
    sums.worth += abs(value);
    sums.counted += account_counted(c, value);
  }
  return sums;
}

// Books USD in the currency of a row, also in its value, and among its parts.
fn account_book(row: u32, usd: f32, units: f32, who: AccountPath) {
  let currency = account_word(account_row(row) + ACCOUNT_ROW_CURRENCY);
  account_value_add(currency, who, usd);
  let recent = account_recent_at + currency;
  account_hold(recent, who, account_held(recent, who) + units);
  if (terms.parts != 0u) {
    figure_add(FIGURE_ROWS + ACCOUNT_ROW_FIGURES * account_rows + row, who.path, units);
  }
}

// Books the funding of a row that is due at the end of an hour (from 1); returns it.
fn account_row_settle(row: u32, notional: f32, hour: u32, slot: u32, who: AccountPath) -> f32 {
  let at = account_row(row);
  let due = account_word(account_word(at + ACCOUNT_ROW_DUES) + hour - 1u);
  if (due == 0u) {
    return 0.0;
  }
  var flow = f32(due) * account_number(at + ACCOUNT_ROW_FUNDING) * notional;
  if (account_processes > 0u) {
    let process = account_word(at + ACCOUNT_ROW_PROCESS);
    if (process < account_processes) {
      flow *= account_rate(process, hour, who);
    }
    // Credits of rates that are given are 0 already.
    if (terms.debits_only != 0u) {
      flow = min(flow, 0.0);
    }
  }
  let unit = account_unit(account_word(at + ACCOUNT_ROW_CURRENCY), slot, who);
  if ((account_word(at + ACCOUNT_ROW_KIND) & ACCOUNT_INVERSE) != 0u) {
    account_book(row, flow, flow / unit, who);
    return flow;
  }
  account_book(row, flow * unit, flow, who);
  return flow * unit;
}
