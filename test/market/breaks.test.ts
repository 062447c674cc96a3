/** Breaks in time: coins that were redenominated or renamed, and settlements whose interval changes. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { runMarketCommand } from '#src/cli/market.js';
import { importFiles } from '#src/market/import/import-files.js';
import { movesWith, priceJumps, rescalingOf } from '#src/market/price-jumps.js';
import { DEFAULT_RULES, type MarketRules } from '#src/market/rules.js';
import { settlementGaps, settlementIntervals } from '#src/market/settlement-intervals.js';
import { jumpWarnings } from '#src/models/methodology/warnings.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { storedRows, temporaryFolder, withStore, writeFiles } from '../support/market-files.ts';
import { type Operations, openOperations } from '../support/operations.ts';
import { recorded } from '../support/recorded-output.ts';

const day = (text: string): number => parseIsoDate(text) as number;
const iso = (days: number): string => new Date(86_400_000 * days).toISOString().slice(0, 10);

/** Closes of days from one on, that move by 1 to 3 % up and down. */
const closes = (from: string, count: number, scale: (i: number) => number = () => 1) =>
  Array.from({ length: count }, (_, i) => {
    const price = 100 * (1 + 0.01 * ((i * 7) % 4)) * scale(i);
    return `${iso(day(from) + i)},${price.toFixed(6)},10`;
  });
const HEADER = 'date,close,volume';

async function storeOf(files: Readonly<Record<string, readonly string[]>>): Promise<string> {
  const folder = writeFiles(
    temporaryFolder(),
    Object.fromEntries(Object.entries(files).map(([name, lines]) => [`files/${name}`, [HEADER, ...lines]])),
  );
  const store = join(folder, 'market');
  await importFiles({ store, paths: [join(folder, 'files')] });
  return store;
}

describe('A jump of a price', () => {
  const [quiet, jump] = [
    [1, 1.02, 1, 1.03, 1, 1.02, 1],
    [1, 1.02, 1, 1.03, 0.0103, 0.0102, 0.0104],
  ];

  it('is a return of more than 20 scales and a factor above 1.5', () => {
    expect(priceJumps(quiet)).toEqual([]);
    expect(priceJumps(jump)).toMatchObject([{ point: 4, factor: expect.closeTo(0.01, 12) }]);
    expect(priceJumps([1, 1.001, 1, 1.001, 1, 0.7, 0.7])).toEqual([]);
    // A volatile price halves now and then.
    expect(priceJumps([1, 1.3, 1, 1.3, 1, 0.5, 0.6])).toEqual([]);
    expect(priceJumps([1, 1, 5])).toEqual([]);
  });

  it('has a counterpart in another price that moves with it', () => {
    const [found] = priceJumps(jump);
    expect(movesWith(quiet, found)).toBe(false);
    expect(movesWith([1, 1.02, 1, 1.03, 0.5, 0.51, 0.5], found)).toBe(true);
    expect(movesWith([1, 1.02, 1, 1.03, 2, 2.02, 2], found)).toBe(false);
  });

  it.each([
    [0.0104, 0.01],
    [0.09, 0.1],
    [950, 1000],
    [0.5, 0.5],
    [0.0333, 0.0333],
  ])('of %d is rescaled by %d', (factor, by) => {
    expect(rescalingOf({ factor })).toBe(by);
  });
});

