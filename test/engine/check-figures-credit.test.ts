/**
 * Credit figures of a book of three loans against figures that a separate program made with 1,000,000 paths, and of a loan without any rule
 * before its term against their closed form.
 */
import { describe, expect, it } from 'vitest';
import { bookLoanAccuracy, bookLoanFigures } from '#src/core/figures/book-loan.js';
import { CREDIT_FIGURES, creditAccuracy, creditFigures } from '#src/core/figures/credit.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { normalCdf } from '#src/core/stats/special-functions.js';
import { bookProduct } from '#src/question/book/book.js';
import { bookColumns } from '#src/question/book/columns.js';
import { withCredit } from '#src/question/book/credit.js';
import type { CreditTerms } from '#src/question/book/credit-request.js';
import type { BookLoan } from '#src/question/book/loan-row.js';
import { CPU_ENGINES, engineForTests } from '../support/engines.ts';

const STAGES: Pick<CreditTerms, 'stage_2' | 'stage_3'> = {
  stage_2: { called: true, days_past_due: 30 },
  stage_3: { liquidated: true, days_past_due: 90 },
};

function productOf(
  rows: readonly Partial<BookLoan>[],
  terms: Partial<CreditTerms>,
  sale_cost: number,
): BookProduct {
  const credit: CreditTerms = { event: 'sale', horizon_days: 10, ...STAGES, ...terms };
  const loans = bookColumns(rows as readonly BookLoan[], false, credit);
  if (loans.credit === undefined) throw new Error('no columns of credit figures');
  const product = bookProduct({ loans, sale_delay: 24, sale_cost, quantile: [0.99] }, 1);
  return withCredit(product, loans.credit, credit, 1);
}

const USD = { loan_weights: { USD: 1 }, interest_rate: 0.12, loan_duration: 30, mc_top_up: 24 };
const ROWS: readonly Partial<BookLoan>[] = [
  {
    ...USD,
    id: 'X',
    borrower: 'a',
    loan_value: 1e6,
    collateral_weights: { A: 0.6, B: 0.4 },
    N: 1.4,
    M: 1.3,
    L: 1.1,
    R: 1.35,
  },
  {
    ...USD,
    id: 'Y',
    borrower: 'b',
    loan_value: 2e6,
    collateral_weights: { A: 1 },
    N: 1.6,
    M: 1.35,
    L: 1.15,
    R: 1.45,
    loan_duration: 20,
    mc_top_up: 12,
  },
  {
    ...USD,
    id: 'Z',
    borrower: 'a',
    loan_value: 0.5e6,
    collateral_weights: { B: 1 },
    N: 1.5,
    M: 1.3,
    L: 1.1,
    R: 1.4,
  },
];
/** Annual volatilities 0.9 and 1.2, correlation 0.75, and dollars. */
const SCENARIOS: SimulationPlan<BookProduct>['scenarios'] = {
  kind: 'gbm',
  assets: 3,
  annualVolatility: Float64Array.of(0.9, 1.2, 0),
  factor: Float64Array.of(0.9, 0, 0, 1.2 * 0.75, 1.2 * Math.sqrt(1 - 0.75 ** 2), 0, 0, 0, 0),
};

/** Loan, terms of credit, figure, what it is divided by, value and its standard error. */
const KNOWN = [
  ['X', {}, 'PDHorizon', 1, 0.5325, 0.0005],
  ['X', {}, 'EAD', 1e6, 1.0026767, 2.6e-6],
  ['X', {}, 'LGD', 0.01, 0.15091, 0.00098],
  ['X', {}, 'PrLoss', 1, 0.04049, 0.0002],
  ['Y', {}, 'PD', 1, 0.4427, 0.0005],
  ['Y', {}, 'EL', 2e4, 0.001777, 0.000075],
  ['Z', {}, 'PD', 1, 0.68207, 0.00047],
  ['Z', {}, 'LGD', 0.01, 0.3906, 0.0019],
  ['Z', {}, 'EL', 5e3, 0.2673, 0.0013],
  ['Z', {}, 'ELHorizon', 5e3, 0.1645, 0.001],
  ['Z', { effective_rate: 0.12 }, 'EL', 5e3, 0.2664, 0.0013],
  ['Z', {}, 'PrLoss', 1, 0.06785, 0.00025],
] as const;

