// Threefry 4x32 with 12 rounds, for keys whose words 2 and 3 are 0 (Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2,
// 3", SC11). Integer operations only: every device and the CPU compute the same words.
// Inputs: a counter of four words, a key of two.
// Outputs: four words, uniform in 0 .. 2^32 - 1.
// Provides: threefry_4x32_12.
// Reference: src/core/random/threefry.ts.
// Expects: nothing.

// Parity constant of the key schedule: key word 4 is the exclusive-or of this and the other key words.
const THREEFRY_PARITY = 0x1bd11bdau;

fn threefry_rotate(x: u32, bits: u32) -> u32 {
  return (x << bits) | (x >> (32u - bits));
}

// One round: words 1 and 3 are added to words 0 and 2, then rotated and combined with the sums by exclusive-or.
fn threefry_round(x: vec4<u32>, left: u32, right: u32) -> vec4<u32> {
  let x0 = x.x + x.y;
  let x2 = x.z + x.w;
  return vec4(x0, threefry_rotate(x.y, left) ^ x0, x2, threefry_rotate(x.w, right) ^ x2);
}

// Four rounds with their rotations; words 1 and 3 are swapped after each.
fn threefry_four_rounds(x: vec4<u32>, left: vec4<u32>, right: vec4<u32>) -> vec4<u32> {
  var y = threefry_round(x, left.x, right.x).xwzy;
  y = threefry_round(y, left.y, right.y).xwzy;
  y = threefry_round(y, left.z, right.z).xwzy;
  return threefry_round(y, left.w, right.w).xwzy;
}

// The four words of one block: counter of four words, key (key.x, key.y, 0, 0).
fn threefry_4x32_12(counter: vec4<u32>, key: vec2<u32>) -> vec4<u32> {
  let key4 = THREEFRY_PARITY ^ key.x ^ key.y;
  var x = counter + vec4(key.x, key.y, 0u, 0u);
  x = threefry_four_rounds(x, vec4(10u, 11u, 13u, 23u), vec4(26u, 21u, 27u, 5u));
  x += vec4(key.y, 0u, 0u, key4 + 1u);
  x = threefry_four_rounds(x, vec4(6u, 17u, 25u, 18u), vec4(20u, 11u, 10u, 20u));
  x += vec4(0u, 0u, key4, key.x + 2u);
  x = threefry_four_rounds(x, vec4(10u, 11u, 13u, 23u), vec4(26u, 21u, 27u, 5u));
  return x + vec4(0u, key4, key.x, key.y + 3u);
}
