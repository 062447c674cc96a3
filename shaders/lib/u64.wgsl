// Unsigned integers of 64 bits as two words (low, high), which WGSL does not have.
// Provides: U64_WORD, u64_carry, u64_of, u64_product, u64_sum, u64_difference, u64_below.
// Expects: nothing.

// Largest result of u64_of: 2^60.
const U64_LARGEST = 1152921504606846976.0;
// 2^32.
const U64_WORD = 4294967296.0;

// The carry of `before` + `added`: 1 if the sum exceeds one word, which wraps to less than what was added.
fn u64_carry(before: u32, added: u32) -> u32 {
  return u32(before + added < added);
}

// A number rounded to the nearest integer, limited to 0..U64_LARGEST.
fn u64_of(x: f32) -> vec2<u32> {
  let limited = clamp(x, 0.0, U64_LARGEST);
  // A single-precision number of 2^23 or more is an integer.
  let integer = select(limited, floor(limited + 0.5), limited < 8388608.0);
  let high = floor(integer * (1.0 / U64_WORD));
  return vec2(u32(fma(high, -U64_WORD, integer)), u32(high));
}

// a b for a and b below 2^20.
fn u64_product(a: u32, b: u32) -> vec2<u32> {
  let lower = a * (b & 0xffu);
  let upper = a * (b >> 8u);
  return u64_sum(vec2(lower, 0u), vec2(upper << 8u, upper >> 24u));
}

fn u64_sum(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2(a.x + b.x, a.y + b.y + u64_carry(a.x, b.x));
}

// a - b for a >= b.
fn u64_difference(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2(a.x - b.x, a.y - b.y - u32(a.x < b.x));
}

// Whether a < b.
fn u64_below(a: vec2<u32>, b: vec2<u32>) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}
