// Integers for real numbers: keys with the same order, and fixed point. Their maxima and sums do not depend on the order of the
// invocations.
// Inputs: a finite number.
// Outputs: an unsigned key, or a count of 2^-23.
// Provides: order_key, fixed_point, order_value.
// Reference: src/core/gpu/results.ts.
// Expects: nothing.

// A key whose unsigned order is the order of finite numbers (-0 before 0).
fn order_key(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u);
}

// A number in 0..1 as a count of 2^-23, rounded to the nearest.
fn fixed_point(x: f32) -> u32 {
  return u32(fma(x, 8388608.0, 0.5));
}

// Inverse of order_key.
fn order_value(key: u32) -> f32 {
  return bitcast<f32>(key ^ select(0xffffffffu, 0x80000000u, key >= 0x80000000u));
}
