// The draws of one path: normals by path, step group and asset (docs/decisions/random-numbers.md).
// Provides: draw_normals, running_sum. Expects: threefry_4x32_12, normal_from_words.
// Twin: src/random/normal-stream.ts.

// The normals of steps `step` .. `step + 3` of one asset; `step` is a multiple of four.
fn draw_normals(seed: u32, path: u32, step: u32, asset: u32) -> vec4<f32> {
  return normal_from_words(threefry_4x32_12(vec4(path, step >> 2u, asset, 0u), seed));
}

// Sums of the first, first two, first three and all four components.
fn running_sum(x: vec4<f32>) -> vec4<f32> {
  let two = x.x + x.y;
  let three = two + x.z;
  return vec4(x.x, two, three, three + x.w);
}
