/** The call sheet: open calls, deadlines, and amounts that cure, by another way than that of the program. */
import { describe, expect, it } from 'vitest';
import { callTables } from '#src/desk/call-sheet.js';
import { callMessage, deadlinesSentence } from '#src/desk/call-text.js';
import { callsOf } from '#src/desk/calls.js';
import type { LoanTerms, TapeLoan } from '#src/tape/tape.js';
import { DESK_RESULT } from '../support/desk-result.ts';

const PRICES = new Map([
  ['BTC', 50_000],
  ['ETH', 2_500],
  ['USD', 1],
  ['EUR', 1.1],
]);
const AS_OF = Date.parse('2026-01-01T00:00Z');
const HOUR = 3_600_000;

/** 20 ETH and 1 BTC are worth 100,000. */
const loan = (id: string, ltv: number, terms: LoanTerms = {}, loanAsset = 'USD'): TapeLoan => ({
  id,
  lines: [2],
  collateral: [
    { asset: 'BTC', amount: 1 },
    { asset: 'ETH', valueUsd: 50_000 },
  ],
  loanAsset,
  loanAmount: (100_000 * ltv) / (PRICES.get(loanAsset) as number),
  terms: { margin_call_ltv: 0.8, liquidation_ltv: 0.9, recovery_ltv: 0.7, grace_hours: 24, ...terms },
});
const called = { called_at: AS_OF - 10 * HOUR };

describe('The call sheet', () => {
  it.each([
    ['USD', 0.85, 0.7],
    ['EUR', 0.81, 0.8],
    ['ETH', 0.899, 0.5],
  ])('has amounts of %s that bring an LTV of %d to %d, and no less does', (asset, ltv, recovery_ltv) => {
    const [call] = callsOf([loan('a', ltv, { recovery_ltv }, asset)], PRICES, AS_OF);
    const [btc, eth] = call.TopUp;
    // LTV with some more BTC, more ETH, and less debt.
    const ltvWith = (addBtc: number, addEth: number, repaid: number) =>
      (100_000 * ltv - repaid * (PRICES.get(asset) as number)) / (100_000 + 50_000 * addBtc + 2_500 * addEth);
    for (const [share, end] of [
      [1, recovery_ltv],
      [0, ltv],
    ]) {
      expect(ltvWith(share * btc.Units, 0, 0)).toBeCloseTo(end, 12);
      expect(ltvWith(0, share * eth.Units, 0)).toBeCloseTo(end, 12);
      expect(ltvWith(0, 0, share * call.Repay.Units)).toBeCloseTo(end, 12);
    }
    expect(ltvWith(0.999 * btc.Units, 0, 0)).toBeGreaterThan(recovery_ltv);
    expect([call.TopUpUsd, call.RepayUsd]).toEqual([
      expect.closeTo(50_000 * btc.Units, 6),
      expect.closeTo(call.Repay.Units * (PRICES.get(asset) as number), 6),
    ]);
  });

  it.each<[what: string, loan: TapeLoan, isIn: boolean]>([
    ['above its margin call', loan('a', 0.85), true],
    ['at its margin call', loan('a', 0.8), false],
    ['called, below its margin call and above its recovery', loan('a', 0.75, called), true],
    ['called, and cured', loan('a', 0.7, called), false],
    ['never called, between the two', loan('a', 0.75), false],
    ['beyond liquidation', loan('a', 0.95, called), false],
    ['without a call of its terms', loan('a', 0.85, { margin_call_ltv: 0.9, ...called }), false],
  ])('a loan %s', (_, each, isIn) => {
    expect(callsOf([each], PRICES, AS_OF)).toHaveLength(Number(isIn));
  });

  it('counts deadlines from the call, or from the end of the data, the first one first', () => {
    const loans = [
      loan('none', 0.82),
      loan('open', 0.83, called),
      loan('late', 0.84, { called_at: AS_OF - 30 * HOUR }),
      loan('morning', 0.85, { called_at: AS_OF + 8 * HOUR, grace_hours: 6 }),
    ];
    const calls = callsOf(loans, PRICES, AS_OF);
    expect(calls.map(({ Id, CalledBy, Deadline, HoursLeft }) => [Id, CalledBy, Deadline, HoursLeft])).toEqual(
      [
        ['late', 'tape', '2025-12-31T18:00Z', -6],
        ['morning', 'tape', '2026-01-01T14:00Z', 14],
        ['open', 'tape', '2026-01-01T14:00Z', 14],
        ['none', 'end of the data', '2026-01-02T00:00Z', 24],
      ],
    );
    expect(deadlinesSentence({ Calls: calls })).toBe(
      'Of 4 open margin calls the deadline of 1 call has passed (late); the next deadline is 2026-01-01 14:00 UTC (morning).',
    );
  });

  it('says in a message what cures, rounded up', () => {
    const [call] = callsOf([loan('a', 0.85, called)], PRICES, AS_OF);
    expect(callMessage(call, '2026-01-01T00:00Z')).toBe(
      'Loan a is in margin call since 2025-12-31 14:00 UTC: its LTV is 85.00 %, and the call ends at 70.00 %. ' +
        'By 2026-01-01 14:00 UTC add collateral of 21,428.58 USD (0.4285715 BTC or 8.571429 ETH), or repay 15,000.00 USD. ' +
        'Prices of 2025-12-31, 24:00 UTC, USD: BTC 50000, ETH 2500.',
    );
  });

  it('has texts, numbers and dates as such, and an id of digits as text', () => {
    const { Data } = DESK_RESULT;
    const Calls = callsOf([loan('00123', 0.85, called)], PRICES, AS_OF);
    const [{ data }, byAsset] = callTables({ Calls, Data });
    const types = data[1].map(cell => cell && [cell.type, typeof cell.value]);
    expect(types[0]).toEqual([String, 'string']);
    expect(data[1][0]?.value).toBe('00123');
    expect(data[1].flatMap(cell => (cell?.type === Date ? [cell.value] : []))).toEqual([
      new Date('2026-01-01T14:00Z'),
      new Date('2025-12-31T14:00Z'),
    ]);
    expect(byAsset.data.slice(1).map(row => row.slice(4, 6).map(cell => cell?.value))).toEqual([
      ['add collateral', 'BTC'],
      ['add collateral', 'ETH'],
      ['repay', 'USD'],
    ]);
  });
});
