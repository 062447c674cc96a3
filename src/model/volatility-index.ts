/** GBM with the volatilities of BTC and ETH of their volatility indices (GBM_VIX). */
import type { ConstantVolatilityModel } from './constant-volatility.ts';

/** Closes of the two volatility indices in volatility points: 55.3 is 55.3 % a year. */
interface VolatilityIndexLevels {
  readonly BTC: number;
  readonly ETH: number;
}

/**
 * Replaces sigma of BTC and of ETH by the index level / 100; correlations and other volatilities stay.
 *
 * @param levels volatility points, > 0; a level whose asset is not in the model is not used
 * @throws RangeError for a level that is not positive and finite
 */
export function overrideVolatilities(
  model: ConstantVolatilityModel,
  levels: VolatilityIndexLevels,
): ConstantVolatilityModel {
  const annualVolatility = model.annualVolatility.slice();
  for (const symbol of ['BTC', 'ETH'] as const) {
    const level = levels[symbol];
    if (!(level > 0 && level < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`volatility index of ${symbol} is ${level}, must be positive and finite`);
    }
    const asset = model.symbols.indexOf(symbol);
    if (asset >= 0) annualVolatility[asset] = level / 100;
  }
  return { ...model, annualVolatility };
}
