// Runs one account per invocation over the hours of a slice, while a position is open and its median leverage is not known.
// Inputs: the slice, market parameters, terms, account_data; path_state and stores after the first slice.
// Outputs: sums, figures; path_state and stores before the last slice.
// Provides: the entry point `simulate`, terms.
// Expects:
//   kernel/bindings.wgsl: DAY_STEPS, asset_quads, assets, slice, workgroup_size
//   kernel/sums.wgsl: sums_flush
//   lib/exponential.wgsl: exponential
//   lib/four_steps.wgsl: groups_of
//   model/hour_constant.wgsl or model/hour_multiplier.wgsl or model/hour_variance.wgsl: hour_root
//   portfolio/assets.wgsl: asset_exists, market_shocks
//   product/account.wgsl: account_begin, account_ended, account_hour, account_settle_block
//   product/account_funding.wgsl: account_draw_funding, account_returns_set
//   product/account_memory.wgsl: AccountPath, account_deviations_at, account_gain, account_gain_set, account_hold, account_number,
//     account_prices, account_processes, account_resume, account_slot_*, account_slots, account_suspend, account_word, fan_set, fan_step, fan_time
//   product/leverage_median.wgsl: leverage_pending
//   one market: MarketState, market_*
//   one model: model_*
//   one product: Terms, ProductState, product_*

@group(1) @binding(0) var<uniform> terms: Terms;

// Hours after which what is settled joins the balances: a multiple of DAY_STEPS.
const ACCOUNT_BLOCK_STEPS = 240u;

fn gains_set(asset: u32, log_prices: vec4<f32>, who: AccountPath) {
  for (var slot = 0u; slot <= account_slot_before; slot++) {
    account_gain_set(asset, slot, who, account_gain(asset, slot + 4u, who));
  }
  let gains = exponential(log_prices).minus_one;
  account_gain_set(asset, account_slot_before + 1u, who, gains.x);
  account_gain_set(asset, account_slot_before + 2u, who, gains.y);
  account_gain_set(asset, account_slot_before + 3u, who, gains.z);
  account_gain_set(asset, account_slot_last, who, gains.w);
}

fn deviation_set(asset: u32, root: f32, who: AccountPath) -> f32 {
  let deviation = root * account_number(terms.scale_at + asset);
  account_hold(account_deviations_at + asset, who, deviation);
  return deviation;
}

// Advances a quad by four hours; returns the largest deviation of its assets so far.
fn account_quad(
  market_state: ptr<function, MarketState>,
  step: u32,
  quad: u32,
  largest: f32,
  who: AccountPath,
) -> f32 {
  let first = 4u * quad;
  let shocks = market_shocks(market_state, who.drawn, step, quad);
  let before = (*market_state).model.log_price[quad];
  let log_prices = model_advance(&(*market_state).model, quad, shocks, step);
  if (account_processes > 0u) {
    let origin = model_shock_origin(who.drawn, quad);
    account_returns_set(first, shocks[0], origin.x, before.x, log_prices[0], who);
    if (asset_exists(quad, 1u)) {
      account_returns_set(first + 1u, shocks[1], origin.y, before.y, log_prices[1], who);
    }
    if (asset_exists(quad, 2u)) {
      account_returns_set(first + 2u, shocks[2], origin.z, before.z, log_prices[2], who);
    }
    if (asset_exists(quad, 3u)) {
      account_returns_set(first + 3u, shocks[3], origin.w, before.w, log_prices[3], who);
    }
  }
  gains_set(first, log_prices[0], who);
  if (asset_exists(quad, 1u)) {
    gains_set(first + 1u, log_prices[1], who);
  }
  if (asset_exists(quad, 2u)) {
    gains_set(first + 2u, log_prices[2], who);
  }
  if (asset_exists(quad, 3u)) {
    gains_set(first + 3u, log_prices[3], who);
  }
  if (step % DAY_STEPS != 0u) {
    return largest;
  }
  let root = hour_root(&(*market_state).model, quad);
  var most = max(largest, deviation_set(first, root.x, who));
  if (asset_exists(quad, 1u)) {
    most = max(most, deviation_set(first + 1u, root.y, who));
  }
  if (asset_exists(quad, 2u)) {
    most = max(most, deviation_set(first + 2u, root.z, who));
  }
  if (asset_exists(quad, 3u)) {
    most = max(most, deviation_set(first + 3u, root.w, who));
  }
  return most;
}

