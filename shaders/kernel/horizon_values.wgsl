// Value at risk (methodology part 5): writes the gains of collateral, loan and net exposure at a batch of horizons. A step is a horizon,
// by rank. Its head differs from that of simulate.wgsl: no product, no sums.
// Inputs: the market parameters; terms, horizon_steps.
// Outputs: values.
// Units: gains of C and L relative to the start of the path; net exposure in units of the larger initial value.
// Provides: the entry point `simulate`, Terms, terms, horizon_steps.
// Reference: src/core/product/value-at-risk.ts.
// Expects:
//   kernel/bindings.wgsl: slice, workgroup_size
//   kernel/market_slice.wgsl: market_resume, market_suspend
//   lib/four_steps.wgsl: groups_of
//   portfolio/sides.wgsl: market_sides
//   one market: market_begin

struct Terms {
  // First horizon of the batch; it ends with the last step of the run.
  first_horizon: u32,
  // Initial value of the collateral and of the loan over the larger of the two.
  collateral: f32,
  loan: f32,
}

// Four steps: lengths in years, square roots of these, and ends in days (bootstrap: in rows).
struct HorizonSteps {
  years: vec4<f32>,
  root_years: vec4<f32>,
  ends: vec4<f32>,
}

// Columns per horizon: gains of the collateral and of the loan (relative to their start), and of the net exposure.
const VALUES_PER_HORIZON = 3u;

@group(1) @binding(0) var<uniform> terms: Terms;
@group(1) @binding(1) var<storage, read> horizon_steps: array<HorizonSteps>;
// Value v of horizon first_horizon + k on path run_path + p at (3 k + v) x paths + p.
@group(1) @binding(2) var<storage, read_write> values: array<f32>;

// Invocation i of a dispatch is path first_path + i.
@compute @workgroup_size(workgroup_size)
fn simulate(@builtin(global_invocation_id) id: vec3<u32>) {
  let local = id.x;
  if (local >= slice.path_count) {
    return;
  }
  let path = slice.first_path + local;
  var state = market_begin();
  market_resume(&state, local);
  var step = slice.first_step;
  for (var groups = groups_of(slice.end_step - step); groups > 0u; groups--) {
    let changes = market_sides(&state, path, step);
    for (var i = 0u; i < 4u; i++) {
      let horizon = step + i;
      if (horizon >= terms.first_horizon && horizon < slice.end_step) {
        let collateral = changes.collateral[i];
        let loan = changes.loan[i];
        let at = VALUES_PER_HORIZON * (horizon - terms.first_horizon) * slice.paths + path - slice.run_path;
        values[at] = collateral;
        values[at + slice.paths] = loan;
        values[at + 2u * slice.paths] = fma(terms.collateral, collateral, -(terms.loan * loan));
      }
    }
    step += 4u;
  }
  market_suspend(&state, local);
}
