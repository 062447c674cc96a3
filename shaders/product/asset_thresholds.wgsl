// Loans whose thresholds of liquidation are those of their assets: a fall of the asset with the highest liquidation LTV can raise L above
// M, so that a loan is liquidated without a call before.
// Provides: THRESHOLDS_BY_ASSET.
// Expects: nothing.

const THRESHOLDS_BY_ASSET = true;
