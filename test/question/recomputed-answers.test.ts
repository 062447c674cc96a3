/** Answers on real data beside figures that plain code makes of the same files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { RiskError } from '#src/core/errors.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { PERPETUAL_QUESTION } from '#src/question/perpetual/isolated-perpetual.js';
import { STRESS_QUESTION } from '#src/question/stress/stress.js';
import { type Asked, type Operations, openOperations } from '../support/operations.ts';
import { describeWithSharedData } from '../support/shared-data.ts';

describeWithSharedData('Recomputed from the files', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });
  const answer = (question: Asked, body: object) => operations.answer(question, body, {});

  /** Closes by the first column, a date or the opening of an hour. */
  const closesOf = (file: string) =>
    new Map(
      readFileSync(join(dataDir, file), 'utf8')
        .trim()
        .split('\n')
        .slice(1)
        .map(row => row.trim().split(','))
        .map(cells => [cells[0], Number(cells[4])] as const),
    );
  /** Log returns of both assets on the days up to `last` on which both have two closes in a row. */
  function returnsOf(names: readonly [string, string], last: string, days: number) {
    const [a, b] = names.map(name => closesOf(`daily/${name}_usdt.csv`));
    const dayOf = (k: number) =>
      new Date(Date.parse(last) - (days - k) * 86_400_000).toISOString().slice(0, 10);
    const pairs: [number, number][] = [];
    for (let k = 1; k <= days; k++) {
      const [x, y] = [a, b].map(closes => {
        const [before, now] = [closes.get(dayOf(k - 1)), closes.get(dayOf(k))];
        return before === undefined || now === undefined ? Number.NaN : Math.log(now / before);
      });
      if (Number.isFinite(x + y)) pairs.push([x, y]);
    }
    const mean = (of: (pair: [number, number]) => number) =>
      pairs.reduce((sum, pair) => sum + of(pair), 0) / pairs.length;
    const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
    const covariance = (i: 0 | 1, j: 0 | 1) =>
      mean(pair => (pair[i] - [mx, my][i]) * (pair[j] - [mx, my][j]));
    return {
      correlation: covariance(0, 1) / Math.sqrt(covariance(0, 0) * covariance(1, 1)),
      slopeOnSecond: covariance(0, 1) / covariance(1, 1),
    };
  }
  const terms = { mc_top_up: 0, quantile: [0.95] };
  const common = { analysis_date: '06-30-2024', model_lookback: 90, quantile: [0.95], sale_cost: 0.01 };
  const loan = (id: string, asset: string, ltv: number, others: object) => ({
    ...{ id, collateral_weights: { [asset]: 1 }, loan_weights: { USD: 1 }, loan_value: 1000 * ltv },
    ...{ loan_duration: 7, maturity_days: null, mc_top_up: terms.mc_top_up },
    ...{ N: 1 / ltv, M: 1 / 0.86, L: 1 / 0.86, R: 1 / 0.8 },
    ...others,
  });
  const stress = async (loans: readonly object[]) => {
    const params = { ...common, mc_iter: 0, sale_delay: 0, scenarios: ['covid-2020'], loans };
    const { result, warnings } = await answer(STRESS_QUESTION, { type: 'GBM', params });
    const { Scenarios } = result as unknown as {
      Scenarios: Record<string, { Replay: { Liquidated: number; Loss: number; ForcedSaleUsd: number } }>;
    };
    return { replay: Scenarios['covid-2020'].Replay, warnings };
  };

  it('March 2020 liquidates the loans whose lowest hourly close reaches 86 %, with a horizon of one day and of seven', async () => {
    const hours = closesOf('hourly/btc_usdt.csv');
    // The close of the bar that ends at an hour stands at the opening of the hour before.
    const window = Array.from({ length: 97 }, (_, k) =>
      hours.get(
        new Date(Date.parse('2020-03-11T00:00Z') + (k - 1) * 3_600_000).toISOString().replace('.000', ''),
      ),
    ) as number[];
    const relatives = window.map(close => close / window[0]);
    const ltvs = Array.from({ length: 40 }, (_, k) => 0.3 + 0.0137 * k);
    let [sold, lost, count] = [0, 0, 0];
    for (const ltv of ltvs) {
      const hour = relatives.findIndex(relative => relative < ltv / 0.86);
      if (hour < 0) continue;
      const proceeds = 0.99 * relatives[hour] * 1000;
      const debt = 1000 * ltv;
      count += 1;
      sold += relatives[hour] * 1000;
      lost += Math.max(0, debt - proceeds);
    }
    expect(count).toBeGreaterThan(10);
    expect(count).toBeLessThan(ltvs.length);
    for (const loan_duration of [1, 7]) {
      const loans = ltvs.map((ltv, k) => loan(`l${k}`, 'BTC', ltv, { loan_duration }));
      const { replay, warnings } = await stress(loans);
      expect(replay.Liquidated).toBe(count);
      expect(replay.Loss).toBeCloseTo(lost, 6);
      expect(replay.ForcedSaleUsd).toBeCloseTo(sold, 6);
      expect(warnings?.map(({ code }) => code)).not.toContain('replay-cut');
    }
  });

  it('SOL follows ETH through March 2020 with the slope of their daily closes of a year', async () => {
    const { slopeOnSecond } = returnsOf(['sol', 'eth'], '2024-06-30', 365);
    const { warnings } = await stress([loan('s', 'AAVE', 0.5, {})]);
    const aave = returnsOf(['aave', 'eth'], '2024-06-30', 365).slopeOnSecond;
    const messages = (warnings ?? []).map(({ message }) => message).join(' ');
    expect(messages).toContain(`AAVE by ETH, beta ${Math.round(100 * aave) / 100} of its daily closes`);
    expect(slopeOnSecond).not.toBeCloseTo(aave, 2);
  });

  it('WBTC and BTC are named as a pair with the correlation of their daily closes', async () => {
    const { correlation } = returnsOf(['wbtc', 'btc'], '2024-06-30', 90);
    expect(correlation).toBeGreaterThan(0.99);
    const loans = [loan('w', 'WBTC', 0.5, { loan_weights: { BTC: 1 } })];
    const params = { ...common, mc_iter: 100, sale_delay: 0, loans };
    const { warnings } = await answer(BOOK_QUESTION, { type: 'GBM', params });
    const pegged = warnings?.find(({ code }) => code === 'pegged-pair');
    expect(pegged?.message).toContain(`WBTC and BTC (${correlation.toFixed(4)})`);
  });

  it('A perpetual far from its entry starts at the close of the file, as mark or as profit', async () => {
    const close = closesOf('daily/btc_usdt.csv').get('2024-06-30') as number;
    const entry_price = 75_000;
    const position = (start: object) => {
      const params = {
        ...{ market: 'BTC', model_lookback: 90, trade_duration_hours: 168, contract_type: 'linear' },
        ...{ funding_method: 'flat', entry_price, funding_rate: 0, funding_interval_hour: 8 },
        ...{ contract_size: 1, position_size: 1, initial_margin: 15_000, analysis_date: '06-30-2024' },
        ...{ mc_iter: 5000, model: 'GBM', ...start },
      };
      return answer(PERPETUAL_QUESTION, params);
    };
    const shown = async (start: object) => {
      const { result } = await position(start);
      return (result as { PrLiquidation: number }).PrLiquidation;
    };
    const atClose = await shown({ mark_price: 'close' });
    expect(await shown({ mark_price: close })).toBe(atClose);
    expect(await shown({ unrealized_pnl: close - entry_price })).toBe(atClose);
    const { result, warnings } = await position({});
    expect((result as { PrLiquidation: number }).PrLiquidation).toBeLessThan(atClose / 2);
    expect(warnings?.find(({ code }) => code === 'starts-at-entry')?.message).toContain(String(close));
    const refused = await position({ mark_price: close, unrealized_pnl: 0 }).catch(
      (error: RiskError) => error,
    );
    expect(refused).toBeInstanceOf(Error);
  });
});
