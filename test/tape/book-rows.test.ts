/** Loans of a tape as rows of /book_risk, and faults of these as faults of the tape. */
import { describe, expect, it } from 'vitest';
import { BOOK_READING } from '#src/question/book/request.js';
import { type BookRow, bookRows, pricesOfRows } from '#src/tape/book-rows.js';
import { tapeFaultsOf } from '#src/tape/row-faults.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { parseIsoDate } from '#src/text/calendar-date.js';
import { readRequest } from '../support/request-bodies.ts';

const AS_OF = Date.UTC(2026, 0, 1);
const FOLLOWING = { asOfMs: AS_OF, horizonDays: 30 };
const PRICES = new Map([
  ['BTC', 50_000],
  ['ETH', 2_500],
  ['USD', 1],
  ['USDC', 0.5],
]);
const LOAN: TapeLoan = {
  id: 'a',
  lines: [2, 3],
  collateral: [
    { asset: 'BTC', amount: 1.5 },
    { asset: 'ETH', valueUsd: 25_000 },
  ],
  loanAsset: 'USDC',
  loanAmount: 100_000,
  terms: { margin_call_ltv: 0.75, liquidation_ltv: 0.85, grace_hours: 24, initial_ltv: 0.6 },
};
const rowOf = (loan: TapeLoan) => bookRows([loan], FOLLOWING, PRICES);
const withTerms = (terms: TapeLoan['terms']): TapeLoan => ({ ...LOAN, terms: { ...LOAN.terms, ...terms } });
const HOUR = 3_600_000;

/** The answer of /book_risk to rows. */
const checked = (rows: readonly BookRow[]) =>
  readRequest(BOOK_READING, parseIsoDate('2026-01-02') as number, {
    type: 'GBM',
    params: {
      model_lookback: 30,
      mc_iter: 10,
      quantile: [0.9],
      prices: pricesOfRows(rows, PRICES),
      loans: rows,
    },
  });

describe('A call after the end of the data', () => {
  const at = (called_at: number) => ({ ...withTerms({ called_at }), loanAmount: 160_000 });
  const following = { ...FOLLOWING, callsUntilMs: AS_OF + 9 * HOUR };

  it('counts from that end where it is not in the future, and is noted', () => {
    const { rows, faults, notes } = bookRows([at(AS_OF + 9 * HOUR)], following, PRICES);
    expect(faults).toEqual([]);
    expect(rows).toMatchObject([{ mc_top_up: 24, called_hours_ago: 0 }]);
    expect(notes.get('call-after-data')).toEqual(['a']);
    const before = bookRows([at(AS_OF), at(AS_OF - HOUR)], following, PRICES);
    expect(before.rows).toMatchObject([{ called_hours_ago: 0 }, { called_hours_ago: 1 }]);
    expect(before.notes.has('call-after-data')).toBe(false);
  });

  it('is not used where the prices of that end call no margin', () => {
    const { rows, notes } = bookRows([withTerms({ called_at: AS_OF + HOUR })], following, PRICES);
    expect(rows[0]).not.toHaveProperty('called_hours_ago');
    expect([...notes.keys()]).toContain('call-is-over');
    expect(notes.has('call-after-data')).toBe(false);
  });

  it('is a fault in the future', () => {
    expect(bookRows([at(AS_OF + 9 * HOUR + 1)], following, PRICES)).toMatchObject({
      rows: [],
      faults: [
        {
          ...{ line: 2, id: 'a', column: 'called_at' },
          message: 'the call of 2026-01-01T09:00Z lies in the future',
          remedy: 'Correct called_at (UTC), or leave it empty.',
        },
      ],
    });
  });
});

