/** The prices behind the volatility of a perpetual: hours, days, or none (methodology 7.3). */
import { beforeAll, describe, expect, it } from 'vitest';
import { RiskError } from '#src/core/errors.js';
import { closingHour, type Series } from '#src/market/series.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { marketOfSeries } from '../../support/market-of-series.ts';
import { type Operations, openOperations } from '../../support/operations.ts';

const LAST_DAY = parseIsoDate('2024-03-10') as number;
const DAYS = 5;
/** Days move by a factor of 2, hours hardly: which of them was read shows in the answer's grid. */
const DAILY: Series = {
  first: LAST_DAY - 20,
  values: Float64Array.from({ length: 21 }, (_, i) => (i % 2 === 0 ? 100 : 200)),
};

/** Hours that end with the close of the last day, `count` of them, NaN from `gapStart` on for `gap` of them. */
function hours(count: number, gapStart = 0, gap = 0): Series {
  const values = Float64Array.from({ length: count }, (_, i) => 100 + (i % 3));
  return {
    first: closingHour(LAST_DAY) - count + 1,
    values: values.fill(Number.NaN, gapStart, gapStart + gap),
  };
}

const marketWith = (hourly: Series | undefined) =>
  marketOfSeries({ sample: true, daily: { BTC: DAILY }, hourly: { BTC: hourly } });

describe('the volatility of a perpetual', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });

  const ask = (hourly: Series | undefined) =>
    operations.answer(
      PERPETUAL_QUESTION,
      {
        model: 'GBM',
        market: 'BTC',
        model_lookback: DAYS,
        trade_duration_hours: 24,
        funding_method: 'flat',
        entry_price: 100,
        initial_margin: 10,
        position_size: 1,
        contract_type: 'linear',
        contract_size: 1,
        funding_rate: 0.0001,
        funding_interval_hour: 8,
        analysis_date: '03-10-2024',
        mc_iter: 100,
      },
      { market: marketWith(hourly) },
    );

  it('is that of hours if the window has them, with short gaps carried', async () => {
    const answer = await ask(hours(24 * DAYS + 1, 50, 6));
    expect(answer.basis.gridHours).toBe(1);
    expect(answer.filled).toEqual([{ symbol: 'BTC', count: 6, unit: 'hour', of: 24 * DAYS + 1 }]);
  });

  it.each([
    ['a gap of 7 hours', hours(24 * DAYS + 1, 50, 7), '7 hours'],
    ['hours that begin within it', hours(24 * 2), '73 hours'],
    ['one hour alone', hours(1), '120 hours'],
  ])('is refused with the missing hours if the window has %s', async (_, hourly, missing) => {
    const error = await ask(hourly).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toBeInstanceOf(RiskError);
    const { reason, faults } = error as RiskError;
    expect(reason).toBe('missing-market-data');
    expect(faults).toHaveLength(1);
    // The member of a request is found by its symbol.
    expect(faults[0].path).toBe('BTC');
    expect(faults[0].message).toContain(`(${missing})`);
  });

  it.each([
    ['none at all', undefined],
    [
      'hours only before the window',
      { first: closingHour(LAST_DAY) - 500, values: new Float64Array(90).fill(7) },
    ],
  ])('is that of days if the window has %s', async (_, hourly) => {
    expect((await ask(hourly)).basis.gridHours).toBe(24);
  });
});
