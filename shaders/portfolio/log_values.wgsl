// Operations on values that are log2(C/L).
// Inputs: values.
// Outputs: values.
// Units: log2(C/L).
// Provides: market_ratio, path_value_of, path_scaled, PATH_UNRAISED, path_raised, path_raise_to, path_shortfall.
// Expects: nothing.

// C/L of a value.
fn market_ratio(value: f32) -> f32 {
  return exp2(value);
}

// The value of a C/L.
fn path_value_of(ratio: f32) -> f32 {
  return log2(ratio);
}

// The values of C/L times 2^exponent.
fn path_scaled(values: vec4<f32>, exponent: vec4<f32>) -> vec4<f32> {
  return values + exponent;
}

// The raise of a value without added collateral.
const PATH_UNRAISED = 0.0;

// A value after collateral was added.
fn path_raised(value: f32, raise: f32) -> f32 {
  return value + raise;
}

// The raise from one value to another.
fn path_raise_to(value: f32, wanted: f32) -> f32 {
  return wanted - value;
}

// C/L of `wanted` less C/L of `value`.
fn path_shortfall(value: f32, wanted: f32) -> f32 {
  return exp2(wanted) - exp2(value);
}
