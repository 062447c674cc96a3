// Correlated shocks that start at 0: the model scales them and adds its drift itself.
// Provides: model_shock_origin.
// Expects: nothing.

fn model_shock_origin(path: u32, quad: u32) -> vec4<f32> {
  return vec4(0.0);
}
