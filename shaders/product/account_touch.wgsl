// Touches of the line of an account within an hour: the lowest point of a Brownian bridge between the excess E - M at two hours, linear
// in the log prices.
// Inputs: slopes of the excess, deviations and correlations of the hour; a word of a stream of its own.
// Outputs: whether a bridge touches; prices of a touch.
// Units: equity at the start; gains of prices.
// Provides: account_slopes, account_weigh_slopes, account_variance, account_touch_logarithm, account_touches,
// account_touch_prices, account_prices_between.
// Reference: src/core/account/touch.ts.
// Expects:
//   kernel/bindings.wgsl: slice
//   lib/draw.wgsl: LOG2_E
//   lib/exponential.wgsl: exponential
//   lib/threefry.wgsl: threefry_4x32_12
//   product/account_memory.wgsl: ACCOUNT_*, AccountPath, account_before_at, account_deviations_at, account_gain,
//     account_gain_set, account_held, account_hold, account_number, account_row, account_slopes_at, account_slot_touch, account_stored,
//     account_word
//   product/account_value.wgsl: account_unit, account_usd_of_unit
//   one product: terms

// Second key word of the words of touches.
const TOUCH_KEY = 0x746f7563u;
const MINUS_TWICE_LN_2 = -1.3862943611198906;

fn slope_add(place: u32, who: AccountPath, slope: f32) {
  account_hold(account_slopes_at + place, who, account_held(account_slopes_at + place, who) + slope);
}

// The weight of a currency in E, by the sign of its value after the hour before.
fn currency_weight(currency: u32, who: AccountPath) -> f32 {
  let at = terms.currencies_at + ACCOUNT_CURRENCY_WORDS * currency;
  let credit = account_number(at + ACCOUNT_CURRENCY_CREDIT);
  return select(credit, account_number(at + ACCOUNT_CURRENCY_DEBT), account_held(account_before_at + currency, who) < 0.0);
}

// Sets the slopes to those of the values of the currencies after the hour before.
fn currency_slopes(who: AccountPath) {
  for (var i = 0u; i <= terms.assets; i++) {
    account_hold(account_slopes_at + i, who, 0.0);
  }
  for (var c = 0u; c < terms.currencies; c++) {
    let place = account_word(terms.currencies_at + ACCOUNT_CURRENCY_WORDS * c + ACCOUNT_CURRENCY_ASSET);
    slope_add(place, who, currency_weight(c, who) * account_held(account_before_at + c, who));
  }
}

// Adds the slope of a row, d (E - M) / d ln S of its asset, at the prices of the hour before.
fn row_slope(row: u32, open: f32, slot: u32, who: AccountPath) {
  let at = account_row(row);
  let place = account_word(at + ACCOUNT_ROW_ASSET);
  let kind = account_word(at + ACCOUNT_ROW_KIND);
  let inverse = (kind & ACCOUNT_INVERSE) != 0u;
  let currency = account_word(at + ACCOUNT_ROW_CURRENCY);
  let price = 1.0 + account_gain(place, slot, who);
  let slope = account_number(at + ACCOUNT_ROW_SLOPE);
  // What the currency is worth is in the slope of its value; an inverse row's value is n S (1 / entry - 1 / P).
  let of_linear = slope * price * account_unit(currency, slot, who);
  let of_profit = select(of_linear, slope - account_number(at + ACCOUNT_ROW_START), inverse);
  var own = currency_weight(currency, who) * open * of_profit;
  let size = open * account_number(at + ACCOUNT_ROW_SIZE) * select(price, 1.0, inverse);
  let usd = account_usd_of_unit(row, slot, who);
  var margin = 0.0;
  var rate = 0.0;
  var deduction = 0.0;
  let end = account_word(at + ACCOUNT_ROW_TIERS_END);
  for (var tier = account_word(at + ACCOUNT_ROW_TIERS); tier < end; tier += ACCOUNT_TIER_WORDS) {
    let off = account_number(tier + ACCOUNT_TIER_DEDUCTION) * usd;
    let line = fma(account_number(tier + ACCOUNT_TIER_RATE), size, -off);
    if (line > margin) {
      margin = line;
      rate = account_number(tier + ACCOUNT_TIER_RATE);
      deduction = off;
    }
  }
  if ((kind & ACCOUNT_IN_COINS) != 0u) {
    own += select(-margin, deduction, inverse);
  } else if (!inverse) {
    own -= rate * size;
  }
  if (!inverse) {
    own -= terms.reserved * size;
  }
  slope_add(place, who, own);
}

