// The growth of a debt along a path: g_t = 2^(growth t).
// Provides: growth_exponent, grown_values. Expects: path_scaled. Twin: src/core/product/accrued-paths.ts.

// log2 of the growth at steps `step` + 1 .. `step` + 4. @param growth log2 of what the debt grows by in a step
fn growth_exponent(growth: f32, step: u32) -> vec4<f32> {
  return growth * (f32(step) + vec4(1.0, 2.0, 3.0, 4.0));
}

// Values of C/L at these steps over the growth of the debt: the same ones where it does not grow.
fn grown_values(values: vec4<f32>, growth: f32, step: u32) -> vec4<f32> {
  if (growth == 0.0) {
    return values;
  }
  return path_scaled(values, -growth_exponent(growth, step));
}
