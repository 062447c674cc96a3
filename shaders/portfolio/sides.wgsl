// The sides of a loan as weighted sums of the amounts of portfolio/price.wgsl or portfolio/gain.wgsl.
// Inputs: the path; the weights.
// Outputs: sums of the sides after each step.
// Units: relative to the start of the path.
// Provides: market_sides.
// Expects:
//   kernel/bindings.wgsl: asset_quads
//   portfolio/assets.wgsl: asset_exists, market_quad
//   portfolio/gain.wgsl or portfolio/price.wgsl: side_amount
//   portfolio/two_sides.wgsl or portfolio/secured_sides.wgsl: MarketSides, side_weights, sides_add
//   one market: MarketState

// The sides with one quad more.
fn sides_quad(
  sides: MarketSides,
  state: ptr<function, MarketState>,
  path: u32,
  step: u32,
  quad: u32,
) -> MarketSides {
  let log_prices = market_quad(state, path, step, quad);
  let weights = side_weights(quad);
  var result = sides_add(sides, side_amount(log_prices[0]), weights[0]);
  if (asset_exists(quad, 1u)) {
    result = sides_add(result, side_amount(log_prices[1]), weights[1]);
  }
  if (asset_exists(quad, 2u)) {
    result = sides_add(result, side_amount(log_prices[2]), weights[2]);
  }
  if (asset_exists(quad, 3u)) {
    result = sides_add(result, side_amount(log_prices[3]), weights[3]);
  }
  return result;
}

// The sides after steps `step` + 1 .. `step` + 4.
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
