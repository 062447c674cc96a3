// Deviations of the hours of a day, for accounts: those of models with a multiplier of the variance of a day.
// Provides: hour_root.
// Reference: src/core/reference/hour-law.ts.
// Expects:
//   one model: ModelState

// What the deviations of an hour of a quad are multiplied by, on the first hours of a day.
fn hour_root(state: ptr<function, ModelState>, quad: u32) -> vec4<f32> {
  return vec4(sqrt((*state).multiplier));
}
