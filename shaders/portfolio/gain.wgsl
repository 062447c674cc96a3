// What an asset adds to the sides: its gain, so that they are what C and L have gained since the start, C - C_0 and L - L_0.
// Small gains keep their relative accuracy, so that a basket which hardly moves is not rounded to a few values.
// Provides: side_amount. Expects: exponential.

fn side_amount(log_price: vec4<f32>) -> vec4<f32> {
  return exponential(log_price).minus_one;
}
