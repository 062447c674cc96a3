/** What products say of their steps, records and work. */
import { describe, expect, it } from 'vitest';
import type { BookLending } from '#src/core/plan/book-lending.js';
import { Faults } from '#src/core/plan/fields.js';
import { MODELS } from '#src/core/plan/models.js';
import { ACCOUNT, type AccountProduct } from '#src/core/plan/product/account.js';
import { BOOK, type BookProduct, bookUnit } from '#src/core/plan/product/book.js';
import { CAPPED_LOAN } from '#src/core/plan/product/capped-loan.js';
import { LOAN } from '#src/core/plan/product/loan.js';
import { ORIGINATION } from '#src/core/plan/product/origination.js';
import { PERPETUAL } from '#src/core/plan/product/perpetual.js';
import { VALUE_AT_RISK } from '#src/core/plan/product/value-at-risk.js';
import type { LoanProduct, PerpetualProduct, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';

const answers = { share: 0.5, delaySteps: 1, startStep: 0, toRatio: 2, nameHigh: 0, nameLow: 0 };

describe('The contract of value at risk', () => {
  const [usual] = VALUE_AT_RISK.usual.terms(2) as readonly ValueAtRiskProduct[];
  const drawn = {
    ...usual,
    horizonYears: Float64Array.of(0.1, 0.2, 0.5),
    quantiles: Float64Array.of(0.9, 0.95),
  };
  const windows = { ...drawn, horizonYears: new Float64Array(0), horizonSteps: Uint32Array.of(3, 24) };

  it('has a step for each horizon, up to the last', () => {
    expect([VALUE_AT_RISK.steps(drawn), VALUE_AT_RISK.years(drawn)]).toEqual([3, 0.5]);
    expect([VALUE_AT_RISK.steps(windows), VALUE_AT_RISK.years(windows)]).toEqual([2, 0]);
    expect(VALUE_AT_RISK.windowSteps?.(windows)).toBe(24);
    expect(VALUE_AT_RISK.windowSteps?.(drawn)).toBe(3);
  });

  it('has 1 to 64 rising horizons, and as many quantiles', () => {
    const faultsOf = (product: ValueAtRiskProduct, model: 'gbm' | 'historical' = 'gbm') => {
      const faults = new Faults();
      VALUE_AT_RISK.check?.(product, MODELS[model].usual(2), faults);
      return faults.list.map(({ path }) => path.replace('plan.product.', ''));
    };
    const rising = (count: number) => Float64Array.from({ length: count }, (_, i) => (i + 1) / 100);
    expect(faultsOf(drawn)).toEqual([]);
    expect(faultsOf({ ...drawn, horizonYears: rising(64), quantiles: rising(64) })).toEqual([]);
    expect(faultsOf({ ...drawn, horizonYears: rising(1), quantiles: rising(1) })).toEqual([]);
    expect(faultsOf({ ...drawn, horizonYears: rising(65), quantiles: rising(0) })).toEqual([
      'horizonYears',
      'quantiles',
    ]);
    expect(faultsOf({ ...drawn, horizonYears: Float64Array.of(0.1, 0.1) })).toEqual(['horizonYears']);
    expect(faultsOf({ ...drawn, quantiles: Float64Array.of(0.1, 0.5, 0.2) })).toEqual(['quantiles']);
    expect(faultsOf(windows, 'historical')).toEqual([]);
    expect(faultsOf({ ...windows, horizonSteps: Uint32Array.of(24, 3) }, 'historical')).toEqual([
      'horizonSteps',
    ]);
    expect(faultsOf(windows)).toEqual(['horizonYears']);
  });

  it('has one step for a single window', () => {
    const one = { ...windows, horizonSteps: Uint32Array.of(5) };
    expect([VALUE_AT_RISK.steps(one), VALUE_AT_RISK.windowSteps?.(one)]).toEqual([1, 5]);
  });

  it('has a value of both baskets for each horizon', () => {
    expect(VALUE_AT_RISK.recordFields(windows)).toEqual(['collateral.0', 'loan.0', 'collateral.1', 'loan.1']);
  });

  it('has the work of its assets, and of three distributions with their quantiles', () => {
    expect(VALUE_AT_RISK.stepWork({ assets: 5 })).toBe(8);
    expect(VALUE_AT_RISK.stepWork({ assets: 5, quantiles: 16 })).toBe(11);
    expect(VALUE_AT_RISK.size?.(drawn)).toEqual({ quantiles: 2, days: 365 * 0.5 });
    expect(VALUE_AT_RISK.size?.(windows)).toEqual({ quantiles: 2, days: 0 });
  });
});

describe('The contract of a loan', () => {
  const [loan] = LOAN.usual.terms(2) as readonly LoanProduct[];

  it('has hourly steps of a year of 8,760 hours', () => {
    expect([LOAN.steps(loan), LOAN.years(loan)]).toEqual([24, 24 / 8760]);
  });

  it('has three times the work where calls are answered', () => {
    expect(LOAN.stepWork({ assets: 4 })).toBe(4);
    expect(LOAN.stepWork({ assets: 4, answered: true })).toBe(12);
    expect(LOAN.size?.(loan)).toEqual({ answered: false });
    expect(LOAN.size?.({ ...loan, answers })).toEqual({ answered: true });
  });

  it('has top-ups in its records where calls are answered', () => {
    const plain = ['minimumRatio', 'finalRatio', 'endStep', 'flags'];
    expect(LOAN.recordFields(loan)).toEqual(plain);
    expect(LOAN.recordFields({ ...loan, answers })).toEqual([...plain, 'topUpAmount']);
  });

  it('with capped sales has half as much work again, and answers that a GPU does not run', () => {
    const [capped] = CAPPED_LOAN.usual.terms(2);
    expect(CAPPED_LOAN.stepWork({ assets: 4 })).toBe(6);
    expect(CAPPED_LOAN.notOnGpu?.(capped)).toBeUndefined();
    expect(CAPPED_LOAN.notOnGpu?.({ ...capped, answers })).toBe('top_up of capped sales');
    const plain = ['worstCcr', 'soldAmount', 'callAmount', 'flags'];
    expect(CAPPED_LOAN.recordFields(capped)).toEqual(plain);
    expect(CAPPED_LOAN.recordFields({ ...capped, answers })).toEqual([...plain, 'topUpAmount']);
  });

  it('of an account tells what a GPU does not run by the member', () => {
    const [account] = ACCOUNT.usual.terms(3);
    const [row] = account.rows;
    const left = (more: Partial<AccountProduct>) => ACCOUNT.notOnGpu?.({ ...account, ...more });
    expect(left({})).toBeUndefined();
    expect(left({ rows: Array(8).fill(row) })).toBeUndefined();
    expect(left({ rows: Array(9).fill(row) })).toBe('a list of more than 8 positions');
  });

  it('compares the ratio of its baskets over its term', () => {
    expect(LOAN.ratioBaskets?.(loan)).toEqual([{ portfolio: loan.portfolio, steps: 24 }]);
    const [scan] = ORIGINATION.usual.terms(2);
    const faults = new Faults();
    for (const each of ORIGINATION.usual.terms(2)) ORIGINATION.check?.(each, MODELS.gbm.usual(2), faults);
    expect(faults.list).toEqual([]);
    for (const each of ORIGINATION.usual.terms(2))
      ORIGINATION.check?.(
        { ...each, marginCallThreshold: Float64Array.of(0.9) },
        MODELS.gbm.usual(2),
        faults,
      );
    expect(faults.list).toHaveLength(ORIGINATION.usual.terms(2).length);
    expect(ORIGINATION.ratioBaskets?.(scan)).toEqual([{ portfolio: scan.portfolio, steps: 24 }]);
    expect(ORIGINATION.stepWork({ assets: 4 })).toBe(4);
    const [capped] = CAPPED_LOAN.usual.terms(2);
    expect(CAPPED_LOAN.ratioBaskets?.(capped)).toEqual([{ portfolio: capped.portfolio, steps: 24 }]);
    expect(CAPPED_LOAN.leastSpread).toBe(1e-3);
  });
});

describe('The contract of a position', () => {
  const [linear, inverse] = PERPETUAL.usual.terms(1) as readonly PerpetualProduct[];

  it('has twice the work of a loan', () => {
    expect([1, 3].map(assets => PERPETUAL.stepWork({ assets }))).toEqual([2, 6]);
  });

  it('has its exposure and the funding of all settlements in units of its equity', () => {
    // A leverage of 5, and three settlements of 0.01 % of the notional: a long pays.
    for (const [position, sign] of [
      [linear, 1],
      [inverse, -1],
    ] as const) {
      const [exposure, funding] = PERPETUAL.unitTerms?.(position) ?? [];
      expect(exposure).toBeCloseTo(5 * sign, 12);
      expect(funding).toBeCloseTo(-3 * 5 * 0.0001, 12);
    }
  });

  it('has a reason for double precision where the shock liquidates it', () => {
    expect(PERPETUAL.onlyDouble?.(linear)).toBeUndefined();
    // 0.5 of the notional of 100 is required.
    expect(PERPETUAL.onlyDouble?.({ ...linear, equityBefore: 20, unrealizedPnl: -19.5 })).toBe(
      'the shock liquidates the position at the start',
    );
    expect(PERPETUAL.onlyDouble?.({ ...linear, equityBefore: 20, unrealizedPnl: -19.25 })).toBeUndefined();
  });
});

describe('The contract of a book', () => {
  const [usual] = BOOK.usual.terms(2) as readonly BookProduct[];
  /** Two loans with the rules of plain ones. */
  const plainTerms: BookLending = {
    debtGrowth: Float64Array.of(1, 1),
    saleCost: Float64Array.of(0.01, 0.01),
    start: Uint32Array.of(0, 0),
    startDeadline: Uint32Array.of(1, 1),
    startAnswer: Uint32Array.of(0, 0),
    answerShare: Float64Array.of(0, 0),
    answerDelay: Uint32Array.of(1, 1),
    answerRatio: Float64Array.of(0, 0),
    nameHigh: Uint32Array.of(0, 0),
    nameLow: Uint32Array.of(0, 0),
    oneDraw: Uint32Array.of(0, 0),
    saleRatio: Float64Array.of(0, 0),
    saleShare: Float64Array.of(1, 1),
  };
  const lendingOf = (changes: Partial<BookLending>): BookProduct => ({
    ...usual,
    lending: { ...plainTerms, ...changes },
  });

  it('has the prices of its assets once, and a share of a step for each loan, three of one followed by itself', () => {
    expect(BOOK.stepWork({ assets: 2, loans: 1000 })).toBeCloseTo(2.6 + 15, 12);
    expect(BOOK.stepWork({ assets: 2, loans: 1000, singleLoans: 100 })).toBeCloseTo(
      2.6 + 0.015 * 900 + 4.5,
      12,
    );
    expect(BOOK.stepWork({ assets: 2 })).toBeCloseTo(2.6 + 0.015, 12);
  });

  it('counts its loans, its quantiles and the loans with more work', () => {
    expect(BOOK.size?.(usual)).toEqual({ quantiles: 1, loans: 2, singleLoans: 0 });
    expect(BOOK.size?.(lendingOf({}))).toEqual({ quantiles: 1, loans: 2, singleLoans: 0 });
    const answered = lendingOf({ answerShare: Float64Array.of(0.5, 0) });
    expect(BOOK.size?.(answered)).toEqual({ quantiles: 1, loans: 2, singleLoans: 1 });
  });

  it('has top-ups in its records where calls may be answered', () => {
    const plain = ['loss', 'unsold', 'calledLoans', 'forcedSales', 'sold', 'peakDay'];
    expect(BOOK.recordFields(usual)).toEqual(plain);
    expect(BOOK.recordFields(lendingOf({}))).toEqual(plain);
    expect(BOOK.recordFields(lendingOf({ answerRatio: Float64Array.of(0, 1.4) }))).toEqual([
      ...plain,
      'toppedUp',
    ]);
  });

  it('has baskets that exist, and terms that leave time for a sale', () => {
    const faultsOf = (changes: Partial<BookProduct>) => {
      const faults = new Faults();
      BOOK.check?.({ ...usual, ...changes }, MODELS.gbm.usual(2), faults);
      return faults.list.map(({ message }) => message.replace('plan.product.', ''));
    };
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ termSteps: Uint32Array.of(24, 1) })).toEqual([]);
    const term = (got: number) => [`termSteps must be from 1 to 24, so that sales fit in; got ${got}`];
    expect(faultsOf({ termSteps: Uint32Array.of(24, 25) })).toEqual(term(25));
    expect(faultsOf({ termSteps: Uint32Array.of(0, 24) })).toEqual(term(0));
    expect(faultsOf({ basket: Uint32Array.of(0, 1) })).toEqual(['basket must be numbers below 1; got 1']);
    expect(faultsOf({ loanWeights: Float64Array.of(0, 1, 0, 1) })).toEqual([
      'loanWeights must be a list of 2; got a list of 4',
    ]);
    expect(faultsOf({ lending: { ...plainTerms, saleRatio: Float64Array.of(0, 1) } })).toEqual([
      'lending.saleRatio must be ratios above 1 after the cost of a sale; got 1',
    ]);
  });

  it('has a unit of 2^-44 of its debt, rounded up to a power of two', () => {
    expect(bookUnit({ loanValue: Float64Array.of(1000, 48) })).toBe(2 ** (11 - 44));
    expect(bookUnit({ loanValue: Float64Array.of(1000, 24) })).toBe(2 ** (10 - 44));
    // A debt that grows counts as it is at the end, one that falls as at the start.
    const grown = lendingOf({ debtGrowth: Float64Array.of(2, 0.5) });
    expect(bookUnit({ ...grown, loanValue: Float64Array.of(500, 24) })).toBe(2 ** (10 - 44));
    expect(bookUnit({ ...grown, loanValue: Float64Array.of(500, 25) })).toBe(2 ** (11 - 44));
  });

  it('compares the ratio of each basket over the shortest term of its loans', () => {
    const two = {
      ...usual,
      collateralWeights: Float64Array.of(1, 0, 0.5, 0.5),
      loanWeights: Float64Array.of(0, 1, 0, 2),
      basket: Uint32Array.of(1, 0, 1),
      termSteps: Uint32Array.of(20, 30, 10),
    };
    expect([...(BOOK.ratioBaskets?.(two) ?? [])]).toEqual([
      {
        portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
        steps: 30,
        ofPrices: true,
      },
      {
        portfolio: { collateralWeights: Float64Array.of(0.5, 0.5), loanWeights: Float64Array.of(0, 2) },
        steps: 10,
        ofPrices: true,
      },
    ]);
  });
});
