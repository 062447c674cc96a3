// Brownian bridge: the hours of a day whose total shock is known, four hours at a time, for a quad of assets.
// Inputs: log prices, remaining shock, deviation, drift, normals.
// Outputs: log prices after each hour, remaining shock.
// Units: logarithms in base 2.
// Provides: bridge_hours.
// Reference: src/core/reference/day-bridge.ts.
// Expects: nothing.

// Log prices after four hours, a column each, and the remaining part of the day's shock.
struct BridgedHours {
  log_prices: mat4x4<f32>,
  remaining: vec4<f32>,
}

// With m hours and R of the shock remaining, the next hour has mean R / m and variance (a^2 / 24)(m - 1) / m.
// @param start log prices before the first hour @param remaining R before it @param deviation a, of a day
// @param drift of an hour @param hours m before the first hour @param noise standard normals, a column for each hour
fn bridge_hours(
  start: vec4<f32>,
  remaining: vec4<f32>,
  deviation: vec4<f32>,
  drift: vec4<f32>,
  hours: u32,
  noise: mat4x4<f32>,
) -> BridgedHours {
  var result = BridgedHours(mat4x4<f32>(), remaining);
  var price = start;
  for (var k = 0u; k < 4u; k++) {
    let m = f32(hours - k);
    let change = fma(deviation * sqrt((m - 1.0) / (24.0 * m)), noise[k], result.remaining / m);
    result.remaining -= change;
    price += change + drift;
    result.log_prices[k] = price;
  }
  return result;
}
