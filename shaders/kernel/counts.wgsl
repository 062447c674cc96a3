// Counts of paths for a distribution: ratios in bins, events by day. The host decides on the place of each section. Counts are integers:
// workgroups and slices do not affect them.
// Inputs: places; a ratio, or the step of an event.
// Outputs: counts.
// Units: ratios; days of places.day_steps steps.
// Provides: places, count_ratio, count_event, fan_step, fan_time_after.
// Reference: src/core/product/path-counts.ts.
// Expects:
//   kernel/bindings.wgsl: slice
//   lib/bins.wgsl: ratio_slot

struct CountPlaces {
  // Index of the first count of each section.
  lowest: u32,
  final_value: u32,
  margin_call: u32,
  liquidation: u32,
  closeout: u32,
  fan: u32,
  // Steps of a day, and times of the fan chart.
  day_steps: u32,
  times: u32,
}

@group(1) @binding(1) var<uniform> places: CountPlaces;
@group(1) @binding(2) var<storage, read_write> counts: array<atomic<u32>>;

fn count_ratio(section: u32, ratio: f32) {
  atomicAdd(&counts[section + ratio_slot(ratio)], 1u);
}

// Counts an event on the day of its step; step 0 means that the event did not happen.
fn count_event(section: u32, step: u32) {
  if (step > 0u) {
    atomicAdd(&counts[section + (step - 1u) / places.day_steps], 1u);
  }
}

// The step of time number `time` (from 0) of the fan chart; after the last time, a step beyond the term.
fn fan_step(time: u32) -> u32 {
  return (slice.steps * (time + 1u)) / places.times;
}

// The first time of the fan chart after a step.
fn fan_time_after(step: u32) -> u32 {
  var time = (step * places.times) / slice.steps;
  while (fan_step(time) <= step) {
    time += 1u;
  }
  return time;
}
