// Amount of an asset in the sums of portfolio/sides.wgsl: its gain. The sums are then C - C_0 and L - L_0, with small relative error: a
// basket that hardly moves is not rounded to a few values.
// Inputs: log prices of an asset.
// Outputs: gains S - 1.
// Units: relative to the start of the path.
// Provides: side_amount.
// Expects:
//   lib/exponential.wgsl: exponential

fn side_amount(log_price: vec4<f32>) -> vec4<f32> {
  return exponential(log_price).minus_one;
}
