// Deviations of the hours of a day, for accounts: those of models whose hours are all alike.
// Provides: hour_root.
// Reference: src/core/reference/hour-law.ts.
// Expects:
//   one model: ModelState

// What the deviations of an hour of a quad are multiplied by.
fn hour_root(state: ptr<function, ModelState>, quad: u32) -> vec4<f32> {
  return vec4(1.0);
}
