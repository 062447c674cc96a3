// Writes what collateral, loan and their difference have gained at a batch of horizons (methodology part 5).
// Provides: the entry point `simulate`, the bindings of the horizons. Expects: bindings.wgsl, market_alone.wgsl, one model at horizons,
// assets.wgsl, gain.wgsl, sides.wgsl. Twin: src/core/product/value-at-risk.ts. A step is a horizon, by rank.

struct Terms {
  // First horizon of the batch; it ends with the last step of the run.
  first_horizon: u32,
  // Initial collateral and loan value in the unit of the net exposure, the larger of the two.
  collateral: f32,
  loan: f32,
}

// Four steps: lengths in years and their roots, and where each ends, in days or in rows.
struct HorizonSteps {
  years: vec4<f32>,
  root_years: vec4<f32>,
  ends: vec4<f32>,
}

// Columns per horizon: gains of the collateral, of the loan (relative to their start), of the net exposure.
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
  for (var step = slice.first_step; step < slice.end_step; step += 4u) {
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
  }
  market_suspend(&state, local);
}
