// The median over the steps of a path without its steps: the path is run again until its middle value is known.
// Provides: LeverageCounts and the functions leverage_*. Expects: terms, workgroup_size, figure, figure_set.
// Reason and method: docs/decisions/engines.md. Twin: the median of src/core/product/perpetual.ts.
//
// Leverage is positive, so the order of the numbers is the order of their bit patterns, and a pattern shortened to
// some bits is a bin of nearly constant relative width. A run counts the values in 64 such bins; the next run cuts the
// bin that holds the median into 64 again. Every run is the same pipeline, so it meets the same values bit by bit.

const LEVERAGE_BINS = 64u;
// Bins of the first run: a quarter of a power of two each, half of them on either side of the initial leverage.
const LEVERAGE_FIRST_SHIFT = 21u;
// Bins of a run over all positive numbers, where the median lies outside of those.
const LEVERAGE_WHOLE_SHIFT = 25u;
// A run with bins this narrow is the last: 2^10 units in the last place are 1.2e-4 of the value at most.
const LEVERAGE_LAST_SHIFT = 10u;
// What a run narrows by.
const LEVERAGE_RUN_BITS = 6u;
// In place of a shift: the median is known.
const LEVERAGE_KNOWN = 0xffffffffu;

struct LeverageCounts {
  // Bin b holds the patterns low + (b << shift) and up to the next bin's.
  low: u32,
  shift: u32,
  // Values counted, those below the bins, and the lowest pattern above the bins.
  values: u32,
  below: u32,
  above: u32,
}

// Bin b of an invocation at b x workgroup_size + invocation.
var<workgroup> leverage_bins: array<u32, LEVERAGE_BINS * workgroup_size>;

fn leverage_begin(path: u32) -> LeverageCounts {
  if (terms.first_run == 1u) {
    let half = (LEVERAGE_BINS / 2u) << LEVERAGE_FIRST_SHIFT;
    let low = max(bitcast<u32>(abs(terms.exposure)), half) - half;
    return LeverageCounts(low, LEVERAGE_FIRST_SHIFT, 0u, 0u, 0xffffffffu);
  }
  return LeverageCounts(figure(FIGURE_LEVERAGE, path), figure(FIGURE_SHIFT, path), 0u, 0u, 0xffffffffu);
}

// Whether a path has to be run in this run.
fn leverage_pending(path: u32) -> bool {
  return terms.first_run == 1u || figure(FIGURE_SHIFT, path) != LEVERAGE_KNOWN;
}

const LEVERAGE_STATE_WORDS = 3u + LEVERAGE_BINS;

fn leverage_put_down(counts: ptr<function, LeverageCounts>, invocation: u32, at: ptr<function, u32>) {
  state_put_next(at, (*counts).values);
  state_put_next(at, (*counts).below);
  state_put_next(at, (*counts).above);
  for (var bin = 0u; bin < LEVERAGE_BINS; bin++) {
    state_put_next(at, leverage_bins[bin * workgroup_size + invocation]);
  }
}

fn leverage_take_up(counts: ptr<function, LeverageCounts>, invocation: u32, at: ptr<function, u32>) {
  (*counts).values = state_take_next(at);
  (*counts).below = state_take_next(at);
  (*counts).above = state_take_next(at);
  for (var bin = 0u; bin < LEVERAGE_BINS; bin++) {
    leverage_bins[bin * workgroup_size + invocation] = state_take_next(at);
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
      leverage_bins[bin * workgroup_size + invocation] += 1u;
    } else {
      (*counts).above = min((*counts).above, pattern);
    }
  }
}

// Value number `rank` (from 0) of the `count` values of a bin, as if they lay evenly in it.
fn leverage_in_bin(counts: ptr<function, LeverageCounts>, bin: u32, rank: u32, count: u32) -> f32 {
  let width = f32(1u << (*counts).shift);
  let offset = u32((f32(rank) + 0.5) / f32(count) * width);
  return bitcast<f32>((*counts).low + (bin << (*counts).shift) + offset);
}

// Notes the median, or the bins of the next run; whether the median is known.
fn leverage_finish(counts: ptr<function, LeverageCounts>, path: u32, invocation: u32) -> bool {
  // With an even number of values the median is the mean of this value and the next.
  let rank = ((*counts).values - 1u) / 2u;
  var before = (*counts).below;
  var bin = 0u;
  var held = leverage_bins[invocation];
  while (bin < LEVERAGE_BINS && rank >= before + held) {
    before += held;
    bin += 1u;
    held = select(0u, leverage_bins[min(bin, LEVERAGE_BINS - 1u) * workgroup_size + invocation], bin < LEVERAGE_BINS);
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
  var median = leverage_in_bin(counts, bin, rank - before, held);
  if ((*counts).values % 2u == 0u) {
    var next = 0.0;
    if (rank + 1u < before + held) {
      next = leverage_in_bin(counts, bin, rank + 1u - before, held);
    } else {
      bin += 1u;
      while (bin < LEVERAGE_BINS && leverage_bins[min(bin, LEVERAGE_BINS - 1u) * workgroup_size + invocation] == 0u) {
        bin += 1u;
      }
      if (bin < LEVERAGE_BINS) {
        next = leverage_in_bin(counts, bin, 0u, leverage_bins[bin * workgroup_size + invocation]);
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
