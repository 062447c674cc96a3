// Counts of paths for the distribution that a plan asks for.
// Provides: the bindings of the counts, count_ratio, count_event, fan_step, fan_time_after.
// Expects: slice, lib/bins.wgsl. Twin: src/core/product/path-counts.ts; the host says where each section lies.
// Whole numbers: neither workgroups nor slices show in them.

struct CountPlaces {
  // First counts of the sections.
  lowest: u32,
  final_value: u32,
  margin_call: u32,
  liquidation: u32,
  closeout: u32,
  fan: u32,
  // Steps of a day, and times of the fan.
  day_steps: u32,
  times: u32,
}

@group(1) @binding(1) var<uniform> places: CountPlaces;
@group(1) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;

fn count_ratio(section: u32, ratio: f32) {
  atomicAdd(&counts[section + ratio_slot(ratio)], 1u);
}

// Counts what first happened at a step, 0 for never, on its day.
fn count_event(section: u32, step: u32) {
  if (step > 0u) {
    atomicAdd(&counts[section + (step - 1u) / places.day_steps], 1u);
  }
}

// The step of a time of the fan, from 0; beyond the term after the last.
fn fan_step(time: u32) -> u32 {
  return (slice.steps * (time + 1u)) / places.times;
}

// The first time of the fan behind a step.
fn fan_time_after(step: u32) -> u32 {
  var time = (step * places.times) / slice.steps;
  while (fan_step(time) <= step) {
    time += 1u;
  }
  return time;
}
