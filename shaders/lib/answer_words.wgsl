// Random words that decide which margin calls a borrower answers.
// Inputs: seed, path, the borrower's name (64 bits), number of the call.
// Outputs: one word, uniform in 0 .. 2^32 - 1.
// Provides: answer_word.
// Reference: src/core/random/answers.ts.
// Expects:
//   lib/threefry.wgsl: threefry_4x32_12

// Second key word of these random words; those of the normals have 0.
const ANSWER_KEY = 0x616e7377u;

// The random word of margin call number `call` of a path.
fn answer_word(seed: u32, path: u32, name: vec2<u32>, call: u32) -> u32 {
  return threefry_4x32_12(vec4(path, call, name), vec2(seed, ANSWER_KEY)).x;
}
