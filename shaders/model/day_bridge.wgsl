// The hours of a day whose whole shock is known: a Brownian bridge, four hours at a time, for a quad of assets.
// Provides: BridgedHours, bridge_hours. Expects: nothing. Twin: src/core/reference/day-bridge.ts.

// Log prices after four hours, a column each, and what is left of the day's shock.
struct BridgedHours {
  log_prices: mat4x4<f32>,
  left: vec4<f32>,
}

// With m hours and R of the shock left, the next hour has mean R / m and variance (a^2 / 24)(m - 1) / m.
// `hours` are left at the start, `deviation` is a, `drift` that of an hour; a column of `noise` holds the normals of an hour.
fn bridge_hours(
  start: vec4<f32>,
  left: vec4<f32>,
  deviation: vec4<f32>,
  drift: vec4<f32>,
  hours: u32,
  noise: mat4x4<f32>,
) -> BridgedHours {
  var result = BridgedHours(mat4x4<f32>(), left);
  var price = start;
  for (var k = 0u; k < 4u; k++) {
    let m = f32(hours - k);
    let change = fma(deviation * sqrt((m - 1.0) / (24.0 * m)), noise[k], result.left / m);
    result.left -= change;
    price += change + drift;
    result.log_prices[k] = price;
  }
  return result;
}
