// Random words beside those of the normals, for models that draw once a day or once a row.
// Inputs: seed, path, index of a word or of a group of four words.
// Outputs: words, uniform in 0 .. 2^32 - 1.
// Provides: extra_words, extra_word.
// Reference: src/core/random/extra-words.ts.
// Expects:
//   lib/threefry.wgsl: threefry_4x32_12

// Second key word of these random words; those of the normals have 0.
const EXTRA_KEY = 0x65787472u;

// Words 4 `group` .. 4 `group` + 3 of a path.
fn extra_words(path: u32, group: u32, seed: u32) -> vec4<u32> {
  return threefry_4x32_12(vec4(path, group, 0u, 0u), vec2(seed, EXTRA_KEY));
}

// Word `index` of a path.
fn extra_word(path: u32, index: u32, seed: u32) -> u32 {
  let group = index >> 2u;
  let words = extra_words(path, group, seed);
  return words[index & 3u];
}
