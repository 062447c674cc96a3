// What the files of a cross-margined account share: its terms as data, its numbers in workgroup memory, where an index may be any, and
// the figures of its paths.
// Inputs: account_data.
// Outputs: figures.
// Units: gains of prices since the start, after a shock; amounts in units of the equity at the start, before it.
// Provides: account_rows, account_prices, account_late, account_processes, ACCOUNT_*, AccountPath, FIGURE_*, figure, figure_set,
// figure_add, fan_step, fan_time, fan_set,
// account_word, account_number, account_row, account_gain, account_gain_set, account_held, account_hold, account_stored,
// account_store_set, account_suspend, account_resume, account_slot_before, account_slot_last, account_slot_touch, account_slots,
// account_slopes_at, account_deviations_at, account_balances_at, account_recent_at,
// account_values_at, account_before_at, account_states_at, account_rates_at, account_returns_at.
// Reference: src/core/simd/account-terms.ts.
// Expects:
//   kernel/bindings.wgsl: assets, slice, workgroup_size
//   one product: terms

// Pipeline constants: places for positions and currencies, the last of which may be empty; and hours whose gains are kept beside that
// before a group, 0 or, where deciding prices are late, 5; and places for processes of funding, 0 where every rate is given.
override account_rows: u32;
override account_currencies: u32;
override account_late: u32;
override account_processes: u32;

const ACCOUNT_MOST_ROWS = 8u;

// Numbers and words of the terms, at the places that `terms` and rows name.
@group(1) @binding(1) var<storage, read> account_data: array<u32>;
// Equity of the paths at the times of the fan, then their figures, stored on the device between the runs: with t times, time t or field
// f of path run_path + p at t x paths + p or (times + f) x paths + p.
@group(1) @binding(2) var<storage, read_write> figures: array<u32>;
// What closes and slices need of each path, in the same order.
@group(1) @binding(3) var<storage, read_write> account_stores: array<f32>;

// Fields of the figures, in this order; then those of ACCOUNT_ROW_FIGURES for each row, and in a run for parts of losses ACCOUNT_ROW_PARTS
// for each row and the gain of each asset at the end. leverage_median.wgsl uses FIGURE_LEVERAGE and FIGURE_SHIFT.
const FIGURE_EQUITY = 0u;
const FIGURE_LARGEST_FALL = 1u;
const FIGURE_FORCED = 2u;
const FIGURE_LEVERAGE = 3u;
const FIGURE_SHIFT = 4u;
const FIGURE_FEES = 5u;
const FIGURE_SHORTFALL = 6u;
const FIGURE_TAKEN_OVER = 7u;
const FIGURE_DELEVERAGED = 8u;
const FIGURE_CALL_HOUR = 9u;
const FIGURE_CLOSE_HOUR = 10u;
const FIGURE_END_HOUR = 11u;
const FIGURE_ROWS = 12u;
// Of a row: share open, funding.
const ACCOUNT_ROW_FIGURES = 2u;
// Of a row: units of its currency that funding and closes have booked.
const ACCOUNT_ROW_PARTS = 1u;

// Places of a row in the data.
const ACCOUNT_ROW_ASSET = 0u;
const ACCOUNT_ROW_CURRENCY = 1u;
const ACCOUNT_ROW_KIND = 2u;
const ACCOUNT_ROW_SLOPE = 3u;
const ACCOUNT_ROW_START = 4u;
const ACCOUNT_ROW_SIZE = 5u;
const ACCOUNT_ROW_FUNDING = 6u;
const ACCOUNT_ROW_DUES = 7u;
const ACCOUNT_ROW_TIERS = 8u;
const ACCOUNT_ROW_TIERS_END = 9u;
const ACCOUNT_ROW_SIDE = 10u;
const ACCOUNT_ROW_DEPTH = 11u;
const ACCOUNT_ROW_VOLUME = 12u;
const ACCOUNT_ROW_OPEN = 13u;
const ACCOUNT_ROW_PROCESS = 14u;
const ACCOUNT_ROW_WORDS = 15u;
// Bits of the kind of a row.
const ACCOUNT_INVERSE = 1u;
const ACCOUNT_IN_COINS = 2u;
// Places of a tier.
const ACCOUNT_TIER_RATE = 0u;
const ACCOUNT_TIER_DEDUCTION = 1u;
const ACCOUNT_TIER_FROM = 2u;
const ACCOUNT_TIER_WORDS = 3u;
// Places of a currency: its asset, weights of a credit and a debt, balance and value at the start.
const ACCOUNT_CURRENCY_ASSET = 0u;
const ACCOUNT_CURRENCY_CREDIT = 1u;
const ACCOUNT_CURRENCY_DEBT = 2u;
const ACCOUNT_CURRENCY_BALANCE = 3u;
const ACCOUNT_CURRENCY_VALUE = 4u;
const ACCOUNT_CURRENCY_WORDS = 5u;

