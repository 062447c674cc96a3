// Amount of an asset in the sums of portfolio/sides.wgsl: its price. The sums are then C and L.
// Inputs: log prices of an asset.
// Outputs: prices S.
// Units: relative to the start of the path.
// Provides: side_amount.
// Expects: nothing.

fn side_amount(log_price: vec4<f32>) -> vec4<f32> {
  return exp2(log_price);
}
