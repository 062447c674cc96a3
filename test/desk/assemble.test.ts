/** The result of a run, from a valued tape and the answers of the service. */
import { describe, expect, it } from 'vitest';
import { WARNINGS, type Warning } from '#src/core/warnings.js';
import type { AnsweredModel } from '#src/desk/ask-model.js';
import { type DeskParts, deskResult } from '#src/desk/assemble.js';
import type { LoanFigures } from '#src/desk/result.js';
import type { TapeLoan } from '#src/tape/tape.js';
import { DESK_RESULT } from '../support/desk-result.ts';

const PRICES = new Map([
  ['BTC', 50_000],
  ['USD', 1],
]);
const loan = (id: string, loanAmount: number): TapeLoan => ({
  ...{
    id,
    lines: [2],
    loanAsset: 'USD',
    loanAmount,
    terms: { margin_call_ltv: 0.75, liquidation_ltv: 0.85 },
  },
  collateral: [{ asset: 'BTC', valueUsd: 100_000 }],
});
const figures = (tail: number, ExpectedLoss: number): LoanFigures => ({
  ...{ PrMarginCall: 0.1, PrLiquidation: 0.2, PrCloseout: 0.3, PrUnderwater: 0.4, ExpectedLoss },
  // The level of the headline alone decides on the order.
  CVarContribution: { '0.9': -tail, '0.999': 5, '0.99': tail },
});
const GBM_TAIL: Warning = { code: 'gbm-tail', message: 'too low' };
const { Book } = DESK_RESULT.Models.GBM;

function partsOf(change: Partial<DeskParts> = {}): DeskParts {
  const loans = [loan('small', 10_000), loan('large', 20_000), loan('tail', 30_000), loan('mean', 5_000)];
  const answer: AnsweredModel = {
    ...{ Book, Warnings: [GBM_TAIL], Paths: 20_000, Accuracy: DESK_RESULT.Accuracy },
    Loans: {
      small: figures(1, 1),
      large: figures(1, 1),
      tail: figures(2, 0),
      mean: { ...figures(1, 2), PrSale: 0.5 },
    },
  };
  return {
    ...{ title: 'Loans', madeAt: new Date('2026-01-02T08:00:00Z'), market: 'sample', synthetic: true },
    ...{ volumes: {}, run: DESK_RESULT.Run, today: DESK_RESULT.Today, backtest: null, compared: null },
    ...{ missing: ['a part'], name: { file: 'tape.csv', sha256: 'ab' } },
    tape: {
      ...{ loans, rows: loans.map(({ id }, k) => ({ id, collateral: {}, loan: {}, loan_duration: 10 + k })) },
      faults: [{ code: 'malformed' as const, message: 'wrong', remedy: 'none' }],
      ...{
        notes: new Map([['no-maturity', ['small']]]),
        remarks: ['twice'],
        tableRows: 9,
        columns: {},
        leftOut: { usd: 1000, unknown: 0 },
        notUsed: ['x'],
        asOf: 20_453,
      },
      ...{ prices: PRICES, carried: [], behind: null },
    },
    answers: new Map([
      ['GBM', { ...answer, Loans: {}, Warnings: [GBM_TAIL, GBM_TAIL, { ...GBM_TAIL, message: 'other' }] }],
      ['STUDENT_T', { ...answer, Borrowers: {} }],
    ]),
    stress: { Paths: 7, Scenarios: [], Warnings: [GBM_TAIL] },
    ...change,
  };
}

describe('The result of a run', () => {
  it('has its data up to the end of the last day', () => {
    const { Data, MadeAt, Stress, Missing } = deskResult(partsOf());
    expect(Data).toEqual({
      ...{
        AsOf: '2026-01-01T00:00Z',
        Market: 'sample',
        Synthetic: true,
        Carried: [],
        Volumes: {},
        Behind: null,
      },
      Prices: { BTC: 50_000, USD: 1 },
    });
    expect([MadeAt, Stress, Missing]).toEqual([
      '2026-01-02T08:00:00.000Z',
      { Paths: 7, Scenarios: [] },
      ['a part'],
    ]);
    expect(deskResult(partsOf({ stress: null })).Stress).toBeNull();
  });

  it('has loans by their part in the tail at the level of the headline, then by expected loss and LTV', () => {
    const { Loans } = deskResult(partsOf());
    expect(Loans.map(({ Id, Days, Ltv }) => [Id, Days, Ltv])).toEqual([
      ['tail', 12, 0.3],
      ['mean', 13, 0.05],
      ['large', 11, 0.2],
      ['small', 10, 0.1],
    ]);
    expect(Loans[0].Figures).toEqual(figures(2, 0));
    expect(Loans[0].Figures).not.toHaveProperty('PrSale');
    expect(Loans[1].Figures).toHaveProperty('PrSale', 0.5);
  });

  it('has the tape with units at the prices of now, and its faults', () => {
    const { Tape } = deskResult(partsOf());
    expect(Tape).toMatchObject({ File: 'tape.csv', Sha256: 'ab', Rows: 9, Loans: 4, NotUsed: ['x'] });
    expect(Tape.Source[0].collateral).toEqual([{ asset: 'BTC', amount: 2 }]);
    expect(Tape.LeftOut).toEqual([
      { Code: 'malformed', Line: null, Id: null, Column: null, Message: 'wrong', Remedy: 'none' },
    ]);
    expect(Tape.Remarks).toEqual(['twice']);
    expect(Tape.Notes).toEqual([
      { Note: 'no-maturity', Sentence: 'without a maturity: followed to the horizon.', Ids: ['small'] },
    ]);
  });

  it('has each warning once, with the methodologies that it is of', () => {
    const { Models, Warnings } = deskResult(partsOf());
    const Sentence = WARNINGS['gbm-tail'];
    expect(Warnings).toEqual([
      { Code: 'gbm-tail', Sentence, Message: 'too low', Models: ['GBM', 'STUDENT_T', 'scenarios'] },
      { Code: 'gbm-tail', Sentence, Message: 'other', Models: ['GBM'] },
    ]);
    expect(Object.entries(Models).map(([type, { Borrowers }]) => [type, Borrowers])).toEqual([
      ['GBM', undefined],
      ['STUDENT_T', {}],
    ]);
    expect(deskResult(partsOf({ stress: null })).Warnings[0].Models).toEqual(['GBM', 'STUDENT_T']);
  });

  it('needs an answer of the methodology of its headline', () => {
    expect(() => deskResult(partsOf({ answers: new Map() }))).toThrow(
      new RangeError('there is no answer of STUDENT_T'),
    );
  });
});
