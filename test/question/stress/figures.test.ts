/** The figures of one scenario, and the terms that a book is compared with. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { LOAN_START } from '#src/core/plan/book-lending.js';
import { REPLAY_END, type ReplayedBook } from '#src/core/stress/replay-book.js';
import {
  figuresAtOnce,
  largestLosses,
  lossesOf,
  replayFigures,
  type StressedLoans,
  stressedLoan,
} from '#src/question/stress/figures.js';

const { none, open, called, liquidated } = LOAN_START;
const AT_ONCE = {
  collateral: Float64Array.of(150, 240, 100, 90, 20),
  debt: Float64Array.of(100, 200, 80, 95, 5),
  start: Uint32Array.of(none, called, liquidated, called, open),
};
const REPLAYED: ReplayedBook = {
  loans: {
    matured: Uint32Array.of(0, 0, 0, 1, 0),
    end: Uint32Array.of(
      REPLAY_END.open,
      REPLAY_END.called,
      REPLAY_END.ordered,
      REPLAY_END.ended,
      REPLAY_END.called,
    ),
    called: Uint32Array.of(0, 1, 1, 1, 1),
    closedOut: Uint32Array.of(0, 0, 0, 1, 1),
    liquidated: Uint32Array.of(0, 0, 1, 0, 0),
    loss: Float64Array.of(0, 0, 7, 5, 0),
    sold: Float64Array.of(0, 1, 80, 90, 2),
    toppedUp: Float64Array.of(3, 4, 0, 0, 0),
    ccr: Float64Array.of(1.5, 1.25, 0.8, 0, 4),
  } as ReplayedBook['loans'],
  followedHours: 3,
  ccr: Float64Array.of(1.4, 1.2, 0, 1.3),
  peakDay: 120,
};
const stressed = (changes: Partial<StressedLoans> = {}): StressedLoans => ({
  atOnce: AT_ONCE,
  replayed: REPLAYED,
  left: undefined,
  hasCapital: false,
  outcome: undefined,
  ...changes,
});

describe('A book', () => {
  it('after the shock has its sums, and the loans that are called or liquidated at once', () => {
    expect(figuresAtOnce(AT_ONCE)).toEqual({
      CollateralUsd: 600,
      LoanUsd: 480,
      Ltv: 0.8,
      Called: { Loans: 2, LoanUsd: 295 },
      Liquidated: { Loans: 1, LoanUsd: 80 },
    });
  });

  it('in the replay has its events, its amounts and its lowest ratio above 0', () => {
    const figures = {
      Hours: 5,
      FollowedHours: 3,
      Matured: 1,
      Called: 4,
      ClosedOut: 2,
      Liquidated: 1,
      CalledAtEnd: 2,
      OrdersOpen: 1,
      Loss: 12,
      ForcedSaleUsd: 173,
      PeakDayUsd: 120,
      ToppedUpUsd: 7,
      Lowest: 1.2,
    };
    expect(replayFigures(REPLAYED, 5, false)).toEqual(figures);
    expect(replayFigures(REPLAYED, 5, true)).toEqual({ ...figures, Path: [1.4, 1.2, 0, 1.3] });
  });
});

describe('The loans of a book', () => {
  it('have their state after the shock, their loss, and their replay', () => {
    const replay = (k: number) => stressedLoan(stressed(), k, -1, 9);
    expect(replay(1)).toEqual({
      CollateralUsd: 240,
      LoanUsd: 200,
      Ltv: 200 / 240,
      Status: 'called',
      Loss: 9,
      Replay: {
        Called: true,
        ClosedOut: false,
        Liquidated: false,
        End: 'called',
        Ltv: 0.8,
        Loss: 0,
        ForcedSaleUsd: 1,
        ToppedUpUsd: 4,
      },
    });
    expect(replay(2)).toMatchObject({ Status: 'liquidated', Replay: { Liquidated: true, End: 'ordered' } });
    expect(replay(3)).toMatchObject({ Replay: { ClosedOut: true, End: 'ended', Ltv: null, Loss: 5 } });
    expect(replay(0)).toMatchObject({ Replay: { Called: false, End: 'open' } });
    expect(replay(0)).not.toHaveProperty('Status');
    const alone = stressedLoan(stressed({ replayed: undefined }), 4, 0, 0);
    expect(alone).toEqual({ CollateralUsd: 20, LoanUsd: 5, Ltv: 0.25, Loss: 0 });
  });

  it('have the loss of the replay where nothing is simulated after it', () => {
    expect([...lossesOf(stressed(), 5)]).toEqual([0, 0, 7, 5, 0]);
    expect([...lossesOf(stressed({ replayed: undefined }), 3)]).toEqual([0, 0, 0]);
    // Loans 2 and 0 are simulated further: half of their 10 and 30 USD is lost on one of four paths.
    const after = {
      left: { loans: [2, 0], product: { loanValue: Float64Array.of(10, 30) } },
      outcome: {
        paths: 4,
        loans: { lossUnits: Float64Array.of(0.5, 0.5).map(x => x * UNITS_PER_LOAN_VALUE) },
      },
    } as unknown as Partial<StressedLoans>;
    expect([...lossesOf(stressed(after), 5)]).toEqual([3.75, 0, 8.25, 5, 0]);
    // A copy: the losses after it are added.
    expect(lossesOf(stressed(), 5)).not.toBe(REPLAYED.loans.loss);
  });

  it('with the largest losses are the first twenty of all that lose, the earlier of equal ones first', () => {
    const amounts = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(amounts, losses => {
        const sorted = [...losses.keys()]
          .filter(k => losses[k] > 0)
          .sort((a, b) => losses[b] - losses[a] || a - b);
        expect(largestLosses(Float64Array.from(losses))).toEqual(sorted.slice(0, 20));
      }),
    );
  });
});