describe('A redenominated coin', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });
  const BODY = {
    type: 'GBM',
    params: {
      collateral_weights: { DOT: 1 },
      loan_weights: { USD: 1 },
      analysis_date: '03-30-2024',
      model_lookback: 60,
      var_duration: [1],
      quantile: [0.95],
      loan_value: 100_000,
      collateral_value: 150_000,
      mc_iter: 200,
    },
  };
  const warnings = (store: string) =>
    withStore(store, async market => {
      const { filled } = await operations.answer(VALUE_AT_RISK_QUESTION, BODY, { market });
      return filled.map(
        ({ symbol, jump }) => `${symbol} ${jump?.at} ${jump?.factor.toFixed(3)} ${jump?.series}`,
      );
    });
  const files = (ofBtc: (i: number) => number = () => 1) => ({
    'kraken_DOTUSD_1d.csv': closes('2024-01-01', 90, i => (i < 60 ? 1 : 0.01)),
    'kraken_BTCUSD_1d.csv': closes('2024-01-01', 90, ofBtc),
  });

  it('is warned of where no other asset of the market moves with it, and its remedy ends the warning', async () => {
    const store = await storeOf(files());
    expect(await warnings(store)).toEqual(['DOT 2024-03-01 0.010 price DOT/USD kraken 1d']);
    const [warning] = await withStore(store, async market =>
      jumpWarnings((await operations.answer(VALUE_AT_RISK_QUESTION, BODY, { market })).filled),
    );
    expect(warning).toEqual({
      code: 'price-jump',
      message: expect.stringContaining(
        ': market rescale price DOT/USD kraken 1d --before 2024-03-01 --by 0.01.',
      ),
    });
    const place = { store, rules: DEFAULT_RULES };
    const { code, out } = await recorded(output =>
      runMarketCommand(
        'rescale price DOT/USD kraken 1d --before 2024-03-01 --by 0.01'.split(' '),
        place,
        output,
      ),
    );
    expect([code, out]).toEqual([
      0,
      '60 rows of price DOT/USD kraken 1d before 2024-03-01: prices times 0.01, volumes divided by it. market undo restores them.\n',
    ]);
    const rows = await storedRows(store, 'price DOT/USD kraken 1d', ['close', 'volume']);
    expect(rows.slice(59, 61)).toEqual([
      [expect.closeTo(1.01, 10), expect.closeTo(1000, 10)],
      [1, 10],
    ]);
    expect(await warnings(store)).toEqual([]);
    await recorded(output => runMarketCommand(['undo'], place, output));
    expect(await warnings(store)).toHaveLength(1);
    const wrong = await recorded(output =>
      runMarketCommand(
        'rescale price ETH/USD kraken 1d --before 2024-03-01 --by 10'.split(' '),
        place,
        output,
      ),
    );
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('holds no series "price ETH/USD kraken 1d"'),
    });
  });

  it('is none where another asset of the market falls with it', async () => {
    expect(await warnings(await storeOf(files(i => (i < 60 ? 1 : 0.5))))).toEqual([]);
  });
});

describe('A renamed coin', () => {
  const OLD = closes('2024-01-01', 60);
  const NEW = closes('2024-03-04', 60);
  const files = (from: string, to: string) => ({
    [`binance_${from}USDT_1d.csv`]: OLD,
    [`binance_${to}USDT_1d.csv`]: NEW,
  });
  const RULES: MarketRules = { ...DEFAULT_RULES, renamed: { MATIC: 'POL' } };
  const ask = (store: string, symbol: string, rules?: MarketRules) =>
    withStore(
      store,
      async market => {
        const { prices, filled } = await market.dailyCloses(
          [market.symbols.resolve(symbol)],
          day('2024-04-10'),
          80,
        );
        return { first: prices[0][0], last: prices[0][79], filled };
      },
      rules,
    ).catch((error: { faults: readonly { message: string }[] }) => error.faults[0].message);

  it('is refused under both names with the rule that joins them', async () => {
    const store = await storeOf(files('MATIC', 'POL'));
    const rule = 'the rule "renamed": {"MATIC": "POL"} of MARKET_RULES joins the two';
    expect(await ask(store, 'POL')).toContain(
      `; MATIC has some of them, the other name of the coin: ${rule}`,
    );
    expect(await ask(store, 'MATIC')).toContain(
      `; POL has some of them, the other name of the coin: ${rule}`,
    );
  });

  it('is one series by the rule, under both names, with its volumes', async () => {
    const store = await storeOf(files('MATIC', 'POL'));
    for (const symbol of ['POL', 'MATIC'])
      expect(await ask(store, symbol, RULES)).toEqual({
        first: Number(OLD[21].split(',')[1]),
        last: Number(NEW[37].split(',')[1]),
        filled: [{ symbol: 'POL', count: 3, unit: 'day', of: 80 }],
      });
    await withStore(
      store,
      async market => {
        expect(await market.assets()).toMatchObject([
          {
            symbol: 'POL',
            firstDay: '2024-01-01',
            lastDay: '2024-05-02',
            sources: ['POL/USDT binance 1d', 'MATIC/USDT binance 1d'],
          },
        ]);
        expect((await market.list()).map(({ used }) => used)).toEqual([true, true]);
        const pol = { base: 'POL', quote: 'USDT', exchange: 'binance' };
        expect((await market.dailyVolumeUsd([pol], day('2024-01-10'), 2)).volumeUsd).toHaveLength(2);
      },
      RULES,
    );
  });

  it('of two coins is not joined, and no rule is named', async () => {
    const store = await storeOf(files('LUNA', 'LUNA2'));
    expect(await ask(store, 'LUNA2')).not.toContain('renamed');
  });
});

