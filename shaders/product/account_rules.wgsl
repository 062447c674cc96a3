// The closing rules of accounts: what share of each row one pass closes. Rows are what the stores have: loops with any index, which only
// paths with a forced close enter.
// Inputs: stores of the rows, totals of the account, the venue's terms.
// Outputs: shares of the pass in the stores.
// Units: equity at the start.
// Provides: AccountEvent, AccountTotals, account_rule.
// Reference: src/core/account/close/.
// Expects:
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, account_number, account_row, account_store_set, account_stored,
//     account_word
//   product/account_value.wgsl: account_row_margin, account_row_profit, account_usd_of_unit
//   one product: terms

// Numbers of the rules and orders.
const CLOSE_ALL = 0u;
const CLOSE_SHARE = 1u;
const CLOSE_ENOUGH = 2u;
const CLOSE_ONE = 3u;
const CLOSE_PORTION = 4u;
const CLOSE_TIER = 5u;
const ORDER_PNL = 0u;
const ORDER_MAINTENANCE = 1u;
const ORDER_LISTED = 2u;

// Shares by which values may differ and still be equal.
const EQUAL_SHARE = 0x1p-16;
// A pass leaves at least this share of the notional at the start, or nothing.
const LEAST_REMAINDER = 0.01;

// An account at the deciding prices.
struct AccountTotals {
  equity: f32,
  counted: f32,
  required: f32,
  maintained: f32,
  notionals: f32,
  worth: f32,
}

// What the passes of an event have done.
struct AccountEvent {
  // Slot of the deciding prices.
  decide: u32,
  // Deficit beyond that at these prices.
  further: f32,
  // Rows that have had a turn, by bits, and the row after the one of the latest turn.
  turned: u32,
  next_turn: u32,
}

fn rule_value(row: u32, order: u32, decide: u32, who: AccountPath) -> f32 {
  if (order == ORDER_MAINTENANCE) {
    return account_stored(ACCOUNT_MARGIN, row, who);
  }
  if (order == ORDER_PNL) {
    return -account_row_profit(row, account_stored(ACCOUNT_OPEN, row, who), decide, who);
  }
  return 0.0;
}

// The open row of the largest value, but those of `taken`; a later one leads only by more than a share. terms.rows for none.
fn rule_lead(order: u32, taken: u32, decide: u32, who: AccountPath) -> u32 {
  var lead = terms.rows;
  var highest = 0.0;
  for (var row = 0u; row < terms.rows; row++) {
    if (account_stored(ACCOUNT_OPEN, row, who) > 0.0 && (taken & (1u << row)) == 0u) {
      let value = rule_value(row, order, decide, who);
      if (lead == terms.rows || value > highest + EQUAL_SHARE * abs(highest)) {
        lead = row;
        highest = value;
      }
    }
  }
  return lead;
}

fn rule_close(row: u32, share: f32, who: AccountPath) {
  if (row < terms.rows) {
    account_store_set(ACCOUNT_SHARE, row, who, share);
  }
}

fn rule_close_all(share: f32, who: AccountPath) {
  for (var row = 0u; row < terms.rows; row++) {
    account_store_set(ACCOUNT_SHARE, row, who, share);
  }
}

fn rule_share(event: ptr<function, AccountEvent>, totals: AccountTotals, who: AccountPath) {
  var fee = terms.fee_rate * totals.notionals;
  if (terms.has_maintenance_fee != 0u) {
    fee = terms.maintenance_fee * totals.maintained;
  }
  for (var k = 1u; k <= terms.share_count; k++) {
    let part = f32(k) * terms.share;
    var required = 0.0;
    for (var row = 0u; row < terms.rows; row++) {
      let notional = (1.0 - part) * account_stored(ACCOUNT_NOTIONAL, row, who);
      required += account_row_margin(row, notional, (*event).decide, who) + terms.reserved * notional;
    }
    if (required < terms.share_target * (totals.counted - part * fee)) {
      rule_close_all(part, who);
      return;
    }
  }
  rule_close_all(1.0, who);
}

// The largest notional of a row whose requirement is `required` or less.
fn rule_notional(row: u32, required: f32, decide: u32, who: AccountPath) -> f32 {
  let at = account_row(row);
  let usd = account_usd_of_unit(row, decide, who);
  let end = account_word(at + ACCOUNT_ROW_TIERS_END);
  var least = 3e38;
  for (var tier = account_word(at + ACCOUNT_ROW_TIERS); tier < end; tier += ACCOUNT_TIER_WORDS) {
    let deduction = account_number(tier + ACCOUNT_TIER_DEDUCTION) * usd;
    let rate = account_number(tier + ACCOUNT_TIER_RATE) + terms.reserved;
    least = min(least, (required + deduction) / rate);
  }
  return max(0.0, least);
}

