// The words that decide which margin calls a borrower answers.
// Provides: ANSWER_KEY, answer_word. Expects: threefry_4x32_12. Twin: src/core/random/answers.ts.

// Second key word of this stream; the normals have 0.
const ANSWER_KEY = 0x616e7377u;

// The word of call `call` of a path.
fn answer_word(seed: u32, path: u32, name: vec2<u32>, call: u32) -> u32 {
  return threefry_4x32_12(vec4(path, call, name), vec2(seed, ANSWER_KEY)).x;
}
