// What every simulation kernel shares: bind group 0 and the numbers of its pipeline.
// Provides: slice, market, sums, path_state, records, the overrides, record_set. Expects: MarketParameters.

// Numbers known when the pipeline is built; none has a default, so that none can be forgotten.
override workgroup_size: u32;
// Assets of the plan, 1..32.
override assets: u32;
// Whether one record per path is written.
override trace: bool;

// The paths and steps of one dispatch, and what does not change over a run.
struct Slice {
  // First path, and number of paths.
  first_path: u32,
  path_count: u32,
  // First step (a multiple of 24) and one past the last.
  first_step: u32,
  end_step: u32,
  // Steps and paths of the whole run.
  steps: u32,
  paths: u32,
  // Key of the generator.
  seed: u32,
}

@group(0) @binding(0) var<uniform> slice: Slice;
@group(0) @binding(1) var<uniform> market: MarketParameters;
// Sums over all paths, two words each (low, high); then the largest inverted order key of a path's lowest value.
@group(0) @binding(2) var<storage, read_write> sums: array<atomic<u32>>;
// State of the paths that are put down between two slices: word w of path p at w x path_count + p.
@group(0) @binding(3) var<storage, read_write> path_state: array<u32>;
// Records: field f of path p at f x paths + p.
@group(0) @binding(4) var<storage, read_write> records: array<u32>;

fn record_set(field: u32, path: u32, value: u32) {
  records[field * slice.paths + path] = value;
}
