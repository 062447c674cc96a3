/** The facts in names of files, and in the symbols of exchanges. */
import { describe, expect, it } from 'vitest';
import {
  assetOf,
  hintsOfName,
  isDerivative,
  isExchangeOfBars,
  splitPair,
} from '#src/market/import/file-name.js';

/** The facts as `kind price, asset BTC, ...`, those alone that are there. */
const hints = (path: string): string =>
  Object.entries(hintsOfName(path))
    .flatMap(([name, value]) => (value === undefined || value === false ? [] : [`${name} ${value}`]))
    .sort()
    .join(', ');

describe('A file in a folder of the layout', () => {
  it.each([
    ['daily/btc_usdt.csv', 'asset BTC, exchange binance, kind price, quote USDT, stamp open, timeframe 1d'],
    [
      'daily/luna_classic_usdc.parquet',
      'asset LUNA, exchange binance, kind price, quote USDC, stamp open, timeframe 1d',
    ],
    [
      'Hourly/UST_classic_USDT.CSV',
      'asset UST, exchange binance, kind price, quote USDT, stamp open, timeframe 1h',
    ],
    [
      'stablecoin/dai_usd.csv',
      'asset DAI, exchange index, kind price, quote USD, stamp snapshot, timeframe 1d',
    ],
    ['dvol/eth_dvol.json', 'asset ETH, exchange deribit, kind index, stamp open, timeframe 1d'],
    ['exchange_volume/xbt_daily_volume.txt', 'asset BTC, kind volume, stamp open, timeframe 1d'],
    [
      'funding/Bybit_btc_usdt_perp.csv',
      'asset BTC, exchange bybit, fundingUnit fraction, kind funding, quote USDT, timeframe 8h',
    ],
    // Another name in such a folder is read as anywhere.
    ['daily/kraken_BTCUSD_1h.csv', 'asset BTC, exchange kraken, quote USD, timeframe 1h'],
    ['toString/btc_usdt.csv', 'asset BTC, quote USDT'],
  ])('%s has the facts of its folder', (path, facts) => {
    expect(hints(path)).toBe(facts);
  });
});

describe('A file elsewhere', () => {
  it.each([
    ['a/BTCUSDT.csv', 'asset BTC, quote USDT'],
    ['a/BTC-USDT.csv', 'asset BTC, quote USDT'],
    ['a/xbt_usd_60.csv', 'asset BTC, quote USD, timeframe 1h'],
    ['a/kraken_BTC_EUR_240.csv', 'asset BTC, exchange kraken, quote EUR'],
    ['coinbase/ETHUSD_daily.csv', 'asset ETH, exchange coinbase, quote USD, timeframe 1d'],
    // The exchange of the name goes before that of the folder, the first timeframe before another.
    ['coinbase/okx_ETH_USD_1h_1d.csv', 'asset ETH, exchange okx, quote USD, timeframe 1h'],
    ['a/1d_okx_ETH_USD.csv', 'asset ETH, exchange okx, quote USD, timeframe 1d'],
    // Words, exchanges, timeframes and numbers are no symbols; D is one as well as a timeframe.
    ['a/history_USDT.csv', ''],
    ['a/binance_USDT.csv', 'exchange binance'],
    ['a/day_USDT.csv', 'timeframe 1d'],
    ['a/2024_USDT.csv', ''],
    ['a/D_USDT.csv', 'asset D, quote USDT, timeframe 1d'],
    ['a/constructor_USDT.csv', 'asset CONSTRUCTOR, quote USDT'],
    // The quote is the token after the asset.
    ['a/USDT_BTC.csv', 'asset USDT, quote BTC'],
    ['a/SOL_x_USDT.csv', 'asset X, quote USDT'],
    ['a/SOL.csv', ''],
    ['a/btc_dvol.csv', 'asset BTC, exchange deribit, kind index'],
    ['a/dvol_ETH.csv', 'asset ETH, exchange deribit, kind index'],
    ['a/sol_dvol.csv', 'exchange deribit, kind index'],
    ['okx/BTCUSD_dvol_1h.csv', 'asset BTC, exchange okx, kind index, quote USD, timeframe 1h'],
    ['a/okx_BTC_USDT_funding_8h.csv', 'asset BTC, exchange okx, kind funding, quote USDT, timeframe 8h'],
    ['a/funding_BTC_USDT.csv', 'asset BTC, kind funding, quote USDT'],
    ['a/fundingrate-BTC-USDT.csv', 'asset BTC, kind funding, quote USDT'],
    ['a/BTCUSDT_fundingrate.csv', 'asset BTC, kind funding, quote USDT'],
    ['a/funding_dvol_btc.csv', 'asset BTC, exchange deribit, kind funding'],
    ['a/BTC_USDT_swap.csv', 'asset BTC, derivative true, quote USDT'],
    ['futures-um/BTCUSDT.csv', 'asset BTC, derivative true, quote USDT'],
    // A file of Coin Metrics, and freqtrade's rates.
    ['a/cm_btc.csv', ''],
    ['a/BTC_USDT_USDT-8h-funding_rate.json', 'asset BTC, kind funding, quote USDT, timeframe 8h'],
    ['a/PF_XBTUSD.csv', 'asset BTC, derivative true, quote USD'],
    ['a/BTCUSDT_240628.csv', 'asset BTC, derivative true, quote USDT'],
  ])('%s has the facts of its name', (path, facts) => {
    expect(hints(path)).toBe(facts);
  });
});

