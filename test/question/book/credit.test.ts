/** Credit figures of answers: stages against plain rules, the allowance of a book, and faults. */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { BOOK } from '#src/core/plan/product/book.js';
import { stageOfLoan } from '#src/core/rules/credit.js';
import { bookProduct } from '#src/question/book/book.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { bookColumns } from '#src/question/book/columns.js';
import { stageOf, withCredit } from '#src/question/book/credit.js';
import type { BookLoan } from '#src/question/book/loan-row.js';
import { BOOK_READING } from '#src/question/book/request.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { booksOf, loanOf } from '../../support/book-bodies.ts';
import { type Operations, openOperations } from '../../support/operations.ts';
import { readRequest } from '../../support/request-bodies.ts';

const bookWith = booksOf(400);

describe('The stage of a loan', () => {
  const number = (max: number) => fc.double({ min: 0, max, noNaN: true });
  const LOAN = fc.record({
    status: fc.constantFrom(undefined, 'called', 'liquidated'),
    daysPastDue: fc.constantFrom(0, 1, 29, 30, 89, 90, 400),
    ltv: number(1.5),
    pd: number(1),
    originationPd: fc.constantFrom(Number.NaN, 0.01, 0.5),
    impaired: fc.boolean(),
  });
  const STAGE_2 = fc.record({
    called: fc.boolean(),
    days_past_due: fc.constantFrom(1, 30),
    ltv_above: fc.option(number(1.5), { nil: undefined }),
    pd_above: fc.option(number(1), { nil: undefined }),
    pd_times: fc.option(fc.constantFrom(2, 3), { nil: undefined }),
  });
  const STAGE_3 = fc.record({ liquidated: fc.boolean(), days_past_due: fc.constantFrom(90, 30) });

  it('is that of the plain rules', () => {
    fc.assert(
      fc.property(LOAN, STAGE_2, STAGE_3, (loan, stage_2, stage_3) => {
        const plain = stageOfLoan(
          { ...loan, called: loan.status === 'called', liquidated: loan.status === 'liquidated' },
          {
            called: stage_2.called,
            liquidated: stage_3.liquidated,
            daysPastDue: [stage_2.days_past_due, stage_3.days_past_due],
            ltvAbove: stage_2.ltv_above ?? Number.NaN,
            pdAbove: stage_2.pd_above ?? Number.NaN,
            pdTimes: stage_2.pd_times ?? Number.NaN,
          },
        );
        expect(stageOf({ ...loan, stage: 0, interval: undefined }, { stage_2, stage_3 }).Stage).toBe(plain);
      }),
    );
  });

  it('is that of its row where there is one, and uncertain where the interval of PD holds a threshold', () => {
    const loan = {
      stage: 0,
      status: 'liquidated',
      daysPastDue: 0,
      ltv: 0.5,
      pd: 0.2,
      interval: [0.18, 0.22],
      originationPd: 0.1,
      impaired: false,
    } as const;
    const stage_3 = { liquidated: false, days_past_due: 90 };
    const stage_2 = { called: true, days_past_due: 30 };
    const stageBy = (more: object) => stageOf(loan, { stage_2: { ...stage_2, ...more }, stage_3 });
    expect(stageOf({ ...loan, stage: 1 }, { stage_2, stage_3: { ...stage_3, liquidated: true } })).toEqual({
      Stage: 1,
      Reason: 'stage of the row',
    });
    expect(stageBy({ pd_above: 0.19 })).toEqual({ Stage: 2, Reason: 'PD', StageUncertain: true });
    expect(stageBy({ pd_above: 0.21 })).toEqual({ Stage: 1, Reason: 'no rule', StageUncertain: true });
    expect(stageBy({ pd_above: 0.3 })).toEqual({ Stage: 1, Reason: 'no rule' });
    expect(stageBy({ pd_times: 1.5 })).toEqual({ Stage: 2, Reason: 'PD since origination' });
    expect(stageBy({ pd_times: 1.9 })).toMatchObject({ Stage: 2, StageUncertain: true });
  });
});

type LoanAnswer = Record<string, unknown> & { readonly Credit: Record<string, number | null | string> };

