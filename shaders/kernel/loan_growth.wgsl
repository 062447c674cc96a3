// The growth of a debt along a path with its amounts.
// Provides: grown_loan. Expects: MarketLoan, kernel/growth.wgsl.

// C/L over the growth of the debt, and L times it, at steps `step` + 1 .. `step` + 4.
fn grown_loan(path: MarketLoan, growth: f32, step: u32) -> MarketLoan {
  if (growth == 0.0) {
    return path;
  }
  let loan = path.loan * exp2(growth_exponent(growth, step));
  return MarketLoan(grown_values(path.value, growth, step), path.collateral, loan);
}
