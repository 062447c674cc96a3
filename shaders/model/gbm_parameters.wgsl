// Parameters of geometric Brownian motion of every asset.
// Units: log2 of prices.
// Provides: MarketParameters.
// Expects: nothing.

struct MarketParameters {
  // Row i, columns 4q..4q+3 at factor[8 i + q]: sigma_i sqrt(dt) log2(e) times a factor of the correlation matrix,
  // with dt an hour, or a year where steps have lengths of their own.
  factor: array<vec4<f32>, 256>,
  // Per asset, -sigma^2 dt / 2 log2(e): the drift of a step.
  drift: array<vec4<f32>, 8>,
  // Weights of the collateral and of the loan by asset.
  collateral_weight: array<vec4<f32>, 8>,
  loan_weight: array<vec4<f32>, 8>,
  // Sums of the weights of each side.
  collateral_sum: f32,
  loan_sum: f32,
}
