// An isolated perpetual position, linear or inverse, long or short (methodology part 7). The value of the path is log2 of the notional
// relative to its start: log2 S for a linear contract, -log2 S for an inverse one, whose notional in coins is n/P. With v the relative
// notional, the profit since the start is exposure x (v - 1) for both.
// Inputs: values of the path; terms, settlements.
// Outputs: sums and figures.
// Units: amounts in units of the initial equity, so that equity starts at exactly 1; steps.
// Provides: Terms, SUM_COUNT, FIGURE_LEVERAGE, FIGURE_SHIFT, FLAG_MARGIN_CALL, FLAG_LIQUIDATION, ProductState, product_*, figure_set,
// figure.
// Reference: src/core/product/perpetual.ts.
// Expects:
//   kernel/bindings.wgsl: slice, state_restore_next, state_save_next
//   kernel/sums.wgsl: sum_add
//   lib/exponential.wgsl: exponential
//   product/leverage_median.wgsl: LEVERAGE_STATE_WORDS, LeverageCounts, leverage_*
//   one product: terms

struct Terms {
  // Notional at the start; positive where equity rises with the notional.
  exposure: f32,
  // Funding of one settlement per unit of relative notional; 0 for a credit that is not paid.
  funding: f32,
  // Per unit of relative notional: maintenance margin with the fee of closing, equity of a margin call, and that fee.
  maintenance: f32,
  margin_call: f32,
  fee: f32,
  // Equity before a price shock less that at the start; 0 without a shock.
  start_peak: f32,
  // Relative notional that needs no margin: margins are those of the notional above it.
  exempt: f32,
  // FLAG_MARGIN_CALL where the position is called at the start, else 0.
  start_flags: u32,
  // 1 in the first run over the paths, 0 in the further runs for the median leverage.
  first_run: u32,
}

// Number of settlements in each step, four steps in an element.
@group(1) @binding(1) var<storage, read> settlements: array<vec4<u32>>;
// Figures of the paths, stored on the device between the runs: field f of path run_path + p at f x paths + p.
@group(1) @binding(2) var<storage, read_write> figures: array<u32>;

// Sums over the paths, in this order in the results. The first two are those of the first run.
const SUM_MARGIN_CALLS = 0u;
const SUM_LIQUIDATIONS = 1u;
// Paths whose median leverage needs a further run.
const SUM_PENDING = 2u;
const SUM_COUNT = 3u;

// Fields of the figures, in this order; leverage_median.wgsl uses the last two.
const FIGURE_EQUITY_CHANGE = 0u;
const FIGURE_SETTLED = 1u;
const FIGURE_DRAWDOWN = 2u;
const FIGURE_FLAGS = 3u;
const FIGURE_LEVERAGE = 4u;
const FIGURE_SHIFT = 5u;

const FLAG_MARGIN_CALL = 1u;
const FLAG_LIQUIDATION = 2u;

// Settled notionals are summed in parts of so many steps, to limit rounding errors.
const SETTLED_STEPS = 256u;

struct ProductState {
  // Sum of the settled relative notionals, of the steps up to the last multiple of SETTLED_STEPS and since.
  settled: f32,
  settled_since: f32,
  // Equity less that at the start, its running peak, and its lowest distance below the peak (0 or negative).
  equity_change: f32,
  peak: f32,
  drawdown: f32,
  flags: u32,
  leverage: LeverageCounts,
}

fn product_begin(path: u32) -> ProductState {
  return ProductState(
    0.0, 0.0, 0.0, terms.start_peak, -terms.start_peak, terms.start_flags, leverage_begin(path)
  );
}

// Words of the saved state of a path.
const PRODUCT_STATE_WORDS = 6u + LEVERAGE_STATE_WORDS;

fn product_save(state: ptr<function, ProductState>, invocation: u32, at: ptr<function, u32>) {
  state_save_next(at, bitcast<u32>((*state).settled));
  state_save_next(at, bitcast<u32>((*state).settled_since));
  state_save_next(at, bitcast<u32>((*state).equity_change));
  state_save_next(at, bitcast<u32>((*state).peak));
  state_save_next(at, bitcast<u32>((*state).drawdown));
  state_save_next(at, (*state).flags);
  leverage_save(&(*state).leverage, invocation, at);
}

