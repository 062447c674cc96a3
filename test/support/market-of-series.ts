/** A market of series that a test states. */
import { AlignedMarket } from '#src/market/aligned-market.js';
import type { MarketTriple } from '#src/market/market-data.js';
import { DEFAULT_RULES } from '#src/market/rules.js';
import type { Series, SettlementSeries } from '#src/market/series.js';
import { symbolTable } from '#src/market/symbols.js';

type BySymbol = Readonly<Record<string, Series | undefined>>;

/**
 * @param volume by `BASE/QUOTE exchange`
 * @param symbols assets with prices; those of `daily` by default
 */
export function marketOfSeries({
  daily = {},
  hourly = {},
  index = {},
  volume = {},
  funding = {},
  symbols = Object.keys(daily),
  sample = false,
}: {
  readonly daily?: BySymbol;
  readonly hourly?: BySymbol;
  readonly index?: BySymbol;
  readonly volume?: BySymbol;
  readonly funding?: Readonly<Record<string, SettlementSeries | undefined>>;
  readonly symbols?: readonly string[];
  readonly sample?: boolean;
}): AlignedMarket {
  return new AlignedMarket({
    sample,
    description: 'test',
    version: undefined,
    dailyCloses: async symbol => daily[symbol],
    hourlyCloses: async symbol => hourly[symbol],
    volatilityIndex: async symbol => index[symbol],
    baseVolume: async ({ base, quote, exchange }) => volume[`${base}/${quote} ${exchange}`],
    settlements: async symbol => funding[symbol],
    symbolTable: symbolTable(new Set(symbols), DEFAULT_RULES),
    symbols: () => symbols,
    youngestCloses: () => [],
    assets: async () => [],
    markets: () =>
      Object.keys(volume).map((name): MarketTriple => {
        const [base, quote, exchange] = name.split(/[/ ]/);
        return { base, quote, exchange };
      }),
    list: async () => [],
  });
}
