// Bind group 0 and pipeline constants of all simulation kernels, and access to records and saved state.
// Units: a step is an hour, or a horizon (kernel/horizon_values.wgsl).
// Provides: workgroup_size, assets, trace, asset_quads, asset_pairs, DAY_STEPS, slice, market, sums, path_state, tables, record_set,
// state_save, state_save_next, state_restore_next, state_restore.
// Expects:
//   parameters of a model: MarketParameters

// Pipeline constants. None has a default: a missing one is an error.
override workgroup_size: u32;
// Assets of the plan, 1..32.
override assets: u32;
// Whether one record per path is written.
override trace: bool;
// A quad is four assets, numbers 4q .. 4q + 3: one vector holds a number of each.
override asset_quads: u32 = (assets + 3u) / 4u;
// Random numbers are drawn for two assets at a time.
override asset_pairs: u32 = (assets + 1u) / 2u;

// Steps of a day.
const DAY_STEPS = 24u;

// The paths and steps of one dispatch, and parameters of the whole run.
struct Slice {
  // First path, and number of paths.
  first_path: u32,
  path_count: u32,
  // First step (a multiple of DAY_STEPS) and one past the last.
  first_step: u32,
  end_step: u32,
  // Steps and paths of the whole run.
  steps: u32,
  paths: u32,
  // Key of the generator.
  seed: u32,
  // First path of the whole run: records begin with it.
  run_path: u32,
}

@group(0) @binding(0) var<uniform> slice: Slice;
@group(0) @binding(1) var<uniform> market: MarketParameters;
// Sums over all paths, two words each (low, high); then the largest inverted order key of a path's lowest value.
@group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>>;
// State of the paths between two slices: word w of path number p of the dispatch at w x path_count + p.
@group(0) @binding(3) var<storage, read_write> path_state: array<u32>;
// Records: field f of path run_path + p at f x paths + p.
@group(0) @binding(4) var<storage, read_write> records: array<u32>;
// Tables of the model: rows of history, coefficients.
@group(0) @binding(5) var<storage, read> tables: array<vec4<f32>>;

fn record_set(field: u32, path: u32, value: u32) {
  records[field * slice.paths + path - slice.run_path] = value;
}

// Saves four words of the state of path number `local` of the dispatch, from word `word` on.
fn state_save(word: u32, local: u32, value: vec4<u32>) {
  let at = word * slice.path_count + local;
  path_state[at] = value.x;
  path_state[at + slice.path_count] = value.y;
  path_state[at + 2u * slice.path_count] = value.z;
  path_state[at + 3u * slice.path_count] = value.w;
}

// Saves one word of a path's state at `at`, and advances `at` to the next word of the path.
fn state_save_next(at: ptr<function, u32>, value: u32) {
  path_state[*at] = value;
  *at += slice.path_count;
}

// Restores what state_save_next saved.
fn state_restore_next(at: ptr<function, u32>) -> u32 {
  let value = path_state[*at];
  *at += slice.path_count;
  return value;
}

// Restores what state_save saved.
fn state_restore(word: u32, local: u32) -> vec4<u32> {
  let at = word * slice.path_count + local;
  return vec4(
    path_state[at],
    path_state[at + slice.path_count],
    path_state[at + 2u * slice.path_count],
    path_state[at + 3u * slice.path_count],
  );
}
