// What the kernels of a book share: the piece of the work that a dispatch does, and whole numbers of two words.
// Provides: BookPiece, the binding `piece`, workgroup_size, wide_of, wide_product, wide_sum, wide_difference, wide_below, PATH_*. Expects: nothing.

override workgroup_size: u32;

// A block of paths of a range, and what does not change over a run.
struct BookPiece {
  // Paths of the block, and its first path among those of the range.
  path_count: u32,
  first_path: u32,
  // Paths of the range.
  range_paths: u32,
  // Steps of a path, and assets.
  steps: u32,
  assets: u32,
  // The first loan of the dispatch, and the loans of the book.
  first_loan: u32,
  loan_count: u32,
  // Steps between the end of a loan and the sale of its collateral, and what is left of a sale after its cost.
  sale_delay: u32,
  after_cost: f32,
  // Steps of the window of the peak day.
  day_steps: u32,
  // 1 where the paths are those of the tails.
  tails: u32,
  // Where in `tail_sums` the sales by asset begin.
  rows_start: u32,
  // The row of the prices in which the weights of the paths stand, where they have any.
  weights_row: u32,
  // Parts of one squared step in sums under weights.
  step_square_units: f32,
}

@group(1) @binding(0) var<uniform> piece: BookPiece;

// Words of a path of the block, of which word w stands at w x path_count + p: loss, loss without a sale (two words each),
// loans called, loans sold, and the weight of the path. Two words of what is sold at each step follow.
const PATH_LOSS = 0u;
const PATH_UNSOLD = 2u;
const PATH_CALLED_LOANS = 4u;
const PATH_FORCED_SALES = 5u;
const PATH_WEIGHT = 6u;
const PATH_WORDS = 7u;

// Numbers beyond this are taken for it.
const WIDE_LARGEST = 1152921504606846976.0;
const WIDE_WORD = 4294967296.0;

// A non-negative number, rounded to the nearest whole one: its low and its high word.
fn wide_of(x: f32) -> vec2<u32> {
  let held = clamp(x, 0.0, WIDE_LARGEST);
  // A single of 2^23 or more is whole.
  let whole = select(held, floor(held + 0.5), held < 8388608.0);
  let high = floor(whole * (1.0 / WIDE_WORD));
  return vec2(u32(fma(high, -WIDE_WORD, whole)), u32(high));
}

// a b of numbers below 2^20.
fn wide_product(a: u32, b: u32) -> vec2<u32> {
  let lower = a * (b & 0xffu);
  let upper = a * (b >> 8u);
  return wide_sum(vec2(lower, 0u), vec2(upper << 8u, upper >> 24u));
}

fn wide_sum(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  let low = a.x + b.x;
  return vec2(low, a.y + b.y + select(0u, 1u, low < a.x));
}

// a - b, where that is not negative.
fn wide_difference(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
  return vec2(a.x - b.x, a.y - b.y - select(0u, 1u, a.x < b.x));
}

fn wide_below(a: vec2<u32>, b: vec2<u32>) -> bool {
  return a.y < b.y || (a.y == b.y && a.x < b.x);
}
