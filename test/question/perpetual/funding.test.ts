/** /isolated_perp_risk at the mean of settled funding rates: the choice of the settlements, and refusals. */
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { importFiles } from '#src/market/import/import-files.js';
import type { MarketData } from '#src/market/market-data.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { temporaryFolder, withStore, writeFiles } from '../../support/market-files.ts';
import { type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData, readColumn } from '../../support/shared-data.ts';

const HOUR = 3_600_000;
/** The window is the 5 days up to 2024-03-10: settlements after 00:00 of 03-06, that of 00:00 of 03-11 among them. */
const LOOKBACK = 5;
const END = Date.UTC(2024, 2, 11);
const SETTLEMENTS = 3 * LOOKBACK;

const iso = (ms: number): string => new Date(ms).toISOString();
const day = (ms: number): string => iso(ms).slice(0, 10);
/** The rate of the settlement so many before the last one of the window. */
const rateAt = (before: number): number => (before % 4) * 1e-4 - 5e-5;

/** Settlements around the window, newest last. @param keep selects the stored ones */
const settlements = (scale: number, keep: (before: number) => boolean = () => true): string[] => [
  'timestamp,funding_rate',
  ...Array.from({ length: SETTLEMENTS + 8 }, (_, i) => SETTLEMENTS + 3 - i)
    .filter(keep)
    .map(before => `${iso(END - 8 * before * HOUR)},${scale * rateAt(before)}`),
];

const BODY = {
  model: 'GBM',
  market: 'btc',
  model_lookback: LOOKBACK,
  trade_duration_hours: 72,
  contract_type: 'linear',
  funding_method: 'flat',
  entry_price: 100,
  initial_margin: 20,
  position_size: 1,
  contract_size: 1,
  funding_rate: 'historical',
  funding_interval_hour: 8,
  analysis_date: '03-10-2024',
  mc_iter: 200,
};

async function withFunding<T>(
  files: Readonly<Record<string, readonly string[]>>,
  use: (market: MarketData) => Promise<T>,
): Promise<T> {
  const folder = temporaryFolder();
  const prices = Array.from({ length: 10 }, (_, i) => `${day(END - (10 - i) * 24 * HOUR)},${100 + (i % 3)}`);
  const source = writeFiles(join(folder, 'files'), {
    'daily/btc_usdt.csv': ['date,close', ...prices],
    ...files,
  });
  await importFiles({ store: join(folder, 'market'), paths: [source] });
  return withStore(join(folder, 'market'), use);
}

describe('the historical funding rate', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });

  const ask = (market: MarketData, changes: object = {}) =>
    operations.answer(PERPETUAL_QUESTION, { ...BODY, ...changes }, { market });

  it('is the mean of the settlements of the lookback, with the answer of that number', async () => {
    await withFunding({ 'funding/binance_btc_usdt_perp.csv': settlements(1) }, async market => {
      const rates = Array.from({ length: SETTLEMENTS }, (_, before) => rateAt(before));
      const mean = rates.reduce((sum, rate) => sum + rate, 0) / SETTLEMENTS;
      const answer = await ask(market);
      // The order of the sum differs.
      expect(Math.abs((answer.arguments.funding_rate as number) - mean)).toBeLessThan(1e-18);
      expect(answer.basis.funding).toEqual({
        market: { base: 'BTC', quote: 'USDT', exchange: 'binance' },
        settlements: SETTLEMENTS,
      });
      const sent = await ask(market, { funding_rate: answer.arguments.funding_rate });
      expect(sent.result).toEqual(answer.result);
      expect(sent.arguments).toEqual(answer.arguments);
      expect(sent.basis.funding).toBeUndefined();
      expect(answer.result).not.toEqual((await ask(market, { funding_rate: 0 })).result);
    });
  });

  it('is that of the first exchange and then the first quote of the rules', async () => {
    const files = {
      'funding/bybit_btc_usdt_perp.csv': settlements(2),
      'funding/okx_btc_usdt_perp.csv': settlements(3),
      'funding/okx_btc_usd_perp.csv': settlements(4),
    };
    await withFunding(files, async market => {
      // Of the exchanges of the rules, okx comes before bybit; of the quotes, USD before USDT.
      expect((await ask(market)).basis.funding?.market).toEqual({
        base: 'BTC',
        quote: 'USD',
        exchange: 'okx',
      });
    });
  });

  it('is refused with the missing settlements', async () => {
    const gap = settlements(1, before => before !== 2 && before !== 5 && before !== 6);
    await withFunding({ 'funding/binance_btc_usdt_perp.csv': gap }, async market => {
      await expect(ask(market)).rejects.toMatchObject({
        reason: 'missing-market-data',
        faults: [
          {
            path: 'funding.BTC',
            message:
              'The funding rate of BTC/USDT on binance is missing for 2024-03-09T00:00Z to 2024-03-09T08:00Z, 2024-03-10T08:00Z ' +
              '(3 settlements); available: 2024-03-05T00:00Z to 2024-03-12T08:00Z',
          },
        ],
      });
    });
  });

  it('is refused without settlements, together with missing prices', async () => {
    await withFunding({}, async market => {
      await expect(ask(market, { model_lookback: 30 })).rejects.toMatchObject({
        reason: 'missing-market-data',
        faults: [
          {
            code: 'no_data',
            path: 'BTC',
            message: expect.stringContaining('The daily price of BTC is missing'),
          },
          { code: 'no_data', path: 'funding.BTC', message: 'No funding rate of BTC is available' },
        ],
      });
    });
  });

  it('is refused for another interval than that of the settlements', async () => {
    await withFunding({ 'funding/binance_btc_usdt_perp.csv': settlements(1) }, async market => {
      await expect(ask(market, { funding_interval_hour: 1 })).rejects.toMatchObject({
        reason: 'invalid-request',
        faults: [
          {
            path: 'funding_interval_hour',
            message:
              'funding_interval_hour must be 8, the time between settlements of BTC/USDT on binance, where funding_rate is "historical"; got 1',
          },
        ],
      });
    });
  });
});

describeWithSharedData('the historical funding rate of real settlements', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  it('is the mean of the rows of the file', async () => {
    const path = join(dataDir, 'funding/binance_btc_usdt_perp.csv');
    const times = readColumn(path, 'timestamp');
    const [from, to] = [Date.UTC(2024, 0, 1), Date.UTC(2024, 0, 31)];
    const rates = readColumn(path, 'funding_rate')
      .map(Number)
      .filter((_, i) => Date.parse(times[i]) > from + HOUR / 2 && Date.parse(times[i]) < to + HOUR / 2);
    expect(rates).toHaveLength(90);
    const { arguments: echoed } = await operations.answer(PERPETUAL_QUESTION, {
      ...BODY,
      model_lookback: 30,
      analysis_date: '01-30-2024',
    });
    const mean = rates.reduce((sum, rate) => sum + rate, 0) / 90;
    expect(Math.abs((echoed.funding_rate as number) - mean)).toBeLessThan(1e-18);
  });
});
