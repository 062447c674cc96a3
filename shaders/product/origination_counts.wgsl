// Number of paths that end each candidate of an origination scan (docs/decisions/origination.md). The candidates
// that end on a path are a prefix of the list, so that two atomic additions count a range of it. Most ranges begin with the first
// candidate: those are summed by workgroup, so that the paths do not contend for one word.
// Inputs: thresholds of the candidates.
// Outputs: differences of the counts; the sum of ranges from candidate 0.
// Units: thresholds in the unit of the values.
// Provides: SUM_COUNT, RECORD_MINIMUM_RATIO, thresholds, threshold_above, candidates_count.
// Expects:
//   kernel/sums.wgsl: sum_add
//   one product: terms

// Ranges that begin with the first candidate.
const SUM_FROM_FIRST = 0u;
const SUM_COUNT = 1u;

// Fields of a record, in this order.
const RECORD_MINIMUM_RATIO = 0u;

// Decreasing thresholds of the path's value: candidate k is liquidated below word k and called below word candidates + k.
@group(1) @binding(1) var<storage, read> thresholds: array<f32>;
// Differences of the counts: +1 at the first candidate of a range (unless it is candidate 0), -1 after its last.
@group(1) @binding(2) var<storage, read_write> differences: array<atomic<i32>>;

// Number of the thresholds from word `base` on that are above a value. @param known the first of them, known to be above
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

// Counts one path for candidates first .. end - 1; an empty range counts nothing.
fn candidates_count(first: u32, end: u32) {
  if (first < end) {
    if (first == 0u) {
      sum_add(SUM_FROM_FIRST, 1u);
    } else {
      atomicAdd(&differences[first], 1);
    }
    atomicAdd(&differences[end], -1);
  }
}