describe('A pair', () => {
  it.each([
    ['BTCUSDT', 'BTC/USDT'],
    ['xbtusd', 'BTC/USD'],
    ['XDG/usd', 'DOGE/USD'],
    ['eth-eur', 'ETH/EUR'],
    ['SOL:USDC', 'SOL/USDC'],
    ['a_b', 'A/B'],
    ['PI_ETHUSD', 'ETH/USD'],
    ['pf_xbtusd', 'BTC/USD'],
    ['PF_', undefined],
    ['OPUSD', 'OP/USD'],
    ['OPUSDT', 'OP/USDT'],
    ['ADAETH', 'ADA/ETH'],
    ['BTCFDUSD', 'BTC/FDUSD'],
    ['XETHZEUR', 'ETH/EUR'],
    ['XXBTZUSD', 'BTC/USD'],
    ['xxdgxxbt', 'DOGE/BTC'],
    ['XETH/ZUSD', 'ETH/USD'],
    ['XTZEUR', 'XTZ/EUR'],
    ['ETHDAI', 'ETH/DAI'],
    // One letter before a quote is no asset without a mark between them.
    ['SUSDT', undefined],
    ['S/USDT', 'S/USDT'],
    // Against USD, or against BUSD or TUSD: known coins alone.
    ['BNBUSD', 'BNB/USD'],
    ['USDTUSD', 'USDT/USD'],
    ['BTCBUSD', undefined],
    ['BTCTUSD', undefined],
    ['BUSD', undefined],
    ['/USD', undefined],
    ['BTC/', undefined],
    ['BTC/U$', undefined],
    ['BTC', undefined],
    ['USDT', undefined],
    ['', undefined],
  ])('%s is %s', (text, pair) => {
    const found = splitPair(text);
    expect(found && `${found.asset}/${found.quote}`).toBe(pair);
  });
});

describe('A symbol', () => {
  it.each(['BTC/USDT:USDT', 'BTC/USDT:USDT-240628', 'BTC-USDT-SWAP', 'btc-perp', 'BTCUSDT.P', 'PI_XBTUSD'])(
    '%s is one of a derivative',
    symbol => expect(isDerivative(` ${symbol} `)).toBe(true),
  );
  it.each(['BTC/USDT', 'PERP', 'PERP-USDT', 'SWAP/USD', 'XPF_BTCUSD'])('%s is not', symbol => {
    expect(isDerivative(symbol)).toBe(false);
  });

  it('of an exchange or a file is that of its asset', () => {
    expect(['xbt', 'XXBT', 'xdg', 'luna_classic', 'UST_Classic', 'luna', 'toString'].map(assetOf)).toEqual([
      'BTC',
      'BTC',
      'DOGE',
      'LUNA',
      'UST',
      'LUNA',
      'TOSTRING',
    ]);
  });
});

it('Publishers and strangers are no exchanges that count coins', () => {
  const names = ['binance', 'bitget', 'coingecko', 'cryptocompare', 'own'];
  expect(names.filter(isExchangeOfBars)).toEqual(['binance', 'bitget']);
});