describe('The intervals of settlements', () => {
  const hoursOf = (...distances: number[]) =>
    [0, ...distances].map((_, i) => distances.slice(0, i).reduce((sum, each) => sum + each, 0));

  it.each([
    ['of one length', [8, 8, 8], [8, 8, 8, 8]],
    ['that become shorter', [8, 8, 8, 4, 4], [8, 8, 8, 8, 4, 4]],
    ['that become longer', [4, 4, 4, 8, 8, 8], [4, 4, 4, 4, 8, 8, 8]],
    ['with one missing', [4, 4, 8, 4, 4], [4, 4, 4, Number.NaN, 4, 4]],
    ['with one missing at the end', [4, 4, 8], [4, 4, 4, Number.NaN]],
    ['that are shorter once', [8, 8, 4, 8, 8], [8, 8, 8, 4, 8, 8]],
    ['with two days missing', [8, 8, 8, 48, 8, 8, 8], [8, 8, 8, 8, Number.NaN, 8, 8, 8]],
    ['of two', [24], [8, Number.NaN]],
  ])('%s', (_, distances, intervals) => {
    expect([...settlementIntervals(hoursOf(...distances), 8)]).toEqual(intervals);
  });

  it('have the settlements missing at the interval before them', () => {
    expect(settlementGaps(hoursOf(4, 4, 8, 4), 4)).toEqual([{ firstHour: 12, lastHour: 12, rows: 1 }]);
    expect(settlementGaps(hoursOf(8, 8, 8, 48, 8), 8)).toEqual([{ firstHour: 32, lastHour: 64, rows: 5 }]);
    expect(settlementGaps(hoursOf(8, 8, 8, 4, 4, 4, 1, 1, 1), 1)).toEqual([]);
  });
});

describe('The historical funding rate over a change of the interval', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });
  /** Two days of 8 hours at 0.0008, then two of 4 at 0.0002, up to 2024-03-10. */
  const END = Date.UTC(2024, 2, 11) / 3_600_000;
  const rows = (hours: readonly number[]) =>
    hours.map(before => `${(END - before) * 3_600_000},${before >= 48 ? 0.0008 : 0.0002}`);
  const EIGHT = [104, 96, 88, 80, 72, 64, 56, 48];
  const FOUR = [44, 40, 36, 32, 28, 24, 20, 16, 12, 8, 4, 0];
  const ask = async (files: Readonly<Record<string, readonly string[]>>, interval: number) => {
    const folder = temporaryFolder();
    const source = writeFiles(join(folder, 'files'), {
      'daily/btc_usdt.csv': ['date,close', ...closes('2024-02-20', 20).map(row => row.replace(/,10$/, ''))],
      ...Object.fromEntries(
        Object.entries(files).map(([name, lines]) => [name, ['calc_time,fundingRate', ...lines]]),
      ),
    });
    await importFiles({
      store: join(folder, 'market'),
      paths: [source],
      options: { fundingUnit: 'fraction' },
    });
    return withStore(join(folder, 'market'), market =>
      operations.answer(
        PERPETUAL_QUESTION,
        {
          model: 'GBM',
          market: 'btc',
          model_lookback: 4,
          trade_duration_hours: 24,
          contract_type: 'linear',
          funding_method: 'flat',
          entry_price: 100,
          initial_margin: 20,
          position_size: 1,
          contract_size: 1,
          funding_rate: 'historical',
          funding_interval_hour: interval,
          analysis_date: '03-10-2024',
          mc_iter: 20,
        },
        { market },
      ),
    );
  };
  // Of the window, 48 hours have 0.0001 an hour and 48 have 0.00005.
  const PER_HOUR = 0.000075;

  it.each([8, 4])('is weighted by time, for an interval of %d hours, from one file', async interval => {
    const { arguments: sent, basis } = await ask(
      { 'funding/binance_btc_usdt_perp.csv': rows([...EIGHT, ...FOUR]) },
      interval,
    );
    expect(sent.funding_rate).toBeCloseTo(PER_HOUR * interval, 15);
    expect(basis.funding?.settlements).toBe(18);
  });

  it('is the same from a file for each interval, and refuses another interval', async () => {
    const files = {
      'funding/binance_BTCUSDT_funding_1.csv': rows(EIGHT),
      'funding/binance_BTCUSDT_funding_2.csv': rows(FOUR),
    };
    expect((await ask(files, 8)).arguments.funding_rate).toBeCloseTo(PER_HOUR * 8, 15);
    await expect(ask(files, 1)).rejects.toMatchObject({
      faults: [{ message: expect.stringContaining('funding_interval_hour must be 4 or 8') }],
    });
  });

  it('is refused where a settlement is missing', async () => {
    const files = {
      'funding/binance_btc_usdt_perp.csv': rows([...EIGHT, ...FOUR.filter(hour => hour !== 20)]),
    };
    await expect(ask(files, 8)).rejects.toMatchObject({
      faults: [{ message: expect.stringContaining('is missing for 2024-03-10T04:00Z (1 settlement)') }],
    });
  });
});
