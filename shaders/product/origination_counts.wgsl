// How many paths end which candidate of an origination scan (docs/decisions/engines.md, "Origination in one pass").
// Provides: the thresholds and counts of group 1, threshold_above, counts_book. Expects: Terms with `candidates`.
// The candidates that end on a path are a prefix of the list, so a range of it is booked by two atomic additions.

// Falling thresholds of the path's value: candidate k is liquidated below word k and called below word candidates + k.
@group(1) @binding(1) var<storage, read> thresholds: array<f32>;
// Differences of the counts: +1 where a booked range begins, -1 behind its end.
@group(1) @binding(2) var<storage, read_write> differences: array<atomic<i32>>;

// How many of the thresholds from word `base` on are above a value, given that the first `known` are.
fn threshold_above(base: u32, value: f32, known: u32) -> u32 {
  var low = known;
  var high = terms.candidates;
  while (low < high) {
    let middle = (low + high) >> 1u;
    if (thresholds[base + middle] > value) {
      low = middle + 1u;
    } else {
      high = middle;
    }
  }
  return low;
}

// Counts one path for candidates from .. to - 1; an empty range books nothing.
fn counts_book(first: u32, end: u32) {
  if (first < end) {
    atomicAdd(&differences[first], 1);
    atomicAdd(&differences[end], -1);
  }
}
