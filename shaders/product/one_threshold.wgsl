// Loans with one threshold of liquidation.
// Provides: THRESHOLDS_BY_ASSET.
// Expects: nothing.

const THRESHOLDS_BY_ASSET = false;