// Slots of gains: late hours, the hour before a group of four and the hours of the group, then a touch.
override account_slot_before: u32 = account_late;
override account_slot_last: u32 = account_late + 4u;
override account_slot_touch: u32 = account_late + 5u;
override account_slots: u32 = account_late + 6u;
// USD follows the assets; its gain is 0.
override account_prices: u32 = assets + 1u;
// First words of the numbers of a path in workgroup memory: slopes and deviations of the hour, what is settled in each currency up to
// the last multiple of a block of hours and since, and values of the currencies after the hour in hand and the one before.
override account_slopes_at: u32 = account_slots * account_prices;
override account_deviations_at: u32 = account_slopes_at + account_prices;
override account_balances_at: u32 = account_deviations_at + account_prices;
override account_recent_at: u32 = account_balances_at + account_currencies;
override account_values_at: u32 = account_recent_at + account_currencies;
// Then two words of each process, its rates in the hours of a group, and the standardised returns of the assets in them.
override account_states_at: u32 = account_values_at + account_currencies;
override account_before_at: u32 = account_states_at + 2u * account_processes;
override account_rates_at: u32 = account_before_at + account_currencies;
override account_returns_at: u32 = account_rates_at + 4u * account_processes;
override account_words: u32 = account_returns_at + 4u * select(0u, assets, account_processes > 0u);
// Word w of an invocation at w x workgroup_size + invocation.
var<workgroup> account_memory: array<f32, account_words * workgroup_size>;

// Words of a row among the stores: what closes work on.
// The share that is open, always that of the state, under an index that may be any.
const ACCOUNT_OPEN = 0u;
const ACCOUNT_NOTIONAL = 1u;
const ACCOUNT_MARGIN = 2u;
// Share that a pass closes, then the fee of it.
const ACCOUNT_SHARE = 3u;
// What finds a counterparty in the rest of the hour.
const ACCOUNT_DEPTH = 4u;
// Funding of the hour.
const ACCOUNT_FLOW = 5u;
const ACCOUNT_STORE_WORDS = 6u;

// A path: its invocation, its number in the run, and the number of its draws.
struct AccountPath {
  invocation: u32,
  path: u32,
  drawn: u32,
}

fn figure_set(field: u32, path: u32, value: u32) {
  figures[(terms.times + field) * slice.paths + path - slice.run_path] = value;
}

fn figure(field: u32, path: u32) -> u32 {
  return figures[(terms.times + field) * slice.paths + path - slice.run_path];
}

// The step of time number `time` (from 0) of the fan; after the last time, a step beyond the term.
fn fan_step(time: u32) -> u32 {
  return select(slice.steps + 1u, (slice.steps * (time + 1u)) / max(terms.times, 1u), terms.times > 0u);
}

// The first time of the fan after a step.
fn fan_time(step: u32) -> u32 {
  var time = (step * terms.times) / slice.steps;
  while (fan_step(time) <= step) {
    time += 1u;
  }
  return time;
}

fn fan_set(time: u32, path: u32, equity: f32) {
  figures[time * slice.paths + path - slice.run_path] = bitcast<u32>(equity);
}

// Adds an amount to a figure.
fn figure_add(field: u32, path: u32, amount: f32) {
  figure_set(field, path, bitcast<u32>(bitcast<f32>(figure(field, path)) + amount));
}

fn account_word(place: u32) -> u32 {
  return account_data[place];
}

fn account_number(place: u32) -> f32 {
  return bitcast<f32>(account_data[place]);
}

// The place of a row in the data.
fn account_row(row: u32) -> u32 {
  return terms.rows_at + ACCOUNT_ROW_WORDS * row;
}

fn account_held(word: u32, who: AccountPath) -> f32 {
  return account_memory[word * workgroup_size + who.invocation];
}

fn account_hold(word: u32, who: AccountPath, value: f32) {
  account_memory[word * workgroup_size + who.invocation] = value;
}

fn account_gain(place: u32, slot: u32, who: AccountPath) -> f32 {
  return account_held(slot * account_prices + place, who);
}

fn account_gain_set(place: u32, slot: u32, who: AccountPath, gain: f32) {
  account_hold(slot * account_prices + place, who, gain);
}

fn account_stored(word: u32, row: u32, who: AccountPath) -> f32 {
  return account_stores[(ACCOUNT_STORE_WORDS * row + word) * slice.paths + who.path - slice.run_path];
}

fn account_store_set(word: u32, row: u32, who: AccountPath, value: f32) {
  account_stores[(ACCOUNT_STORE_WORDS * row + word) * slice.paths + who.path - slice.run_path] = value;
}

// Words of the memory that a later slice needs, behind those of the rows: gains of the last hours, balances, values and processes.
fn account_suspend(who: AccountPath) {
  var at = ACCOUNT_STORE_WORDS * account_rows * slice.paths + who.path - slice.run_path;
  for (var slot = 4u; slot <= account_slot_last; slot++) {
    for (var i = 0u; i < assets; i++) {
      account_stores[at] = account_gain(i, slot, who);
      at += slice.paths;
    }
  }
  for (var word = account_balances_at; word < account_before_at; word++) {
    account_stores[at] = account_held(word, who);
    at += slice.paths;
  }
}

fn account_resume(who: AccountPath) {
  var at = ACCOUNT_STORE_WORDS * account_rows * slice.paths + who.path - slice.run_path;
  for (var slot = 4u; slot <= account_slot_last; slot++) {
    for (var i = 0u; i < assets; i++) {
      account_gain_set(i, slot, who, account_stores[at]);
      at += slice.paths;
    }
  }
  for (var word = account_balances_at; word < account_before_at; word++) {
    account_hold(word, who, account_stores[at]);
    at += slice.paths;
  }
}
