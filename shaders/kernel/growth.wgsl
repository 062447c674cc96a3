// Growth of a debt along a path: factor 2^(growth t) at step t.
// Inputs: values of a path, log2 of the growth factor of a step.
// Outputs: values of C/L with the debt grown.
// Units: values: log2(C/L), C/L or C/L - 1.
// Provides: growth_exponent, grown_values.
// Reference: src/core/product/accrued-paths.ts.
// Expects:
//   one file of values: path_scaled

// log2 of the growth of the debt up to steps `step` + 1 .. `step` + 4. @param growth log2 of the growth factor of one step
fn growth_exponent(growth: f32, step: u32) -> vec4<f32> {
  return growth * (f32(step) + vec4(1.0, 2.0, 3.0, 4.0));
}

// Values of C/L at these steps, C/L divided by the growth of the debt; unchanged where it does not grow.
fn grown_values(values: vec4<f32>, growth: f32, step: u32) -> vec4<f32> {
  if (growth == 0.0) {
    return values;
  }
  return path_scaled(values, -growth_exponent(growth, step));
}
