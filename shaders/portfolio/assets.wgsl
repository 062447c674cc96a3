// Correlated moves of all assets of a path, a quad (four assets) at a time, for any model of model/. A matrix holds a quad: columns are
// assets, rows are the four steps of a group. With a constant quad number every index is a constant, so that all values stay in registers.
// Inputs: the factor of the correlation matrix; random words; a model.
// Outputs: shocks of a quad, and its log prices after each step.
// Units: log2 of prices relative to the start.
// Provides: MarketState, market_*, asset_exists.
// Expects:
//   kernel/bindings.wgsl: asset_pairs, asset_quads, assets, market, slice, state_restore, state_save
//   lib/draw.wgsl: STREAM_WORDS, draw_pair, draw_words
//   one model: ModelState, model_*

struct MarketState {
  model: ModelState,
  // Normals of the quads before the last, of a group of steps. A member of the state, because a local variable would be set to zero for
  // every group.
  normals: array<mat4x4<f32>, 7>,
  // Random numbers of assets 2k and 2k + 1.
  streams: array<vec4<u32>, 16>,
}

fn market_begin() -> MarketState {
  var state = MarketState();
  state.model = model_begin();
  return state;
}

// Words of the saved state of a path.
fn market_state_words() -> u32 {
  return model_state_words() + STREAM_WORDS * asset_pairs;
}

fn market_save(state: ptr<function, MarketState>, local: u32) {
  model_save(&(*state).model, local);
  for (var k = 0u; k < asset_pairs; k++) {
    state_save(model_state_words() + STREAM_WORDS * k, local, (*state).streams[k]);
  }
}

fn market_restore(state: ptr<function, MarketState>, local: u32) {
  model_restore(&(*state).model, local);
  for (var k = 0u; k < asset_pairs; k++) {
    (*state).streams[k] = state_restore(model_state_words() + STREAM_WORDS * k, local);
  }
}

// Whether asset number 4 `quad` + `column` exists.
fn asset_exists(quad: u32, column: u32) -> bool {
  return 4u * quad + column < assets;
}

// Adds a row of the factor times four normals to a sum.
fn market_combine(row: vec4<f32>, normals: mat4x4<f32>, sum: vec4<f32>) -> vec4<f32> {
  let two = fma(vec4(row.y), normals[1], fma(vec4(row.x), normals[0], sum));
  return fma(vec4(row.w), normals[3], fma(vec4(row.z), normals[2], two));
}

// Draws normals for a quad and correlates them with those of the quads before it: its shocks in steps `step` + 1 .. `step` + 4, 0 for
// a model without normals. The caller goes through the quads in order; columns of assets that do not exist are undefined.
fn market_shocks(
  state: ptr<function, MarketState>,
  path: u32,
  step: u32,
  quad: u32,
) -> mat4x4<f32> {
  if (quad == 0u) {
    model_group(&(*state).model, path, step);
  }
  if (!model_uses_normals()) {
    return mat4x4<f32>();
  }
  let first = 4u * quad;
  let origin = model_shock_origin(path, quad);
  var shocks = mat4x4(vec4(origin.x), vec4(origin.y), vec4(origin.z), vec4(origin.w));
  for (var before = 0u; before < quad; before++) {
    let drawn = (*state).normals[before];
    shocks[0] = market_combine(market.factor[8u * first + before], drawn, shocks[0]);
    shocks[1] = market_combine(market.factor[8u * (first + 1u) + before], drawn, shocks[1]);
    shocks[2] = market_combine(market.factor[8u * (first + 2u) + before], drawn, shocks[2]);
    shocks[3] = market_combine(market.factor[8u * (first + 3u) + before], drawn, shocks[3]);
  }
  // The factor is lower triangular.
  var drawn = mat4x4<f32>();
  let pair = draw_pair(draw_words(&(*state).streams[2u * quad], slice.seed, path, step, 2u * quad));
  drawn[0] = pair.first;
  shocks[0] = fma(vec4(market.factor[8u * first + quad].x), drawn[0], shocks[0]);
  if (asset_exists(quad, 1u)) {
    let row = market.factor[8u * (first + 1u) + quad];
    drawn[1] = pair.second;
    shocks[1] = fma(vec4(row.y), drawn[1], fma(vec4(row.x), drawn[0], shocks[1]));
  }
  if (asset_exists(quad, 2u)) {
    let next = 2u * quad + 1u;
    let next_pair = draw_pair(draw_words(&(*state).streams[next], slice.seed, path, step, next));
    let row = market.factor[8u * (first + 2u) + quad];
    drawn[2] = next_pair.first;
    let two = fma(vec4(row.y), drawn[1], fma(vec4(row.x), drawn[0], shocks[2]));
    shocks[2] = fma(vec4(row.z), drawn[2], two);
    if (asset_exists(quad, 3u)) {
      drawn[3] = next_pair.second;
      shocks[3] = market_combine(market.factor[8u * (first + 3u) + quad], drawn, shocks[3]);
    }
  }
  if (quad + 1u < asset_quads) {
    (*state).normals[quad] = drawn;
  }
  return shocks;
}

// Advances the assets of a quad by its shocks: log2 of their prices after steps `step` + 1 .. `step` + 4.
fn market_quad(
  state: ptr<function, MarketState>,
  path: u32,
  step: u32,
  quad: u32,
) -> mat4x4<f32> {
  return model_advance(&(*state).model, quad, market_shocks(state, path, step, quad), step);
}
