/** The body of a report on a tape with a young asset: its loans are faults, left out, or joined by a proxy. */
import { expect, it } from 'vitest';
import { closesAt } from '#src/market/closes-at.js';
import { readReportBody } from '#src/question/reading/report-body.js';
import { cashIsDollar } from '#src/text/symbols.js';
import { marketOfSeries } from '../../support/market-of-series.ts';

const NOW = new Date('2026-01-10T09:00:00Z');
const LAST = Date.UTC(2026, 0, 9) / 86_400_000;
const closes = (count: number, price: number) => ({
  first: LAST - count + 1,
  values: new Float64Array(count).fill(price),
});
const market = marketOfSeries({
  daily: {
    BTC: closes(400, 50_000),
    NEW: closes(10, 2),
    HOLE: {
      first: LAST - 399,
      values: closes(400, 3).values.map((close, t) => (t > 375 && t < 385 ? Number.NaN : close)),
    },
  },
});
const LOANS = [
  'loan_id,collateral_asset,collateral_amount,loan_asset,loan_amount,margin_call_ltv,liquidation_ltv,grace_hours',
  'a,BTC,2,USD,50000,80 %,90 %,24',
  'b,NEW,50000,USD,40000,80 %,90 %,24',
  'c,HOLE,50000,USD,30000,80 %,90 %,24',
].join('\n');
const read = (members: object) =>
  readReportBody(
    Buffer.from(JSON.stringify({ tape: LOANS, types: ['GBM'], model_lookback: 90, ...members })),
    {
      moment: NOW.getTime(),
      lastDays: ['BTC', 'NEW', 'HOLE'].map(symbol => [symbol, '2026-01-09'] as const),
    },
    cashIsDollar,
    closesAt(market, NOW),
  );

it('A loan of a young asset is a fault with its line, the missing days, and a remedy, and so is one with a hole', async () => {
  const { faults } = (await read({})) as { readonly faults?: readonly { path: string; message: string }[] };
  expect(faults?.map(({ path }) => path)).toEqual(['line.3.collateral_asset', 'line.4.collateral_asset']);
  expect(faults?.map(({ message }) => message)).toEqual([
    'line 3, loan b, collateral_asset: The daily price of NEW is missing for 2025-10-11 to 2025-12-30 (81 days); available: 2025-12-31 to 2026-01-09. ' +
      'Name an asset that stands in before its first close ("proxy": {"NEW": {"asset": "ETH"}}), or import these prices (market import), or take a shorter window (model_lookback), or leave its loans out (skip_faulty: true).',
    'line 4, loan c, collateral_asset: The daily price of HOLE is missing for 2025-12-17 to 2025-12-25 (9 days); available: 2024-12-06 to 2026-01-09. ' +
      'Import these prices of HOLE (market import), or take a shorter window (model_lookback) or another analysis_date, or leave its loans out (skip_faulty: true).',
  ]);
});

it('Such loans are left out and totalled, and a proxy keeps that of the young asset', async () => {
  const tapeOf = async (members: object) => {
    const body = await read({ skip_faulty: true, ...members });
    if (!('value' in body)) throw new Error(JSON.stringify(body));
    const { loans, leftOut } = body.value.tape;
    return [loans.map(({ id }) => id), leftOut];
  };
  expect(await tapeOf({})).toEqual([['a'], { usd: 70_000, unknown: 0 }]);
  const proxy = { NEW: { asset: 'BTC', beta: 1.4 } };
  expect(await tapeOf({ proxy })).toEqual([['a', 'b'], { usd: 30_000, unknown: 0 }]);
});