// Sets the slopes of the excess at the prices of a slot.
fn account_slopes(slot: u32, who: AccountPath) {
  currency_slopes(who);
  for (var row = 0u; row < terms.rows; row++) {
    row_slope(row, account_stored(ACCOUNT_OPEN, row, who), slot, who);
  }
}

// Multiplies the slopes by the deviations of the hour; returns the sum of their sizes.
fn account_weigh_slopes(who: AccountPath) -> f32 {
  var reach = 0.0;
  for (var i = 0u; i < terms.assets; i++) {
    let weighed = account_held(account_slopes_at + i, who) * account_held(account_deviations_at + i, who);
    account_hold(account_slopes_at + i, who, weighed);
    reach += abs(weighed);
  }
  return reach;
}

// Covariance of the standardised return of an asset with the move of the excess.
fn touch_spread(asset: u32, who: AccountPath) -> f32 {
  var sum = 0.0;
  for (var j = 0u; j < terms.assets; j++) {
    sum += account_number(terms.correlation_at + asset * terms.assets + j) * account_held(account_slopes_at + j, who);
  }
  return sum;
}

// D' C D of the weighed slopes.
fn account_variance(who: AccountPath) -> f32 {
  var variance = 0.0;
  for (var i = 0u; i < terms.assets; i++) {
    variance += account_held(account_slopes_at + i, who) * touch_spread(i, who);
  }
  return max(variance, 0.0);
}

// -2 ln U of an hour (from 1), with U = (k + 1) / 2^24; at least 0.
fn account_touch_logarithm(hour: u32, who: AccountPath) -> f32 {
  let index = hour - 1u;
  let words = threefry_4x32_12(vec4(who.drawn, index >> 2u, 0u, 0u), vec2(slice.seed, TOUCH_KEY));
  let word = words[index & 3u] >> 8u;
  return max(0.0, MINUS_TWICE_LN_2 * log2(f32(word + 1u) * 0x1p-24));
}

// How far the lowest point of a bridge between two ends is below 0; not above 0 where it does not touch. `spread`: variance times -2 ln U.
fn account_touches(d0: f32, d1: f32, spread: f32) -> f32 {
  let rise = d1 - d0;
  return 0.5 * (sqrt(fma(rise, rise, spread)) - (d0 + d1));
}

// ln of a price after an hour over that before.
fn move_of(asset: u32, before: u32, after: u32, who: AccountPath) -> f32 {
  let gain = account_gain(asset, before, who);
  let x = (account_gain(asset, after, who) - gain) / (1.0 + gain);
  if (abs(x) > 0.03) {
    return log2(1.0 + x) * (1.0 / LOG2_E);
  }
  return x * (1.0 - x * (1.0 / 2.0 - x * (1.0 / 3.0 - x * (1.0 / 4.0 - x * (1.0 / 5.0)))));
}

// Sets the price of the touch to that of a slot, moved by a logarithm.
fn touch_set(asset: u32, origin: u32, moved: f32, who: AccountPath) {
  let gain = account_gain(asset, origin, who);
  let less_one = exponential(vec4(moved * LOG2_E)).minus_one.x;
  account_gain_set(asset, account_slot_touch, who, fma(1.0 + gain, less_one, gain));
}

// Sets the prices of the touch, where E = M to first order, from those of slot `before`, where the excess is d0 > 0, and the next, with d1.
fn account_touch_prices(before: u32, d0: f32, d1: f32, variance: f32, who: AccountPath) {
  let part = d0 / (d0 + abs(d1));
  var fall = 0.0;
  if (d1 > 0.0 && variance > 0.0) {
    fall = 2.0 * d0 * d1 / ((d0 + d1) * variance);
  }
  for (var i = 0u; i < terms.assets; i++) {
    let spread = account_held(account_deviations_at + i, who) * touch_spread(i, who);
    touch_set(i, before, part * move_of(i, before, before + 1u, who) - spread * fall, who);
  }
}

// Moves the prices of the touch, with an excess of d0 > 0, to those on the way to slot `after`, with d1 < 0, where it is 0.
fn account_prices_between(after: u32, d0: f32, d1: f32, who: AccountPath) {
  let part = d0 / (d0 - d1);
  for (var i = 0u; i < terms.assets; i++) {
    touch_set(i, account_slot_touch, part * move_of(i, account_slot_touch, after, who), who);
  }
}
