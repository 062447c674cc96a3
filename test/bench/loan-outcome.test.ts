/** Outcomes of loans on real prices, against a loan walked by hand through the raw file. */
import { beforeAll, expect, it } from 'vitest';
import { type Day, parseIsoDate } from '#src/text/calendar-date.js';
import { loanOutcome } from '../../bench/backtests/loan-outcome.ts';
import { type Operations, openOperations } from '../support/operations.ts';
import { describeWithSharedData, readColumn } from '../support/shared-data.ts';

const TERMS = { asset: 'BTC', durationDays: 30, topUpHours: 24 };

describeWithSharedData('What became of a loan', dataDir => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  it('is that of the hours after its day', async () => {
    const file = `${dataDir}/hourly/btc_usdt.csv`;
    const stamps = readColumn(file, 'timestamp');
    const closes = readColumn(file, 'close').map(Number);
    const seen = new Set<string>();
    for (const date of ['2022-05-01', '2022-06-01', '2022-11-01', '2023-10-01', '2024-07-20', '2025-02-01']) {
      // The bar that opens at 23:00 closes the day.
      const start = stamps.indexOf(`${date}T23:00:00Z`);
      expect(start, date).toBeGreaterThan(0);
      for (const N of [1.05, 1.2, 1.5]) {
        const ratios = { N, M: 1 + 0.7 * (N - 1), L: 1 + 0.3 * (N - 1), R: N };
        const coverage = closes.slice(start + 1, start + 721).map(close => (N * close) / closes[start]);
        const outcome = await loanOutcome(
          { ...TERMS, ...ratios },
          parseIsoDate(date) as Day,
          operations.market,
          operations.engines,
        );
        const states = walked(coverage, ratios);
        expect(outcome, `${date} ${N}`).toEqual(states);
        seen.add(JSON.stringify(states));
      }
    }
    expect(seen.size, 'different courses').toBeGreaterThan(3);
  });

  it('is not known before the term has ended', async () => {
    const loan = { ...TERMS, N: 1.5, M: 1.35, L: 1.15, R: 1.5 };
    const day = parseIsoDate('2026-07-10') as Day;
    expect(await loanOutcome(loan, day, operations.market, operations.engines)).toBeUndefined();
  });
});

/** The rules of methodology part 4, one hour after another. */
function walked(coverage: readonly number[], { M, L, R }: { M: number; L: number; R: number }) {
  const states = { marginCall: false, liquidation: false, closeout: false, underwater: false };
  states.underwater = coverage.some(ratio => ratio < 1);
  let deadline: number | undefined;
  for (const [t, ratio] of coverage.entries()) {
    if (ratio < L) {
      states.marginCall = true;
      states.liquidation = true;
      return states;
    }
    if (deadline !== undefined && ratio >= R) deadline = undefined;
    if (deadline === undefined && ratio < M) {
      states.marginCall = true;
      deadline = t + 24;
    }
    if (deadline !== undefined && t >= deadline) {
      states.closeout = true;
      return states;
    }
  }
  return states;
}
