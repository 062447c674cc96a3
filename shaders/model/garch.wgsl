// GARCH(1,1) per asset with constant correlation, a day's variance spread over its 24 hours (methodology part 3.3).
// Log prices are in base 2. A time slice begins with a day, so the running sum of a day is never put down.
// Provides: MarketParameters, ModelState and the functions model_*. Expects: market, assets, running_sum.
// Twin: src/engine/cpu/garch.ts. Source: Bollerslev (1986, 1990).

// Steps of a day.
const GARCH_DAY = 24u;
const GARCH_LOG2_E = 1.4426950408889634;

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: a factor of the correlation matrix of the standardised residuals.
  factor: array<vec4<f32>, 256>,
  // Per asset: intercept, reaction and persistence of the daily variance, and its value on the first day.
  omega: array<vec4<f32>, 8>,
  alpha: array<vec4<f32>, 8>,
  beta: array<vec4<f32>, 8>,
  first_variance: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
  // 1 + volatility shock.
  volatility_scale: f32,
}

struct ModelState {
  // Per asset: log2 of the price relative to the start, variance of the day, sum of the day's standardised shocks.
  log_price: array<f32, 32>,
  variance: array<f32, 32>,
  day_sum: array<f32, 32>,
}

// Words of a path's state when it is put down between two time slices: log prices, then variances.
fn model_state_words() -> u32 {
  return 2u * assets;
}

fn model_begin() -> ModelState {
  var state = ModelState();
  for (var asset = 0u; asset < assets; asset++) {
    state.variance[asset] = market.first_variance[asset >> 2u][asset & 3u];
  }
  return state;
}

fn model_state_word(state: ptr<function, ModelState>, word: u32) -> f32 {
  if (word < assets) {
    return (*state).log_price[word];
  }
  return (*state).variance[word - assets];
}

fn model_set_state_word(state: ptr<function, ModelState>, word: u32, value: f32) {
  if (word < assets) {
    (*state).log_price[word] = value;
  } else {
    (*state).variance[word - assets] = value;
  }
}

// What the correlated shocks of an asset are added to: they stay standardised here.
fn model_shock_origin(asset: u32) -> f32 {
  return 0.0;
}

// Moves one asset by four steps; returns log2 of its price after each.
fn model_advance(state: ptr<function, ModelState>, asset: u32, shocks: vec4<f32>, step: u32) -> vec4<f32> {
  let row = asset >> 2u;
  let column = asset & 3u;
  let hourly_variance = (*state).variance[asset] * (1.0 / 24.0);
  let scale = market.volatility_scale;
  let deviation = scale * sqrt(hourly_variance) * GARCH_LOG2_E;
  let drift = scale * scale * hourly_variance * (-0.5 * GARCH_LOG2_E);
  let moves = running_sum(fma(vec4(deviation), shocks, vec4(drift)));
  let log_price = (*state).log_price[asset] + moves;
  (*state).log_price[asset] = log_price.w;
  let day_sum = (*state).day_sum[asset] + ((shocks.x + shocks.y) + (shocks.z + shocks.w));
  (*state).day_sum[asset] = day_sum;
  if (step % GARCH_DAY == GARCH_DAY - 4u) {
    let day_square = hourly_variance * (day_sum * day_sum);
    let reaction = fma(market.alpha[row][column], day_square, market.omega[row][column]);
    (*state).variance[asset] = fma(market.beta[row][column], (*state).variance[asset], reaction);
    (*state).day_sum[asset] = 0.0;
  }
  return log_price;
}
