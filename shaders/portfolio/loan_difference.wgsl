// Baskets that hold almost the same, with their amounts: C/L - 1 as portfolio/ratio_difference.wgsl has it, and C and L
// beside it.
// Provides: MarketLoan, path_value, market_ratio, path_value_of. Expects: portfolio/difference.wgsl.

struct MarketLoan {
  // C/L - 1: the very number on which a loan without amounts is judged.
  value: vec4<f32>,
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// C/L - 1, C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let difference = market_difference(state, path, step);
  return MarketLoan(difference.value, difference.loan + difference.excess, difference.loan);
}

// C/L of a value.
fn market_ratio(value: f32) -> f32 {
  return 1.0 + value;
}

// The value of a C/L.
fn path_value_of(ratio: f32) -> f32 {
  return ratio - 1.0;
}