fn product_restore(state: ptr<function, ProductState>, invocation: u32, at: ptr<function, u32>) {
  (*state).settled = bitcast<f32>(state_restore_next(at));
  (*state).settled_since = bitcast<f32>(state_restore_next(at));
  (*state).equity_change = bitcast<f32>(state_restore_next(at));
  (*state).peak = bitcast<f32>(state_restore_next(at));
  (*state).drawdown = bitcast<f32>(state_restore_next(at));
  (*state).flags = state_restore_next(at);
  leverage_restore(&(*state).leverage, invocation, at);
}

// Whether the position is liquidated: it has no further steps.
fn product_ended(state: ptr<function, ProductState>) -> bool {
  return ((*state).flags & FLAG_LIQUIDATION) != 0u;
}

// One step of an open position: funding, equity, margin checks, fee and lower bound 0 of a liquidated one, drawdown.
fn position_step(state: ptr<function, ProductState>, invocation: u32, notional: f32, gain: f32, due: f32) {
  (*state).settled_since = fma(due, notional, (*state).settled_since);
  let booked = terms.funding * ((*state).settled + (*state).settled_since);
  var change = fma(terms.exposure, gain, booked);
  let equity = 1.0 + change;
  let charged = max(notional - terms.exempt, 0.0);
  if (equity <= terms.margin_call * charged) {
    (*state).flags |= FLAG_MARGIN_CALL;
  }
  let liquidated = equity <= terms.maintenance * charged;
  if (liquidated) {
    (*state).flags |= FLAG_MARGIN_CALL | FLAG_LIQUIDATION;
    change = max(change - terms.fee * notional, -1.0);
  } else {
    leverage_count(&(*state).leverage, invocation, abs(terms.exposure) * notional / equity);
  }
  (*state).equity_change = change;
  (*state).peak = max((*state).peak, change);
  (*state).drawdown = min((*state).drawdown, change - (*state).peak);
}

// Evaluates the values after steps `step` + 1 .. `step` + 4, of which the first `live` belong to the term.
fn product_group(state: ptr<function, ProductState>, invocation: u32, values: vec4<f32>, step: u32, live: u32) {
  if (step % SETTLED_STEPS == 0u) {
    (*state).settled += (*state).settled_since;
    (*state).settled_since = 0.0;
  }
  let notional = exponential(values);
  let due = vec4<f32>(settlements[step >> 2u]);
  for (var i = 0u; i < 4u; i++) {
    if (i < live && !product_ended(state)) {
      position_step(state, invocation, notional.value[i], notional.minus_one[i], due[i]);
    }
  }
}

// Adds the path to the sums and writes its figures, with the state of the search for its median leverage.
fn product_finish(state: ptr<function, ProductState>, path: u32, invocation: u32) {
  let flags = (*state).flags;
  sum_add(SUM_MARGIN_CALLS, u32((flags & FLAG_MARGIN_CALL) != 0u));
  sum_add(SUM_LIQUIDATIONS, u32((flags & FLAG_LIQUIDATION) != 0u));
  figure_set(FIGURE_EQUITY_CHANGE, path, bitcast<u32>((*state).equity_change));
  figure_set(FIGURE_SETTLED, path, bitcast<u32>((*state).settled + (*state).settled_since));
  figure_set(FIGURE_DRAWDOWN, path, bitcast<u32>((*state).drawdown));
  figure_set(FIGURE_FLAGS, path, flags);
  sum_add(SUM_PENDING, u32(!leverage_finish(&(*state).leverage, path, invocation)));
}

fn figure_set(field: u32, path: u32, value: u32) {
  figures[field * slice.paths + path - slice.run_path] = value;
}

fn figure(field: u32, path: u32) -> u32 {
  return figures[field * slice.paths + path - slice.run_path];
}
