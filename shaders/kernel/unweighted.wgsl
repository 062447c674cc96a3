// Paths of equal weight: the plain sums are the only ones.
// Provides: WEIGHTED_SUMS, path_weigh. Expects: MarketState, ProductState.

const WEIGHTED_SUMS = 0u;

fn path_weigh(state: ptr<function, ProductState>, market_state: ptr<function, MarketState>, path: u32) {
}
