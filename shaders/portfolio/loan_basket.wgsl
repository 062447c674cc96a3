// Baskets of any weights with their amounts: C/L as portfolio/ratio.wgsl has it, and C and L beside it.
// Provides: MarketLoan, path_value, market_ratio, path_value_of. Expects: portfolio/sides.wgsl.

struct MarketLoan {
  // C/L: the very number on which a loan without amounts is judged.
  value: vec4<f32>,
  collateral: vec4<f32>,
  loan: vec4<f32>,
}

// C/L, C and L after steps `step` + 1 .. `step` + 4.
fn path_value(state: ptr<function, MarketState>, path: u32, step: u32) -> MarketLoan {
  let sides = market_sides(state, path, step);
  return MarketLoan(sides.collateral / sides.loan, sides.collateral, sides.loan);
}

// C/L of a value.
fn market_ratio(value: f32) -> f32 {
  return value;
}

// The value of a C/L.
fn path_value_of(ratio: f32) -> f32 {
  return ratio;
}
