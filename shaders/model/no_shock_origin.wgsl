// Correlated shocks without a drift: the model scales them and adds its own.
// Provides: model_shock_origin. Expects: nothing.

fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return vec4(0.0);
}
