// Baskets of any weights: the path's values are what C and L have gained since the start, C - C_0 and L - L_0.
// Small gains keep their relative accuracy, so that a basket which hardly moves is not rounded to a few values.
// Provides: MarketChanges, market_changes. Expects: portfolio/assets.wgsl, market, asset_quads, exponential.

struct MarketChanges {
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// The changes with one asset more.
fn changes_add(changes: MarketChanges, log_price: vec4<f32>, collateral: f32, loan: f32) -> MarketChanges {
  let gain = exponential(log_price).minus_one;
  return MarketChanges(
    fma(vec4(collateral), gain, changes.collateral),
    fma(vec4(loan), gain, changes.loan),
  );
}

// The changes with one quad more.
fn changes_quad(
  changes: MarketChanges,
  state: ptr<function, MarketState>,
  path: u32,
  step: u32,
  quad: u32,
) -> MarketChanges {
  let log_prices = market_quad(state, path, step, quad);
  let collateral = market.collateral_weight[quad];
  let loan = market.loan_weight[quad];
  var result = changes_add(changes, log_prices[0], collateral.x, loan.x);
  if (market_has(quad, 1u)) {
    result = changes_add(result, log_prices[1], collateral.y, loan.y);
  }
  if (market_has(quad, 2u)) {
    result = changes_add(result, log_prices[2], collateral.z, loan.z);
  }
  if (market_has(quad, 3u)) {
    result = changes_add(result, log_prices[3], collateral.w, loan.w);
  }
  return result;
}

// C - C_0 and L - L_0 after steps `step` + 1 .. `step` + 4.
fn market_changes(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketChanges {
  if (asset_quads > 2u) {
    var changes = MarketChanges();
    for (var i = 0u; i < asset_quads; i++) {
      changes = changes_quad(changes, state, path, step, i);
    }
    return changes;
  }
  // Spelt out, so that every index is a constant.
  let changes = changes_quad(MarketChanges(), state, path, step, 0u);
  if (asset_quads > 1u) {
    return changes_quad(changes, state, path, step, 1u);
  }
  return changes;
}
