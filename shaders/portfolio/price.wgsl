// What an asset adds to the sides: its price, so that they are C and L relative to the start of the path.
// Provides: side_amount. Expects: nothing.

fn side_amount(log_price: vec4<f32>) -> vec4<f32> {
  return exp2(log_price);
}