// Advances all assets by four hours.
fn account_prices_advance(
  market_state: ptr<function, MarketState>,
  state: ptr<function, ProductState>,
  step: u32,
  who: AccountPath,
) {
  var largest = select((*state).largest, 0.0, step % DAY_STEPS == 0u);
  if (asset_quads > 4u) {
    for (var quad = 0u; quad < asset_quads; quad++) {
      largest = account_quad(market_state, step, quad, largest, who);
    }
  } else {
    // Without a loop: see portfolio/sides.wgsl.
    largest = account_quad(market_state, step, 0u, largest, who);
    if (asset_quads > 1u) {
      largest = account_quad(market_state, step, 1u, largest, who);
    }
    if (asset_quads > 2u) {
      largest = account_quad(market_state, step, 2u, largest, who);
    }
    if (asset_quads > 3u) {
      largest = account_quad(market_state, step, 3u, largest, who);
    }
  }
  (*state).largest = largest;
  if (account_processes > 0u) {
    account_draw_funding(step, who);
  }
}

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>, @builtin(local_invocation_index) invocation: u32) {
  let local = id.x;
  if (local < slice.path_count && leverage_pending(slice.first_path + local)) {
    var who = AccountPath(invocation, slice.first_path + local, slice.first_path + local);
    if (terms.listed != 0u) {
      who.drawn = account_word(terms.paths_at + who.path - slice.run_path);
    }
    var market_state = market_begin();
    var state = product_begin(who);
    for (var slot = 0u; slot < account_slots; slot++) {
      account_gain_set(account_prices - 1u, slot, who, 0.0);
    }
    if (slice.first_step == 0u) {
      for (var slot = 4u; slot <= account_slot_last; slot++) {
        for (var i = 0u; i < assets; i++) {
          account_gain_set(i, slot, who, 0.0);
        }
      }
      account_begin(&state, who);
    } else {
      market_restore(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_restore(&state, invocation, &at);
      account_resume(who);
    }
    var time = fan_time(slice.first_step);
    var next = fan_step(time);
    var step = slice.first_step;
    var slot = account_slot_last;
    for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
      if (account_ended(&state)) {
        break;
      }
      if (step % ACCOUNT_BLOCK_STEPS == 0u) {
        account_settle_block(who);
      }
      account_prices_advance(&market_state, &state, step, who);
      let live = min(4u, slice.end_step - step);
      for (var i = 0u; i < live; i++) {
        if (!account_ended(&state)) {
          slot = account_slot_before + i + 1u;
          account_hour(&state, step + i + 1u, slot, who);
        }
        if (step + i + 1u == next) {
          fan_set(time, who.path, max(state.equity, 0.0));
          time += 1u;
          next = fan_step(time);
        }
      }
      step += 4u;
    }
    // An account that has ended keeps its equity.
    while (next <= slice.end_step) {
      fan_set(time, who.path, max(state.equity, 0.0));
      time += 1u;
      next = fan_step(time);
    }
    if (slice.end_step == slice.steps) {
      product_finish(&state, slot, who);
    } else {
      if (account_ended(&state)) {
        // Its last prices.
        for (var i = 0u; i < account_prices; i++) {
          account_gain_set(i, account_slot_last, who, account_gain(i, slot, who));
        }
      }
      market_save(&market_state, local);
      var at = market_state_words() * slice.path_count + local;
      product_save(&state, invocation, &at);
      account_suspend(who);
    }
  }
  sums_flush(invocation);
}
