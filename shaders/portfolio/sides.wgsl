// Both sides of a loan, collateral and debt, as weighted sums of the amounts of portfolio/price.wgsl or portfolio/gain.wgsl.
// Inputs: the path; the weights.
// Outputs: sums of both sides after each step.
// Units: relative to the start of the path.
// Provides: market_sides.
// Expects:
//   kernel/bindings.wgsl: asset_quads, market
//   portfolio/assets.wgsl: asset_exists, market_quad
//   portfolio/gain.wgsl or portfolio/price.wgsl: side_amount
//   one market: MarketState

struct MarketSides {
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// The sides with one asset more.
fn sides_add(sides: MarketSides, log_price: vec4<f32>, collateral: f32, loan: f32) -> MarketSides {
  let amount = side_amount(log_price);
  return MarketSides(
    fma(vec4(collateral), amount, sides.collateral),
    fma(vec4(loan), amount, sides.loan),
  );
}

// The sides with one quad more.
fn sides_quad(
  sides: MarketSides,
  state: ptr<function, MarketState>,
  path: u32,
  step: u32,
  quad: u32,
) -> MarketSides {
  let log_prices = market_quad(state, path, step, quad);
  let collateral = market.collateral_weight[quad];
  let loan = market.loan_weight[quad];
  var result = sides_add(sides, log_prices[0], collateral.x, loan.x);
  if (asset_exists(quad, 1u)) {
    result = sides_add(result, log_prices[1], collateral.y, loan.y);
  }
  if (asset_exists(quad, 2u)) {
    result = sides_add(result, log_prices[2], collateral.z, loan.z);
  }
  if (asset_exists(quad, 3u)) {
    result = sides_add(result, log_prices[3], collateral.w, loan.w);
  }
  return result;
}

// Both sides after steps `step` + 1 .. `step` + 4.
fn market_sides(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketSides {
  if (asset_quads > 6u) {
    var sides = MarketSides();
    for (var i = 0u; i < asset_quads; i++) {
      sides = sides_quad(sides, state, path, step, i);
    }
    return sides;
  }
  // Without a loop, so that every index is a constant. The registers of a thread have room for six quads.
  var sides = sides_quad(MarketSides(), state, path, step, 0u);
  if (asset_quads > 1u) {
    sides = sides_quad(sides, state, path, step, 1u);
  }
  if (asset_quads > 2u) {
    sides = sides_quad(sides, state, path, step, 2u);
  }
  if (asset_quads > 3u) {
    sides = sides_quad(sides, state, path, step, 3u);
  }
  if (asset_quads > 4u) {
    sides = sides_quad(sides, state, path, step, 4u);
  }
  if (asset_quads > 5u) {
    sides = sides_quad(sides, state, path, step, 5u);
  }
  return sides;
}
