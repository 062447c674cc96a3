// How many paths end which candidate of an origination scan (docs/decisions/engines.md, "Origination in one pass").
// Provides: the thresholds and counts of group 1, SUM_COUNT, RECORD_MINIMUM_RATIO, threshold_above, counts_book. Expects: Terms with
// `candidates`, sum_add.
// The candidates that end on a path are a prefix of the list, so a range of it is booked by two atomic additions. Most
// ranges begin with the first candidate: those are summed by workgroup, lest every path wait for the same word.

// Ranges that begin with the first candidate.
const SUM_FROM_FIRST = 0u;
const SUM_COUNT = 1u;

// Fields of a record, in this order.
const RECORD_MINIMUM_RATIO = 0u;

// Falling thresholds of the path's value: candidate k is liquidated below word k and called below word candidates + k.
@group(1) @binding(1) var<storage, read> thresholds: array<f32>;
// Differences of the counts: +1 where a booked range begins (but not at the first candidate), -1 behind its end.
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

// Counts one path for candidates first .. end - 1; an empty range books nothing.
fn counts_book(first: u32, end: u32) {
  if (first < end) {
    if (first == 0u) {
      sum_add(SUM_FROM_FIRST, 1u);
    } else {
      atomicAdd(&differences[first], 1);
    }
    atomicAdd(&differences[end], -1);
  }
}