describe.each(CPU_ENGINES)('the check figures of credit on $name', ({ name: backend, open, tags }) => {
  const engine = engineForTests({ open });
  const paths = backend === 'reference' ? 4000 : 16_000;
  const runOf = async (rows: readonly Partial<BookLoan>[], terms: Partial<CreditTerms>, part = 1) => {
    const product = productOf(rows, terms, 0.12);
    const assets =
      rows === ROWS
        ? SCENARIOS
        : {
            ...SCENARIOS,
            assets: 2,
            annualVolatility: Float64Array.of(0.9, 0),
            factor: Float64Array.of(0.9, 0, 0, 0),
          };
    return {
      product,
      outcome: await engine.run({ seed: 5, paths: paths * part, scenarios: assets, product }),
    };
  };
  const expectNear = (told: string, got: number, known: number, ...errors: (number | null)[]) => {
    const error = Math.hypot(...errors.map(Number));
    // One failure in ten thousand of a correct engine, a figure.
    expect(Math.abs(got - known), `${told}: ${got} against ${known}, error ${error}`).toBeLessThan(4 * error);
  };

  it('are met', { tags }, async () => {
    for (const rate of [undefined, 0.12]) {
      const terms = rate === undefined ? {} : { effective_rate: rate };
      const { product, outcome } = await runOf(ROWS, terms);
      const closeouts = bookLoanFigures(product, outcome, 0).PrCloseout;
      const { standard_error } = bookLoanAccuracy(product, outcome, 0, 0.95).PrCloseout;
      expectNear('PrCloseout of X', closeouts, 0.74527, 0.00044, standard_error);
      for (const [id, { effective_rate }, name, scale, known, error] of KNOWN.map(
        row =>
          row as readonly [string, Partial<CreditTerms>, keyof typeof CREDIT_FIGURES, number, number, number],
      )) {
        if (effective_rate !== rate) continue;
        const k = ROWS.findIndex(row => row.id === id);
        const own = creditAccuracy(product, outcome, k, 'sale', 0.95)[name].standard_error;
        // Rare losses on few paths have no error of their own.
        if (own === null) continue;
        const got = Number(creditFigures(product, outcome, k, 'sale')[name]);
        expectNear(`${name} of ${id}`, got / scale, known, error, own / scale);
      }
    }
  });

  it('multiply to the expected loss, within the horizon, too, and by events with a loss alone', {
    tags,
  }, async () => {
    const { product, outcome } = await runOf(ROWS, { effective_rate: 'interest' });
    for (const k of ROWS.keys())
      for (const event of ['sale', 'loss'] as const) {
        const figures = creditFigures(product, outcome, k, event);
        for (const within of ['', 'Horizon'] as const) {
          const [pd, ead, lgd, el] = (['PD', 'EAD', 'LGD', 'EL'] as const).map(name =>
            Number(figures[`${name}${within}`]),
          );
          expect(Math.abs(pd * ead * lgd - el)).toBeLessThanOrEqual(1e-9 * el);
        }
        const { PD, EAD, LGD, EL, PrLoss, LossGivenLossPct } = figures;
        if (event === 'loss') expect([PD, Number(LGD)]).toEqual([PrLoss, Number(LossGivenLossPct) / 100]);
        // What is discounted is less: by 30 days of interest at most.
        const plain = bookLoanFigures(product, outcome, k).ExpectedLoss;
        expect(Number(EL)).toBeLessThanOrEqual(plain);
        expect(Number(EL)).toBeGreaterThanOrEqual(plain / (1 + (0.12 * 31) / 365));
        expect(Number(EAD)).toBeGreaterThanOrEqual(product.loanValue[k]);
      }
  });

  it('are those of the closed form where a loan ends at its term alone', { tags }, async () => {
    const row = {
      ...USD,
      id: 'alone',
      loan_value: 1,
      collateral_weights: { A: 1 },
      N: 1.15,
      M: 0.1,
      L: 0.05,
      R: 0.2,
      interest_rate: undefined,
    };
    const { product, outcome } = await runOf([row as Partial<BookLoan>], { horizon_days: 10 }, 0.25);
    const deviation = 0.9 * Math.sqrt(30 / 365);
    const edge = (Math.log(1 / 1.15) + deviation ** 2 / 2) / deviation;
    const exact = {
      PD: normalCdf(edge),
      EL: normalCdf(edge) - 0.88 * 1.15 * normalCdf(edge - deviation),
    };
    const figures = creditFigures(product, outcome, 0, 'sale');
    const accuracy = creditAccuracy(product, outcome, 0, 'sale', 0.95);
    for (const [name, known] of [...Object.entries(exact), ['LGD', exact.EL / exact.PD]] as const)
      expectNear(name, Number(figures[name as 'PD']), Number(known), accuracy[name as 'PD'].standard_error);
    // The horizon of 10 days ends before the term: nothing happens in it.
    expect([figures.PDHorizon, figures.EADHorizon, figures.LGDHorizon, figures.ELHorizon]).toEqual([
      0,
      null,
      null,
      0,
    ]);
    expect(figures.EAD).toBe(1);
    expect(Object.keys(figures)).toEqual(Object.keys(CREDIT_FIGURES));
  });
});
