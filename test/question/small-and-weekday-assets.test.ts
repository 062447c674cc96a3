/** Assets with holes that stop no book: a currency with five closes a week, and one that is a small part of a basket. */
import { beforeAll, describe, expect, it } from 'vitest';
import { filledWarnings } from '#src/models/methodology/warnings.js';
import { BACKTEST_QUESTION } from '#src/question/backtest/back-test.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { VALUE_AT_RISK_QUESTION } from '#src/question/value-at-risk/value-at-risk.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { marketOfSeries } from '../support/market-of-series.ts';
import { type Operations, openOperations } from '../support/operations.ts';

const LAST = parseIsoDate('2024-04-30') as number;
const DAYS = 130;
const FIRST = LAST - DAYS + 1;
/** Closes of a fixed pattern, none on the days of a hole. */
const closes = (period: number, isHole: (day: number) => boolean) => ({
  first: FIRST,
  values: Float64Array.from({ length: DAYS }, (_, t) =>
    isHole(FIRST + t) ? Number.NaN : 10 * Math.exp(0.05 * Math.sin(period * t)),
  ),
});
const weekend = (day: number) => [0, 6].includes(new Date(86_400_000 * day).getUTCDay());
const easter = (first: string, last: string) => (day: number) =>
  weekend(day) || (day >= (parseIsoDate(first) as number) && day <= (parseIsoDate(last) as number));
const market = marketOfSeries({
  daily: {
    BTC: closes(1.3, () => false),
    ETH: closes(0.7, () => false),
    // Good Friday to Easter Monday: four days; a fifth on the Tuesday.
    EUR: closes(0.4, easter('2024-03-29', '2024-04-02')),
    JPY: closes(0.4, easter('2024-03-28', '2024-04-02')),
    DUST: closes(2.1, day => day % 5 === 0),
  },
});

let operations: Operations;
beforeAll(async () => {
  operations = await openOperations('sample');
});
const context = { market, now: new Date('2024-05-02T00:00:00Z') };

describe('A currency with five closes a week', () => {
  it('carries weekends and five days at Easter in a row, not six', async () => {
    const { carried, filled } = await market.dailyCloses(['EUR'], LAST, 100);
    const missing = Array.from({ length: 100 }, (_, k) => k).filter(k =>
      easter('2024-03-29', '2024-04-02')(LAST - 99 + k),
    );
    expect([...carried]).toEqual(missing);
    expect(filledWarnings(filled)).toEqual([]);
    await expect(market.dailyCloses(['JPY'], LAST, 100)).rejects.toThrow('JPY');
  });

  it('has the warning from a third of the window on, a coin from a quarter', () => {
    const warned = (symbol: string, count: number) =>
      filledWarnings([{ symbol, count, unit: 'day', of: 120 }]).map(({ code }) => code);
    expect([39, 40].map(count => warned('EUR', count))).toEqual([[], ['filled']]);
    expect([29, 30].map(count => warned('BTC', count))).toEqual([[], ['filled']]);
  });
});

describe('An asset with holes below 1 % of a basket', () => {
  const judged = async (share: number) => {
    const params = {
      ...{ weights: { BTC: 1 - share, DUST: share }, model_lookback: 30, quantile: [0.9], mc_iter: 100 },
      ...{ from: '03-01-2024', to: '04-28-2024' },
    };
    const { result } = await operations.answer(BACKTEST_QUESTION, { type: 'GBM', params }, context);
    return result as { readonly Forecasts: number; readonly Carried: number };
  };

  it('costs a back-test no day, and one of 1 % does', async () => {
    const isHole = (day: number) => day % 5 === 0;
    const days = Array.from({ length: 59 }, (_, k) => (parseIsoDate('2024-03-01') as number) + k);
    const lost = days.filter(day => isHole(day) || isHole(day + 1)).length;
    expect(await judged(0.0099)).toMatchObject({ Forecasts: 59, Carried: 0 });
    expect(await judged(0.01)).toMatchObject({ Forecasts: 59 - lost, Carried: lost });
  });

  it('changes no correlation of the others', async () => {
    const correlation = async (weights: Readonly<Record<string, number>>) => {
      const params = {
        ...{ collateral_weights: weights, loan_weights: { USD: 1 }, analysis_date: '04-30-2024' },
        ...{ model_lookback: 90, var_duration: [1], quantile: [0.9], mc_iter: 100 },
        ...{ loan_value: 50, collateral_value: 100 },
      };
      const query = { ...DEFAULT_QUERY, include: new Set(['model' as const]) };
      const { included } = await operations.answer(
        VALUE_AT_RISK_QUESTION,
        { type: 'GBM', params },
        { ...context, query },
      );
      const model = included?.Model as { symbols: string[]; correlation: number[][] };
      const [btc, eth] = ['BTC', 'ETH'].map(symbol => model.symbols.indexOf(symbol));
      return model.correlation[btc][eth];
    };
    const alone = await correlation({ BTC: 0.5, ETH: 0.5 });
    expect(alone).not.toBe(0);
    expect(await correlation({ BTC: 0.5, ETH: 0.491, DUST: 0.009 })).toBe(alone);
  });
});
