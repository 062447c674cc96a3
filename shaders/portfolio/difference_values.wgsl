// Operations on values that are C/L - 1. Factors are applied through their differences from one.
// Inputs: values.
// Outputs: values.
// Units: C/L - 1.
// Provides: market_ratio, path_value_of, path_scaled, PATH_UNRAISED, path_raised, path_raise_to, path_shortfall.
// Expects:
//   lib/exponential.wgsl: exponential

// C/L of a value.
fn market_ratio(value: f32) -> f32 {
  return 1.0 + value;
}

// The value of a C/L.
fn path_value_of(ratio: f32) -> f32 {
  return ratio - 1.0;
}

// The values of C/L times 2^exponent.
fn path_scaled(values: vec4<f32>, exponent: vec4<f32>) -> vec4<f32> {
  let power = exponential(exponent);
  return fma(values, power.value, power.minus_one);
}

// The raise of a value without added collateral. A raise is the factor of the collateral less one, so that a small one is accurate.
const PATH_UNRAISED = 0.0;

// A value after collateral was added.
fn path_raised(value: f32, raise: f32) -> f32 {
  return value + fma(value, raise, raise);
}

// The raise from one value to another.
fn path_raise_to(value: f32, wanted: f32) -> f32 {
  return (wanted - value) / (1.0 + value);
}

// C/L of `wanted` less C/L of `value`.
fn path_shortfall(value: f32, wanted: f32) -> f32 {
  return wanted - value;
}
