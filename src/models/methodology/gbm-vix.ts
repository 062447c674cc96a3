/** GBM_VIX: GBM with the volatilities of BTC and ETH of their volatility indices (methodology part 3.2). */
import { warnIf } from '../../core/warnings.ts';
import type { AlignedPrices, IndexLevels } from '../../market/market-data.ts';
import { readTogether } from '../../market/missing-data.ts';
import type { ConstantVolatilityModel } from '../calibration/constant-volatility.ts';
import { brownianSet, constantVolatility, GBM } from './gbm.ts';
import type { Methodology } from './methodology.ts';
import { lastDayOf, lookbackCloses } from './window.ts';

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

interface Prices {
  readonly index: IndexLevels;
  readonly closes: AlignedPrices;
}

export const GBM_VIX: Methodology<'GBM_VIX', Prices> = {
  ...GBM,
  name: 'GBM_VIX',
  title: 'GBM with a volatility index',
  words:
    'GBM with the volatilities of BTC and ETH taken from their volatility indices at the end of the window.',
  assumption: 'normal returns, volatility of the option market',
  questions: ['loan', 'origination', 'value-at-risk', 'advance-rate', 'book', 'stress', 'backtest'],
  takesShock: false,
  async read(need, context) {
    const [index, closes] = await readTogether([
      context.market.volatilityIndex(lastDayOf(need, context)),
      lookbackCloses(need, context),
    ]);
    return { index, closes };
  },
  fit({ index, closes }, need) {
    const model = overrideVolatilities(constantVolatility(closes, need), index.levels);
    const set = brownianSet(model, closes, need);
    return {
      ...set,
      filled: [...set.filled, ...index.filled],
      fitted: {
        ...set.fitted,
        warnings: warnIf(
          !need.portfolio.symbols.some(symbol => Object.hasOwn(index.levels, symbol)),
          'no-volatility-index',
          'No asset of the request is BTC or ETH, which have a volatility index: the figures are those of GBM.',
        ),
      },
      addedArguments: { vix_data: index.levels },
    };
  },
};