describe('The credit figures of a book', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations('sample');
  });
  const LOANS = [
    loanOf('open', { interest_rate: 0.1 }),
    loanOf('late', { days_past_due: 45, N: 1.5 }),
    loanOf('in default', { days_past_due: 90, N: 2.5 }),
    loanOf('called', { N: 1.15, called_hours_ago: 2 }),
    loanOf('bought', { credit_impaired: true, stage: 1 }),
  ];
  const answered = async (more: object, loans: object[] = LOANS) => {
    const query = { ...DEFAULT_QUERY, include: new Set(['accuracy', 'warnings'] as const) };
    const answer = await operations.answer(BOOK_QUESTION, bookWith(loans, more), { query, compute: 'auto' });
    const loansOf = answer.result.Loans as ReadonlyMap<string, LoanAnswer>;
    return { ...answer, loans: loansOf, book: answer.result.Book as Record<string, unknown> };
  };

  it('stand beside the figures of the same book without them', async () => {
    const [plain, { loans, book, warnings, included }] = await Promise.all([
      answered({}),
      answered({ credit: { horizon_days: 10 } }),
    ]);
    for (const [id, { Credit, ...figures }] of loans)
      if (id !== 'in default') expect(figures, id).toEqual(plain.loans.get(id));
    const stages = [...loans].map(([id, { Credit }]) => [id, Credit.Stage, Credit.Reason]);
    expect(stages).toEqual([
      ['open', 1, 'no rule'],
      ['late', 2, 'days past due'],
      ['in default', 3, 'days past due'],
      ['called', 2, 'called'],
      ['bought', 1, 'stage of the row'],
    ]);
    for (const [id, { Credit }] of loans)
      expect(Credit.ECL, id).toBe(id === 'open' ? Credit.ELHorizon : Credit.EL);
    const inDefault = loans.get('in default');
    expect(inDefault).toMatchObject({
      Status: 'liquidated',
      PrLiquidation: 1,
      Credit: { PD: 1, EAD: 250_000, EL: 0 },
    });
    const { Credit } = book as {
      Credit: Record<string, number> & { Stages: Record<string, Record<string, number>> };
    };
    const sum = (name: string) =>
      [...loans.values()].reduce((total, each) => total + Number(each.Credit[name]), 0);
    expect(Object.values(Credit.Stages).map(each => each.Loans)).toEqual([2, 2, 1]);
    expect(Credit.ECL).toBeCloseTo(sum('ECL'), 8);
    expect(Credit.CECL).toBeCloseTo(sum('EL'), 8);
    expect(Credit.CollateralShortfall).toBe(0);
    expect(warnings?.map(({ code }) => code)).toEqual(expect.arrayContaining(['no-drift']));
    const accuracy = included?.Accuracy as
      | { figures: { Loans: Record<string, { Credit: Record<string, object> }> } }
      | undefined;
    const of = (id: string) => accuracy?.figures.Loans[id].Credit;
    expect(of('open')?.ECL).toEqual(of('open')?.ELHorizon);
    expect(of('called')?.ECL).toEqual(of('called')?.EL);
  });

  it('keep a default of a row after a shock of prices, and show what collateral lacks then', async () => {
    const { loans, book } = await answered({ credit: {}, price_shock: { ETH: -0.4 } });
    expect(loans.get('in default')).toMatchObject({ Status: 'liquidated', Credit: { Stage: 3, PD: 1 } });
    const lacking = [1.3, 1.5, 2.5, 1.15, 1.3].map(N => 250_000 * Math.max(0, 1 - 0.6 * N));
    expect((book.Credit as Record<string, number>).CollateralShortfall).toBeCloseTo(
      lacking.reduce((a, b) => a + b),
      6,
    );
  });

  it('sell all collateral of a default, also above the ratio that a sale of a part restores', async () => {
    const whole = await answered({ credit: {} }, [loanOf('a', { stage: 3, N: 2.5 })]);
    const parts = await answered({ credit: {} }, [
      loanOf('a', { stage: 3, N: 2.5, partial_sale: { to: 2 } }),
    ]);
    expect(parts.book).toEqual(whole.book);
    expect(parts.book.ForcedSaleUsd).toMatchObject({ Mean: expect.closeTo(2.5 * 250_000, -5) });
  });

  it('warn where a loan runs longer than it is simulated', async () => {
    const { warnings } = await answered({ credit: {} }, [loanOf('long', { maturity_days: 200 })]);
    expect(warnings?.find(({ code }) => code === 'horizon-cut')?.message).toContain(
      'Loan long is simulated for 30 days',
    );
  });
});

it('Faults of credit name member, bound and value', () => {
  const faultsOf = (more: object, row: object) => {
    const checked = readRequest(BOOK_READING, 20_600, bookWith([loanOf('a', row)], more));
    return checked.ok ? [] : checked.faults.map(({ path }) => path);
  };
  expect(faultsOf({ credit: {} }, { stage: 3, origination_pd: 1, days_past_due: 0 })).toEqual([]);
  expect(
    faultsOf(
      {
        credit: {
          event: 'default',
          horizon_days: 0,
          effective_rate: 'none',
          stage_2: { days_past_due: 0, pd_above: 2 },
          stage_3: { defaulted: true },
        },
      },
      { stage: 4, origination_pd: 0, days_past_due: -1, credit_impaired: 'yes' },
    ).toSorted(),
  ).toEqual([
    'params.credit.effective_rate',
    'params.credit.event',
    'params.credit.horizon_days',
    'params.credit.stage_2.days_past_due',
    'params.credit.stage_2.pd_above',
    'params.credit.stage_3.defaulted',
    'params.loans.0.credit_impaired',
    'params.loans.0.days_past_due',
    'params.loans.0.origination_pd',
    'params.loans.0.stage',
  ]);
});

it('A GPU is refused by the name of the member', () => {
  const terms = {
    event: 'sale',
    horizon_days: 365,
    stage_2: { called: true, days_past_due: 30 },
    stage_3: { liquidated: true, days_past_due: 90 },
  } as const;
  const loans = bookColumns([loanOf('a')] as unknown as BookLoan[], false, terms);
  const product = bookProduct({ loans, sale_delay: 24, sale_cost: 0.01, quantile: [0.9] }, 1);
  expect(BOOK.notOnGpu?.(product)).toBeUndefined();
  expect(BOOK.notOnGpu?.(withCredit(product, loans.credit!, terms, 1))).toBe('a book with credit');
});
