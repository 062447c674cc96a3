/** GBM_VIX: GBM with the volatilities of BTC and ETH of their volatility indices (methodology part 3.2). */
import { warnIf } from '../core/warnings.ts';
import type { AlignedPrices, IndexLevels } from '../market/market-data.ts';
import { readTogether } from '../market/read-together.ts';
import { overrideVolatilities } from '../model/volatility-index.ts';
import { brownianSet, constantVolatility, GBM } from './gbm.ts';
import type { Methodology } from './methodology.ts';
import { lastDayOf, lookbackCloses } from './window.ts';

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
  questions: ['loan', 'origination', 'value-at-risk', 'book', 'stress', 'backtest'],
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
