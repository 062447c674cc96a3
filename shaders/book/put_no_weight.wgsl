// Paths of a book that weigh the same: nothing is written behind their prices.
// Provides: weight_put. Expects: MarketState.

fn weight_put(state: ptr<function, MarketState>, path: u32, local: u32) {
}
