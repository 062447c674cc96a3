// The median leverage over the steps of a path, without storing the steps: the path is run again until its middle value is known
// (docs/decisions/perpetuals.md). Leverage is positive, so that the order of the numbers is that of their bit patterns, and a pattern without
// its last bits is a bin of nearly constant relative width. A run counts the values in 64 such bins; the next run divides the bin of the
// median into 64. Every run uses the same pipeline, so that its values are equal to the bit.
// Inputs: leverage at every step of an open position; figures of the previous run.
// Outputs: figures: the median, or the bins of the next run.
// Units: notional over equity.
// Provides: LeverageCounts, leverage_*, LEVERAGE_KNOWN, LEVERAGE_STATE_WORDS.
// Reference: the median of src/core/product/perpetual.ts.
// Expects:
//   kernel/bindings.wgsl: state_restore_next, state_save_next, workgroup_size
//   product/account_memory.wgsl or product/perpetual.wgsl: FIGURE_LEVERAGE, FIGURE_SHIFT, figure, figure_set
//   one product: terms

const LEVERAGE_BINS = 2u * LEVERAGE_WORDS;
// Words of the bins of a path, two in each.
const LEVERAGE_WORDS = 32u;
// Bins of the first run: a quarter of an octave each, half of them below the initial leverage.
const LEVERAGE_FIRST_SHIFT = 21u;
// Bins that cover all positive numbers, for a median outside the bins of the first run.
const LEVERAGE_WHOLE_SHIFT = 25u;
// A run with this shift or less is the last: bins of 2^10 units in the last place, at most 1.2e-4 of the value.
const LEVERAGE_LAST_SHIFT = 10u;
// Bits by which a run narrows the bins.
const LEVERAGE_RUN_BITS = 6u;
// A value of FIGURE_SHIFT: the median is known.
const LEVERAGE_KNOWN = 0xffffffffu;

struct LeverageCounts {
  // Bin b contains the patterns from low + (b << shift) up to those of the next bin.
  low: u32,
  shift: u32,
  // Values counted, those below the bins, and the lowest pattern above the bins.
  values: u32,
  below: u32,
  above: u32,
  // Values beyond LEVERAGE_FULL in a bin. A path has less than twice as many values (MAX_STEPS of src/core/plan/grid.ts): at most one bin
  // has such values.
  beyond: u32,
}

// Bins 2w (the lower half) and 2w + 1 of an invocation at w x workgroup_size + invocation.
var<workgroup> leverage_bins: array<u32, LEVERAGE_WORDS * workgroup_size>;
// Most values that a bin counts.
const LEVERAGE_FULL = 0xffffu;

fn leverage_begin(path: u32) -> LeverageCounts {
  if (terms.first_run == 1u) {
    let half = (LEVERAGE_BINS / 2u) << LEVERAGE_FIRST_SHIFT;
    let low = max(bitcast<u32>(abs(terms.exposure)), half) - half;
    return LeverageCounts(low, LEVERAGE_FIRST_SHIFT, 0u, 0u, 0xffffffffu, 0u);
  }
  return LeverageCounts(figure(FIGURE_LEVERAGE, path), figure(FIGURE_SHIFT, path), 0u, 0u, 0xffffffffu, 0u);
}

// Whether this run evaluates a path.
fn leverage_pending(path: u32) -> bool {
  return terms.first_run == 1u || figure(FIGURE_SHIFT, path) != LEVERAGE_KNOWN;
}

const LEVERAGE_STATE_WORDS = 4u + LEVERAGE_WORDS;

fn leverage_save(counts: ptr<function, LeverageCounts>, invocation: u32, at: ptr<function, u32>) {
  state_save_next(at, (*counts).values);
  state_save_next(at, (*counts).below);
  state_save_next(at, (*counts).above);
  state_save_next(at, (*counts).beyond);
  for (var word = 0u; word < LEVERAGE_WORDS; word++) {
    state_save_next(at, leverage_bins[word * workgroup_size + invocation]);
  }
}

