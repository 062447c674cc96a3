/** A proxy continues the history of a young asset: the closes of a window, the questions that fit it, and what they state. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MissingMarketData } from '#src/market/missing-data.js';
import type { Series } from '#src/market/series.js';
import { ACCOUNT_QUESTION } from '#src/question/account/cross-perpetual.js';
import { ADVANCE_RATE_QUESTION } from '#src/question/advance-rate/advance-rate.js';
import { BACKTEST_QUESTION } from '#src/question/backtest/back-test.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { marketOfSeries } from '../../support/market-of-series.ts';
import { type Asked, type Operations, openOperations } from '../../support/operations.ts';

/** Days up to 2024-06-30, and first day with a close of the young asset: the 40th before the last. */
const [FIRST, DAYS, YOUNG] = [19_783, 122, 82];
const LAST = FIRST + DAYS - 1;

/** Moves of a fixed pattern, uncorrelated with those of another period. */
const path = (scale: number, period: number): number[] => {
  let price = 100;
  return Array.from({ length: DAYS }, (_, t) => (price *= Math.exp(scale * Math.sin(period * t))));
};
const ETH = path(0.03, 1.7);
const OTHER = path(0.02, 0.9);
const NEW = ETH.map((close, t) => 5 * (close / ETH[0]) ** 1.5 * (OTHER[t] / OTHER[0]) ** 0.2).slice(YOUNG);
const series = (values: readonly number[], first = FIRST): Series => ({
  first,
  values: Float64Array.from(values),
});
const market = marketOfSeries({
  daily: { ETH: series(ETH), OTHER: series(OTHER), NEW: series(NEW, FIRST + YOUNG) },
});

describe('A market with joins', () => {
  const joined = (beta: number, asset = 'ETH') => market.joined(new Map([['NEW', { asset, beta }]]));

  it('has the log returns of the other asset times beta before the first close, which they meet', async () => {
    const { prices } = await joined(1.5).dailyCloses(['NEW', 'ETH'], LAST, DAYS);
    const [own, other] = prices;
    expect([...own.slice(YOUNG)]).toEqual(NEW);
    for (let t = 1; t <= YOUNG; t++)
      expect(Math.log(own[t] / own[t - 1])).toBeCloseTo(1.5 * Math.log(other[t] / other[t - 1]), 12);
  });

  it('stands still before the first close beside the dollar, and keeps the closes that are held', async () => {
    const { prices } = await joined(1, 'USD').dailyCloses(['NEW'], LAST, DAYS);
    expect(new Set(prices[0].slice(0, YOUNG))).toEqual(new Set([NEW[0]]));
    expect((await joined(1).heldCloses('NEW', FIRST, FIRST))[0]).toBeNaN();
  });

  it('lacks what the other asset lacks, and without a join its own closes', async () => {
    for (const each of [joined(1, 'SOL'), market])
      await expect(each.dailyCloses(['NEW'], LAST, DAYS)).rejects.toThrow(MissingMarketData);
    await expect(joined(1).dailyCloses(['NEW'], LAST, DAYS + 10)).rejects.toThrow(MissingMarketData);
  });

  it('joins hours where they begin with the daily closes, and never in the place of own daily ones', async () => {
    const hours = (from: number, value: number) =>
      series(new Array(24 * (LAST + 1) - from + 1).fill(value), from);
    const begin = 24 * (FIRST + YOUNG) + 5;
    const of = (firstHour: number) =>
      marketOfSeries({
        daily: { ETH: series(ETH), NEW: series(NEW, FIRST + YOUNG) },
        hourly: { ETH: hours(24 * FIRST, 7), NEW: hours(firstHour, 3) },
      }).joined(new Map([['NEW', { asset: 'ETH', beta: 2 }]]));
    const whole = await of(begin).hourlyCloses('NEW', LAST, 24 * 60);
    expect('prices' in whole && new Set(whole.prices[0])).toEqual(new Set([3]));
    expect(await of(begin + 24 * 10).hourlyCloses('NEW', LAST, 24 * 60)).toHaveProperty('missing');
  });
});

