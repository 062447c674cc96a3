// Parameters of the log ratio of a pair under GBM, and its drift, the same on every path.
// Units: log2 of the ratio, by the hour.
// Provides: MarketParameters, pair_drifts.
// Expects:
//   kernel/bindings.wgsl: market

struct MarketParameters {
  // The direction on which the pair is projected: -2 ln 2 times the variance of log2(C/L) in a step, and its phase.
  variance: f32,
  phase: u32,
  // The drift of a step, and the start.
  drift: f32,
  start: f32,
}

// Drifts of a step: x of the log ratio; y and z, of prices, are not used.
fn pair_drifts(path: u32) -> vec3<f32> {
  return vec3(market.drift, 0.0, 0.0);
}