describe('A loan of a tape', () => {
  it('is a row of amounts; a value is divided by the price', () => {
    const { rows, faults } = rowOf(LOAN);
    expect(faults).toEqual([]);
    expect(rows).toEqual([
      {
        id: 'a',
        collateral: { BTC: 1.5, ETH: 10 },
        loan: { USDC: 100_000 },
        margin_call_ltv: 0.75,
        liquidation_ltv: 0.85,
        recovery_ltv: 0.6,
        loan_duration: 30,
        maturity_days: null,
        mc_top_up: 24,
      },
    ]);
  });

  it('is a row that /book_risk accepts, with all terms', async () => {
    const { rows } = rowOf({
      ...withTerms({
        maturity: AS_OF + 36 * HOUR,
        interest: 0.1,
        recovery_ltv: 0.65,
        top_up_share: 0.6,
        top_up_delay_hours: 6,
        partial_sale_to_ltv: 0.6,
        partial_sale_max_share: 0.5,
        sale_cost: 0.02,
        days_past_due: 45,
        stage: 2,
        origination_pd: 0.03,
      }),
      borrower: 'Ann',
    });
    expect(rows[0]).toMatchObject({
      borrower: 'Ann',
      loan_duration: 1.5,
      interest_rate: 0.1,
      recovery_ltv: 0.65,
      top_up: { share: 0.6, delay_hours: 6 },
      partial_sale: { to_ltv: 0.6, max_share: 0.5 },
      sale_cost: 0.02,
      days_past_due: 45,
      stage: 2,
      origination_pd: 0.03,
    });
    expect(await checked(rows)).toMatchObject({ ok: true });
  });

  it('is one row of several, in their order, whose notes name each of them', () => {
    const late = { ...withTerms({ called_at: AS_OF + HOUR }), id: 'late' };
    const { rows, loans, faults, notes } = bookRows(
      [{ ...LOAN, id: 'b' }, late, { ...LOAN, id: 'a' }],
      FOLLOWING,
      PRICES,
    );
    expect(rows.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(loans.map(({ id }) => id)).toEqual(['b', 'a']);
    expect(faults.map(({ id }) => id)).toEqual(['late']);
    expect([...notes]).toEqual([
      ['no-maturity', ['b', 'a']],
      ['no-answer', ['b', 'a']],
    ]);
    expect(Object.entries(pricesOfRows(rows, PRICES))).toEqual([
      ['BTC', 50_000],
      ['ETH', 2_500],
      ['USDC', 0.5],
    ]);
  });

  it('has the hours since its call only while it is in call, with a note otherwise', () => {
    const called = { ...withTerms({ called_at: AS_OF - 5 * HOUR }), loanAmount: 160_000 };
    expect(rowOf(called).rows[0]).toMatchObject({ called_hours_ago: 5 });
    const within = rowOf(withTerms({ called_at: AS_OF - 5 * HOUR }));
    expect(within.rows[0]).not.toHaveProperty('called_hours_ago');
    expect(within.notes.get('call-is-over')).toEqual(['a']);
  });

  it('has a note that says whether its call is over, open or followed by a liquidation', () => {
    const noteAt = (ltv: number, terms: TapeLoan['terms'] = {}) => {
      const called = withTerms({ called_at: AS_OF - 5 * HOUR, ...terms });
      const { rows, notes } = rowOf({ ...called, loanAmount: 200_000 * ltv });
      expect('called_hours_ago' in rows[0]).toBe(ltv > 0.75 && ltv <= 0.85);
      return [...notes.keys()].filter(note => note.startsWith('call-'));
    };
    expect(noteAt(0.6)).toEqual(['call-is-over']);
    expect(noteAt(0.61)).toEqual(['call-not-simulated']);
    expect(noteAt(0.75)).toEqual(['call-not-simulated']);
    expect(noteAt(0.71, { recovery_ltv: 0.7 })).toEqual(['call-not-simulated']);
    expect(noteAt(0.69, { recovery_ltv: 0.7 })).toEqual(['call-is-over']);
    // Without both the LTV of today ends a call.
    const { initial_ltv: _, ...withoutRecovery } = LOAN.terms;
    const cured = { ...LOAN, terms: { ...withoutRecovery, called_at: AS_OF }, loanAmount: 149_000 };
    expect([...rowOf(cured).notes.keys()]).toContain('call-is-over');
    expect(noteAt(0.8)).toEqual([]);
    expect(noteAt(0.851)).toEqual(['call-liquidated']);
  });

  it('begins with its call where margin_call_ltv is below its LTV, as the note advises', async () => {
    const called = withTerms({ called_at: AS_OF - 5 * HOUR, margin_call_ltv: 0.7 });
    const { rows } = rowOf({ ...called, loanAmount: 200_000 * 0.71 });
    expect(rows[0]).toMatchObject({ called_hours_ago: 5, recovery_ltv: 0.6 });
    expect(await checked(rows)).toMatchObject({ ok: true });
  });

  it('has no hours since a call that the tape does not name, though it is in call', () => {
    const { rows, notes } = rowOf({ ...LOAN, loanAmount: 160_000 });
    expect(rows[0]).not.toHaveProperty('called_hours_ago');
    expect([...notes.keys()]).toEqual(['no-maturity', 'call-without-time', 'no-answer']);
  });

  it('may be called at the end of the data', () => {
    const called = { ...withTerms({ called_at: AS_OF }), loanAmount: 160_000 };
    expect(rowOf(called).faults).toEqual([]);
    expect(rowOf(called).rows[0]).toMatchObject({ called_hours_ago: 0 });
  });

  it.each<[TapeLoan['terms'], readonly string[], number | undefined]>([
    [{}, ['no-maturity', 'no-recovery'], undefined],
    [{ recovery_ltv: 0.7 }, ['no-maturity'], 0.7],
    [{ initial_ltv: 0.6, recovery_ltv: 0.7 }, ['no-maturity'], 0.7],
    [{ initial_ltv: 0.6 }, ['no-maturity'], 0.6],
  ])('with %j has the notes %j and recovers at %s', (terms, notes, recovery) => {
    const { initial_ltv: _, ...others } = LOAN.terms;
    const row = rowOf({ ...LOAN, terms: { ...others, top_up_share: 0.5, ...terms } });
    expect([...row.notes]).toEqual(notes.map(note => [note, ['a']]));
    expect(row.rows[0].recovery_ltv).toBe(recovery);
  });

  it('runs to its maturity, at most to the horizon, with a note', () => {
    const far = rowOf(withTerms({ maturity: AS_OF + 90 * 24 * HOUR }));
    expect(far.rows[0]).toMatchObject({ loan_duration: 30, maturity_days: 90 });
    expect([...far.notes.keys()]).toEqual(['beyond-horizon', 'no-answer']);
    const atHorizon = rowOf(withTerms({ maturity: AS_OF + 30 * 24 * HOUR }));
    expect(atHorizon.rows[0]).toMatchObject({ loan_duration: 30 });
    expect([...atHorizon.notes.keys()]).toEqual(['no-answer']);
    const tomorrow = rowOf(withTerms({ maturity: AS_OF + 24 * HOUR }));
    expect(tomorrow.rows[0]).toMatchObject({ loan_duration: 1, maturity_days: 1 });
    expect([...rowOf(LOAN).notes.keys()]).toEqual(['no-maturity', 'no-answer']);
    const answered = rowOf(withTerms({ top_up_share: 0.5, top_up_delay_hours: 12 }));
    expect([...answered.notes.keys()]).toEqual(['no-maturity']);
  });

  it('stays where it is past maturity: due now, after its grace period or a day', async () => {
    for (const [grace_hours, days] of [
      [1, 1],
      [24, 1],
      [48, 2],
    ]) {
      const { rows, faults, notes } = rowOf(withTerms({ maturity: AS_OF, grace_hours }));
      expect(faults).toEqual([]);
      expect(rows).toMatchObject([{ loan_duration: days, maturity_days: days, mc_top_up: grace_hours }]);
      expect(notes.get('overdue')).toEqual(['a']);
      expect(await checked(rows)).toMatchObject({ ok: true });
    }
  });

  it('is refused with its line if it is called after the end of the data', () => {
    const { rows, faults } = rowOf(withTerms({ called_at: AS_OF + HOUR }));
    expect(rows).toEqual([]);
    expect(faults).toEqual([
      expect.objectContaining({
        line: 2,
        id: 'a',
        column: 'called_at',
        message: 'the call of 2026-01-01T01:00Z lies after the end of the data, the end of 2025-12-31',
      }),
    ]);
  });

  it('reports faults of its row at its line and its column', async () => {
    const { rows, loans } = bookRows(
      [LOAN, { ...withTerms({ margin_call_ltv: 0.9, grace_hours: -1 }), id: 'b', lines: [7] }],
      FOLLOWING,
      PRICES,
    );
    const read = await checked(rows);
    if (read.ok) throw new Error('the rows have no fault');
    const ofQuery = {
      code: 'out_of_range' as const,
      path: 'query.sale_cost',
      message: 'sale_cost is too high',
    };
    expect(tapeFaultsOf([ofQuery, { ...ofQuery, path: 'params.loans.2.N' }], loans)).toEqual(
      Array(2).fill({
        code: 'out_of_range',
        message: 'sale_cost is too high',
        remedy: 'Correct the tape or the options.',
      }),
    );
    expect(tapeFaultsOf(read.faults, loans)).toEqual([
      {
        code: 'out_of_range',
        line: 7,
        id: 'b',
        column: 'grace_hours',
        message: 'mc_top_up must be from 0 to 8760 hours; got -1',
        remedy: 'Correct the column grace_hours of the loan.',
      },
      expect.objectContaining({
        line: 7,
        column: 'margin_call_ltv',
        message: 'margin_call_ltv must be at most liquidation_ltv (0.85); the two look exchanged; got 0.9',
      }),
    ]);
  });

  it('reports an answer or a sale that does not end a call in LTVs', async () => {
    const faultsOf = async (terms: TapeLoan['terms']) => {
      const { rows, loans } = bookRows([withTerms(terms)], FOLLOWING, PRICES);
      const read = await checked(rows);
      if (read.ok) throw new Error('the row has no fault');
      return tapeFaultsOf(read.faults, loans).map(({ column, message, remedy }) => [column, message, remedy]);
    };
    const answered = { top_up_share: 0.5, top_up_delay_hours: 6 };
    expect(await faultsOf({ ...answered, top_up_to_ltv: 0.7, partial_sale_to_ltv: 0.65 })).toEqual([
      [
        'top_up_to_ltv',
        'top_up_to_ltv must be below margin_call_ltv (0.75) and at most initial_ltv (0.6), so that it ends the call; got 0.7',
        'Lower top_up_to_ltv, or write the LTV at which a call is over in recovery_ltv.',
      ],
      [
        'partial_sale_to_ltv',
        'partial_sale_to_ltv must be below margin_call_ltv (0.75) and at most initial_ltv (0.6), so that it ends the call; got 0.65',
        'Lower partial_sale_to_ltv, or write the LTV at which a call is over in recovery_ltv.',
      ],
    ]);
    expect(await faultsOf({ ...answered, recovery_ltv: 0.8 })).toEqual([
      [
        'top_up_to_ltv',
        'top_up_to_ltv is missing, and recovery_ltv (0.8) is not below margin_call_ltv (0.75)',
        'Write top_up_to_ltv, the LTV to which an answer brings the loan, below margin_call_ltv.',
      ],
    ]);
    // Another fault of the same columns keeps its words.
    const [late] = await faultsOf({ ...answered, top_up_delay_hours: 25 });
    expect(late[1]).toContain('the deadline of a call');
    const { initial_ltv: _, ...without } = LOAN.terms;
    const loan = { ...LOAN, terms: { ...without, partial_sale_to_ltv: 0.8 } };
    const { rows, loans } = bookRows([loan], FOLLOWING, PRICES);
    const read = await checked(rows);
    if (read.ok) throw new Error('the row has no fault');
    expect(tapeFaultsOf(read.faults, loans)[0].message).toContain(
      'and at most the LTV of today, at which a call is over without recovery_ltv, so that',
    );
  });

  it('reports the initial LTV where a call would be cured beyond the liquidation LTV', async () => {
    const { rows, loans } = bookRows([withTerms({ initial_ltv: 0.9 })], FOLLOWING, PRICES);
    const read = await checked(rows);
    if (read.ok) throw new Error('the rows have no fault');
    expect(tapeFaultsOf(read.faults, loans)).toEqual([
      {
        code: 'inconsistent',
        line: 2,
        id: 'a',
        column: 'initial_ltv',
        message: 'initial_ltv must be below liquidation_ltv (0.85); got 0.9',
        remedy: 'Correct initial_ltv, or write the LTV at which a call is cured in recovery_ltv.',
      },
    ]);
  });

  it('has no fault of a recovery LTV that the tape does not name beside that of its thresholds', async () => {
    // The loan has no recovery ratio of its own: it follows from an LTV today above the liquidation LTV.
    const own = { ...LOAN, terms: { ...LOAN.terms, margin_call_ltv: 0.9 } };
    const { recovery_ltv: _, initial_ltv: __, ...terms } = own.terms;
    const { rows, loans } = bookRows([{ ...own, loanAmount: 1e6, terms }], FOLLOWING, PRICES);
    const read = await checked(rows);
    if (read.ok) throw new Error('the rows have no fault');
    expect(tapeFaultsOf(read.faults, loans).map(({ column }) => column)).toEqual(['margin_call_ltv']);
  });
});