describe('A question with a proxy', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });
  const answer = (question: Asked, type: string, params: object, on = market) =>
    operations.answer(
      question,
      question === PERPETUAL_QUESTION ? { model: type, ...params } : { type, params },
      { market: on, now: new Date('2024-07-01T01:00:00Z') },
    );
  const window = { analysis_date: '06-30-2024', model_lookback: 120 };
  const given = { proxy: { NEW: { asset: 'ETH', beta: 1.5 } } };
  const tail = { ...window, var_duration: [1], quantile: [0.95], loan_value: 50, collateral_value: 100 };
  const exposure = { ...tail, collateral_weights: { NEW: 1 }, loan_weights: { USD: 1 }, mc_iter: 2000 };
  /** The market as if the young asset had had these closes. */
  const grown = (beta: number) => {
    const scale = NEW[0] / ETH[YOUNG] ** beta;
    const before = ETH.slice(0, YOUNG).map(close => scale * close ** beta);
    return marketOfSeries({
      daily: { ETH: series(ETH), OTHER: series(OTHER), NEW: series([...before, ...NEW]) },
    });
  };
  const terms = { N: 1.5, M: 1.3, L: 1.1, R: 1.4, mc_top_up: 24 };
  const loan = {
    ...{ id: 'a', collateral_weights: { NEW: 1 }, loan_weights: { USD: 1 } },
    ...{ loan_value: 100, loan_duration: 5, ...terms },
  };
  const { id: _, ...single } = loan;
  const position = {
    ...{
      market: 'NEW',
      trade_duration_hours: 48,
      contract_type: 'linear',
      contract_size: 1,
      position_size: 20,
    },
    ...{
      funding_method: 'flat',
      funding_rate: 0,
      funding_interval_hour: 8,
      entry_price: 5,
      initial_margin: 30,
    },
    maintenance_margin_rate: 0.01,
  };
  const QUESTIONS: readonly (readonly [name: string, Asked, type: string, params: object])[] = [
    ['/var under GBM', VALUE_AT_RISK_QUESTION, 'GBM', exposure],
    ['/var under HISTORICAL', VALUE_AT_RISK_QUESTION, 'HISTORICAL', { ...exposure, model_lookback: 110 }],
    ['/loan_risk', LOAN_QUESTION, 'FHS', { ...window, ...single, mc_iter: 500 }],
    [
      '/book_risk',
      BOOK_QUESTION,
      'STUDENT_T',
      { ...window, mc_iter: 500, quantile: [0.95], sale_delay: 2, sale_cost: 0.01, loans: [loan] },
    ],
    [
      '/advance_rate',
      ADVANCE_RATE_QUESTION,
      'GBM',
      {
        ...{ ...window, collateral_weights: { NEW: 1 }, loan_weights: { USD: 1 }, mc_iter: 500 },
        ...{ exposure_hours: [48], confidence: [0.95] },
      },
    ],
    ['/isolated_perp_risk', PERPETUAL_QUESTION, 'STUDENT_T', { ...window, ...position, mc_iter: 500 }],
    [
      '/cross_perp_risk',
      ACCOUNT_QUESTION,
      'GBM',
      {
        ...{
          ...window,
          mc_iter: 500,
          horizon_hours: 48,
          venue: 'simple',
          collateral: { USD: 30 },
          prices: { NEW: 5 },
        },
        positions: [
          {
            ...{ market: 'NEW', contract_type: 'linear', position_size: 20, entry_price: 5 },
            ...{
              funding_rate: 0,
              funding_interval_hour: 8,
              tiers: { unit: 'usd', tiers: [{ from: 0, rate: 0.01 }] },
            },
          },
        ],
      },
    ],
  ];
  it.each(QUESTIONS)(
    '%s is that of the joined closes, and says so',
    async (_name, question, type, params) => {
      const { result, warnings } = await answer(question, type, { ...params, ...given });
      const { result: same } = await answer(question, type, params, grown(1.5));
      // Closes are scaled in another order of operations.
      expect(JSON.parse(JSON.stringify(result), rounded)).toEqual(JSON.parse(JSON.stringify(same), rounded));
      expect(warnings).toContainEqual({
        code: 'joined-history',
        message:
          'Prices of the window are missing: NEW before 2024-05-22 moves as ETH, beta 1.5. What such an asset did by itself before is in no figure.',
      });
      await expect(answer(question, type, params)).rejects.toThrow('not complete: NEW');
    },
  );
  const rounded = (_key: string, value: unknown) =>
    typeof value === 'number' ? Number(value.toPrecision(9)) : value;

  it('takes the beta of the daily closes of both, and warns of no asset whose closes cover the window', async () => {
    const params = { ...exposure, proxy: { NEW: { asset: 'ETH' } } };
    const messages = async (lookback: number) =>
      (await answer(VALUE_AT_RISK_QUESTION, 'GBM', { ...params, model_lookback: lookback })).warnings
        ?.filter(({ code }) => code === 'joined-history')
        .map(({ message }) => message.split(': ')[1].split('. ')[0]);
    const [told] = (await messages(120)) ?? [];
    // 39 returns: 1.5, and a fifth of those of the other asset, which are all but uncorrelated.
    expect(told).toMatch(/^NEW before 2024-05-22 moves as ETH, beta 1\.\d\d? of its daily closes$/);
    expect(Math.abs(Number(told?.split(' ')[7]) - 1.5)).toBeLessThan(0.1);
    expect(await messages(36)).toEqual([]);
  });

  it('/backtest judges a basket on days before the first close, too, with the beta that each day knows', async () => {
    const params = {
      ...{ weights: { ETH: 0.9, NEW: 0.1 }, model_lookback: 30, quantile: [0.95], mc_iter: 200 },
      ...{ from: '05-01-2024', to: '06-28-2024' },
    };
    const { result, warnings } = await answer(BACKTEST_QUESTION, 'GBM', { ...params, ...given });
    const same = await answer(BACKTEST_QUESTION, 'GBM', params, grown(1.5));
    expect(JSON.parse(JSON.stringify(result), rounded)).toEqual(
      JSON.parse(JSON.stringify(same.result), rounded),
    );
    expect(warnings?.map(({ code }) => code)).toContain('joined-history');
  });
});
