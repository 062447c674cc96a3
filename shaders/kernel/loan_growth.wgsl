// The growth of a debt along a path with its amounts.
// Provides: product_values. Expects: terms with `growth`, MarketLoan, kernel/growth.wgsl.

// C/L over the growth of the debt, and L times it, at steps `step` + 1 .. `step` + 4.
fn product_values(path: MarketLoan, step: u32) -> MarketLoan {
  if (terms.growth == 0.0) {
    return path;
  }
  let loan = path.loan * exp2(growth_exponent(terms.growth, step));
  return MarketLoan(grown_values(path.value, terms.growth, step), path.collateral, loan);
}
