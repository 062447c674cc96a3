// Powers of two, and their differences from one with two units in the last place of relative error: exp2(x) - 1 would lose digits near x =
// 0.
// Inputs: exponents x, four at a time.
// Outputs: 2^x and 2^x - 1.
// Provides: exponential.
// Reference: 2 ** x and Math.expm1(x * Math.LN2).
// Expects:
//   lib/four_steps.wgsl: horner_step

// Larger than log2 of every price ratio; products and sums of such powers are finite.
const EXPONENTIAL_RANGE = 100.0;

struct Exponential {
  // 2^x.
  value: vec4<f32>,
  // 2^x - 1.
  minus_one: vec4<f32>,
}

// 2^x and 2^x - 1 for |x| <= 100 (clamped): an integer power of two times 2^f, |f| <= 1/2, with the Taylor series of 2^f - 1 in f ln 2.
// The terms after the seventh are 2e-8 of the sum.
fn exponential(exponent: vec4<f32>) -> Exponential {
  let x = clamp(exponent, vec4(-EXPONENTIAL_RANGE), vec4(EXPONENTIAL_RANGE));
  let whole = round(x);
  let f = x - whole;
  var y = horner_step(vec4(1.525273380405984e-05), f, 0.0001540353039338161);
  y = horner_step(y, f, 0.0013333558146428443);
  y = horner_step(y, f, 0.009618129107628477);
  y = horner_step(y, f, 0.05550410866482158);
  y = horner_step(y, f, 0.24022650695910072);
  y = horner_step(y, f, 0.6931471805599453) * f;
  let power = bitcast<vec4<f32>>((vec4<i32>(whole) + vec4(127)) << vec4(23u));
  return Exponential(fma(y, power, power), fma(y, power, power - 1.0));
}
