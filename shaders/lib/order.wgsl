// Order and sums of real numbers in integers, whose result does not depend on the order of the threads.
// Provides: order_key, order_value, fixed_point. Expects: nothing. Twin: src/core/gpu/results.ts.

// A key whose unsigned order is the order of finite numbers (-0 before 0).
fn order_key(x: f32) -> u32 {
  let bits = bitcast<u32>(x);
  return bits ^ select(0x80000000u, 0xffffffffu, bits >= 0x80000000u);
}

// A number in 0..1 as a count of 2^-23, rounded to the nearest.
fn fixed_point(x: f32) -> u32 {
  return u32(fma(x, 8388608.0, 0.5));
}

// The number whose key this is.
fn order_value(key: u32) -> f32 {
  return bitcast<f32>(key ^ select(0xffffffffu, 0x80000000u, key >= 0x80000000u));
}
