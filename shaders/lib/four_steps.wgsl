// Operations on a vector that holds one number for each of four consecutive steps.
// Provides: groups_of, lowest_of, highest_of, live_steps, step_value, running_sum, horner_step.
// Expects: nothing.

// Groups of four that so many steps need. The loop over the groups of a path counts them down to 0: for a loop with a constant bound Tint
// knows that it ends; into any other it puts a counter of 64 bits of its own.
fn groups_of(steps: u32) -> u32 {
  return (steps + 3u) / 4u;
}

fn lowest_of(v: vec4<f32>) -> f32 {
  return min(min(v.x, v.y), min(v.z, v.w));
}

fn highest_of(v: vec4<f32>) -> f32 {
  return max(max(v.x, v.y), max(v.z, v.w));
}

// The first `live` values; `other` in the place of the rest.
fn live_steps(v: vec4<f32>, live: u32, other: f32) -> vec4<f32> {
  return select(v, vec4(other), vec4(0u, 1u, 2u, 3u) >= vec4(live));
}

// Value number i, 0..3. Not v[i]: a variable index would move the vector from registers to memory.
fn step_value(v: vec4<f32>, i: u32) -> f32 {
  return select(select(v.x, v.y, i == 1u), select(v.z, v.w, i == 3u), i > 1u);
}

// Sums of the first, first two, first three and all four values.
fn running_sum(v: vec4<f32>) -> vec4<f32> {
  let two = v.x + v.y;
  let three = two + v.z;
  return vec4(v.x, two, three, three + v.w);
}

// One step of Horner's rule for a polynomial.
fn horner_step(sum: vec4<f32>, x: vec4<f32>, coefficient: f32) -> vec4<f32> {
  return fma(sum, x, vec4(coefficient));
}
