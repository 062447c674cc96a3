// Values that are log2(C/L), scaled.
// Provides: market_ratio, path_value_of, path_scaled, path_raised, path_raise_to, path_missing, PATH_UNRAISED. Expects: nothing.

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

// What a value is raised by where nothing was added to the collateral.
const PATH_UNRAISED = 0.0;

// The value of collateral that has been added to.
fn path_raised(value: f32, raise: f32) -> f32 {
  return value + raise;
}

// What raises one value to another.
fn path_raise_to(value: f32, wanted: f32) -> f32 {
  return wanted - value;
}

// By how much C/L of one value is below that of another.
fn path_missing(value: f32, wanted: f32) -> f32 {
  return exp2(wanted) - exp2(value);
}
