// What a distribution needs of a path: ratios, which order/slot_counts.wgsl counts in bins after the run, and events by day. A path writes
// a ratio for each time, so that counts in bins would be atomic additions to a few words of the device by all paths at once.
// Inputs: places; a ratio, or the step of an event.
// Outputs: ratios, event_days.
// Units: days of places.day_steps steps.
// Provides: places, FanTime, fan_time, fan_time_after, count_time, count_ends, count_event.
// Reference: src/core/product/path-counts.ts.
// Expects:
//   kernel/bindings.wgsl: slice

struct CountPlaces {
  // Index of the first count of each kind of event.
  margin_call: u32,
  liquidation: u32,
  closeout: u32,
  // Steps of a day, and times of the fan chart.
  day_steps: u32,
  times: u32,
}

@group(1) @binding(1) var<uniform> places: CountPlaces;
@group(1) @binding(2) var<storage, read_write> event_days: array<atomic<u32>>;
// Column c of path run_path + p at c x paths + p: a column for each time, then the lowest ratio and the last one, if a program has them.
@group(1) @binding(3) var<storage, read_write> ratios: array<f32>;

// The next time of the fan chart of a path: its number from 0, and its step; after the last time, a step beyond the term.
struct FanTime {
  time: u32,
  step: u32,
  path: u32,
}

fn fan_time(time: u32, path: u32) -> FanTime {
  return FanTime(time, (slice.steps * (time + 1u)) / places.times, path);
}

// The first time of the fan chart after a step.
fn fan_time_after(step: u32, path: u32) -> FanTime {
  var fan = fan_time((step * places.times) / slice.steps, path);
  while (fan.step <= step) {
    fan = fan_time(fan.time + 1u, path);
  }
  return fan;
}

// Writes the ratio at a time. Returns the next time.
fn count_time(fan: FanTime, ratio: f32) -> FanTime {
  ratios[fan.time * slice.paths + fan.path - slice.run_path] = ratio;
  return fan_time(fan.time + 1u, fan.path);
}

// Writes the lowest and the last ratio. @param fan after the last time
fn count_ends(fan: FanTime, lowest: f32, last: f32) {
  _ = count_time(count_time(fan, lowest), last);
}

// Counts an event on the day of its step; step 0 means that the event did not happen.
fn count_event(first: u32, step: u32) {
  if (step > 0u) {
    atomicAdd(&event_days[first + (step - 1u) / places.day_steps], 1u);
  }
}