fn leverage_restore(counts: ptr<function, LeverageCounts>, invocation: u32, at: ptr<function, u32>) {
  (*counts).values = state_restore_next(at);
  (*counts).below = state_restore_next(at);
  (*counts).above = state_restore_next(at);
  (*counts).beyond = state_restore_next(at);
  for (var word = 0u; word < LEVERAGE_WORDS; word++) {
    leverage_bins[word * workgroup_size + invocation] = state_restore_next(at);
  }
}

fn leverage_count(counts: ptr<function, LeverageCounts>, invocation: u32, leverage: f32) {
  let pattern = bitcast<u32>(leverage);
  (*counts).values += 1u;
  if (pattern < (*counts).low) {
    (*counts).below += 1u;
  } else {
    let bin = (pattern - (*counts).low) >> (*counts).shift;
    if (bin < LEVERAGE_BINS) {
      let at = (bin >> 1u) * workgroup_size + invocation;
      let half = (bin & 1u) * 16u;
      let word = leverage_bins[at];
      let full = extractBits(word, half, 16u) == LEVERAGE_FULL;
      leverage_bins[at] = word + select(1u << half, 0u, full);
      (*counts).beyond += u32(full);
    } else {
      (*counts).above = min((*counts).above, pattern);
    }
  }
}

// Values of a bin; of the last one where there is no such bin.
fn leverage_bin(counts: ptr<function, LeverageCounts>, invocation: u32, number: u32) -> u32 {
  let bin = min(number, LEVERAGE_BINS - 1u);
  let count = extractBits(leverage_bins[(bin >> 1u) * workgroup_size + invocation], (bin & 1u) * 16u, 16u);
  return select(count, count + (*counts).beyond, count == LEVERAGE_FULL);
}

// Value number `rank` (from 0) of the `count` values of a bin, assumed to be evenly spaced in it.
fn leverage_in_bin(counts: ptr<function, LeverageCounts>, bin: u32, rank: u32, count: u32) -> f32 {
  let width = f32(1u << (*counts).shift);
  let offset = u32((f32(rank) + 0.5) / f32(count) * width);
  return bitcast<f32>((*counts).low + (bin << (*counts).shift) + offset);
}

// Writes the median, or the bins of the next run. Returns whether the median is known.
fn leverage_finish(counts: ptr<function, LeverageCounts>, path: u32, invocation: u32) -> bool {
  // With an even number of values the median is the mean of this value and the next.
  let rank = ((*counts).values - 1u) / 2u;
  var before = (*counts).below;
  var bin = 0u;
  var in_bin = leverage_bin(counts, invocation, 0u);
  while (bin < LEVERAGE_BINS && rank >= before + in_bin) {
    before += in_bin;
    bin += 1u;
    in_bin = leverage_bin(counts, invocation, bin);
  }
  if (rank < (*counts).below || bin == LEVERAGE_BINS) {
    figure_set(FIGURE_LEVERAGE, path, 0u);
    figure_set(FIGURE_SHIFT, path, LEVERAGE_WHOLE_SHIFT);
    return false;
  }
  if ((*counts).shift > LEVERAGE_LAST_SHIFT) {
    figure_set(FIGURE_LEVERAGE, path, (*counts).low + (bin << (*counts).shift));
    figure_set(FIGURE_SHIFT, path, (*counts).shift - LEVERAGE_RUN_BITS);
    return false;
  }
  var median = leverage_in_bin(counts, bin, rank - before, in_bin);
  if ((*counts).values % 2u == 0u) {
    var next = 0.0;
    if (rank + 1u < before + in_bin) {
      next = leverage_in_bin(counts, bin, rank + 1u - before, in_bin);
    } else {
      bin += 1u;
      while (bin < LEVERAGE_BINS && leverage_bin(counts, invocation, bin) == 0u) {
        bin += 1u;
      }
      if (bin < LEVERAGE_BINS) {
        next = leverage_in_bin(counts, bin, 0u, leverage_bin(counts, invocation, bin));
      } else {
        next = bitcast<f32>((*counts).above);
      }
    }
    median = 0.5 * (median + next);
  }
  figure_set(FIGURE_LEVERAGE, path, bitcast<u32>(median));
  figure_set(FIGURE_SHIFT, path, LEVERAGE_KNOWN);
  return true;
}