fn rule_enough(event: ptr<function, AccountEvent>, totals: AccountTotals, who: AccountPath) {
  let decide = (*event).decide;
  var deficit = totals.required - totals.counted / (1.0 + terms.buffer) + (*event).further;
  var taken = 0u;
  for (var k = 0u; k < terms.rows && deficit > 0.0; k++) {
    let row = rule_lead(ORDER_MAINTENANCE, taken, decide, who);
    if (row < terms.rows) {
      taken |= 1u << row;
      let notional = account_stored(ACCOUNT_NOTIONAL, row, who);
      let requirement = account_stored(ACCOUNT_MARGIN, row, who) + terms.reserved * notional;
      var share = 1.0;
      if (requirement > deficit) {
        share = 1.0 - rule_notional(row, requirement - deficit, decide, who) / notional;
      }
      rule_close(row, share, who);
      deficit -= requirement;
    }
  }
}

fn rule_portion(event: ptr<function, AccountEvent>, who: AccountPath) {
  if (terms.again != 0u) {
    var row = (*event).next_turn;
    for (var k = 0u; k < terms.rows && account_stored(ACCOUNT_OPEN, row, who) == 0.0; k++) {
      row = (row + 1u) % terms.rows;
    }
    (*event).next_turn = (row + 1u) % terms.rows;
    let notional = account_stored(ACCOUNT_NOTIONAL, row, who);
    rule_close(row, min(1.0, max(terms.portion * notional, terms.above) / notional), who);
    return;
  }
  let row = rule_lead(ORDER_MAINTENANCE, (*event).turned, (*event).decide, who);
  if (row == terms.rows) {
    rule_close(rule_lead(ORDER_MAINTENANCE, 0u, (*event).decide, who), 1.0, who);
    return;
  }
  (*event).turned |= 1u << row;
  rule_close(row, select(1.0, terms.portion, account_stored(ACCOUNT_NOTIONAL, row, who) > terms.above), who);
}

fn rule_tier(event: ptr<function, AccountEvent>, who: AccountPath) {
  let decide = (*event).decide;
  let row = rule_lead(ORDER_MAINTENANCE, 0u, decide, who);
  if (row == terms.rows) {
    return;
  }
  let at = account_row(row);
  let first = account_word(at + ACCOUNT_ROW_TIERS);
  let end = account_word(at + ACCOUNT_ROW_TIERS_END);
  let usd = account_usd_of_unit(row, decide, who);
  let notional = account_stored(ACCOUNT_NOTIONAL, row, who);
  var place = first;
  var highest = -3e38;
  for (var tier = first; tier < end; tier += ACCOUNT_TIER_WORDS) {
    let deduction = account_number(tier + ACCOUNT_TIER_DEDUCTION) * usd;
    let line = fma(account_number(tier + ACCOUNT_TIER_RATE), notional, -deduction);
    if (line > highest) {
      highest = line;
      place = tier;
    }
  }
  if (place < first + ACCOUNT_TIER_WORDS * terms.tier_steps) {
    rule_close(row, 1.0, who);
    return;
  }
  let from_usd = account_number(place - ACCOUNT_TIER_WORDS * terms.tier_steps + ACCOUNT_TIER_FROM) * usd;
  rule_close(row, clamp(1.0 - from_usd / notional, 0.0, 1.0), who);
}

// Sets the shares of a pass. `is_last`: whether it closes everything.
fn account_rule(event: ptr<function, AccountEvent>, totals: AccountTotals, is_last: bool, who: AccountPath) {
  if (is_last || terms.rule == CLOSE_ALL) {
    rule_close_all(1.0, who);
    return;
  }
  rule_close_all(0.0, who);
  if (terms.rule == CLOSE_SHARE) {
    rule_share(event, totals, who);
  } else if (terms.rule == CLOSE_ENOUGH) {
    rule_enough(event, totals, who);
  } else if (terms.rule == CLOSE_ONE) {
    rule_close(rule_lead(terms.order, 0u, (*event).decide, who), 1.0, who);
    return;
  } else if (terms.rule == CLOSE_PORTION) {
    rule_portion(event, who);
  } else {
    rule_tier(event, who);
    return;
  }
  var left = 0.0;
  for (var row = 0u; row < terms.rows; row++) {
    left += (1.0 - account_stored(ACCOUNT_SHARE, row, who)) * account_stored(ACCOUNT_NOTIONAL, row, who);
  }
  if (left < LEAST_REMAINDER * terms.notionals_at_start) {
    rule_close_all(1.0, who);
  }
}
