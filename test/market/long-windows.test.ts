/** A history of many assets and years leaves the event loop between its series. */
import { expect, it } from 'vitest';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { marketOfSeries } from '../support/market-of-series.ts';

it('Long windows are cut one in a turn of the event loop', async () => {
  const first = parseIsoDate('2020-01-01') as number;
  const series = { first: 24 * first + 1, values: new Float64Array(24 * 500).fill(1) };
  const symbols = Array.from({ length: 20 }, (_, k) => `A${k}`);
  const market = marketOfSeries({ hourly: Object.fromEntries(symbols.map(symbol => [symbol, series])) });
  let turns = 0;
  const count = () => {
    turns += 1;
    immediate = setImmediate(count);
  };
  let immediate = setImmediate(count);
  const { prices } = await market.history(symbols, first + 499, 450, { hours: 24, days: 1 });
  clearImmediate(immediate);
  expect([prices.length, prices[0].length]).toEqual([20, 24 * 451]);
  expect(turns).toBeGreaterThanOrEqual(20);
});
