// Correlated moves of all assets of a path, on top of any model of model/.
// Provides: MarketState and its life cycle, market_shocks. Expects: market, slice, assets, draw_normals, model_*.

struct MarketState {
  model: ModelState,
}

fn market_begin() -> MarketState {
  return MarketState(model_begin());
}

// Words of a path's state when it is put down between two time slices.
fn market_state_words() -> u32 {
  return model_state_words();
}

fn market_state_word(state: ptr<function, MarketState>, word: u32) -> f32 {
  return model_state_word(&(*state).model, word);
}

fn market_set_state_word(state: ptr<function, MarketState>, word: u32, value: f32) {
  model_set_state_word(&(*state).model, word, value);
}

// Correlated shocks of one asset over four steps: row `asset` of the factor times the normals of assets 0..asset.
fn market_shocks(normals: ptr<function, array<vec4<f32>, 32>>, asset: u32) -> vec4<f32> {
  var shocks = vec4(model_shock_origin(asset));
  for (var j = 0u; j <= asset; j++) {
    shocks = fma(vec4(market.factor[8u * asset + (j >> 2u)][j & 3u]), (*normals)[j], shocks);
  }
  return shocks;
}
