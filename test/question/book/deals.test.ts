/**
 * Two rated deals as loans of a book on the windows of bitcoin's history, against counts of another program on the same closes
 * (docs/real-loans.md).
 *
 * @module-tag slow
 */
import { beforeAll, expect, it } from 'vitest';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';

/** So near 1 that the quantile is the largest loss. */
const HIGHEST = 0.999999999999;

interface Book {
  readonly PrLoss: number;
  readonly LossVar: Readonly<Record<string, number>>;
}
type Loan = Readonly<Record<'PrCloseout' | 'PrLiquidation', number>>;

describeWithSharedData('A deal of bitcoin loans on its history', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  /** Windows of one loan of 1 million USD: their number, those with an event and with a loss, the largest loss in USD. */
  async function counts(loan: object, model_lookback: number, sale_delay: number) {
    const body = {
      type: 'HISTORICAL',
      params: {
        ...{ analysis_date: '06-10-2026', model_lookback, quantile: [HIGHEST], sale_delay, sale_cost: 0 },
        loans: [
          {
            ...{
              id: 'only',
              collateral_weights: { BTC: 1 },
              loan_weights: { USD: 1 },
              loan_value: 1_000_000,
            },
            ...loan,
          },
        ],
      },
    };
    const answer = await operations.answer(BOOK_QUESTION, body);
    const { paths } = answer.basis;
    const { Loans, Book } = answer.result as { Loans: ReadonlyMap<string, Loan>; Book: Book };
    const only = Loans.get('only') as Loan;
    const whole = (share: number) => Math.round(share * paths);
    return {
      windows: paths,
      closeouts: whole(only.PrCloseout),
      liquidations: whole(only.PrLiquidation),
      losing: whole(Book.PrLoss),
      largest: Book.LossVar[String(HIGHEST)],
    };
  }

  it('that sells after a fall of 12.5 %, two days later, loses in two windows of March 2020', async () => {
    const bond = { N: 1.6, M: 1.4, L: 0.5, R: 1.5, mc_top_up: 0, loan_duration: 30 };
    const found = await counts(bond, 2257, 48);
    expect(found).toMatchObject({ windows: 54_168, closeouts: 16_946, losing: 2 });
    expect(found.largest / 1e4).toBeCloseTo(5.5915, 4);
  });

  const ledn = { N: 1 / 0.5578, M: 1 / 0.7, L: 1 / 0.8032, R: 1 / 0.65, mc_top_up: 8760 };

  it.each([1, 6, 24, 48])(
    'that liquidates at 80.32 % has no loss within 30 days: %d hours to the sale',
    async delay => {
      const { windows, liquidations, losing } = await counts({ ...ledn, loan_duration: 30 }, 2257, delay);
      expect({ windows, losing }).toEqual({ windows: 54_168, losing: 0 });
      // Windows end with the data, so that a shorter sale begins them later; the count is of those of the longest.
      if (delay === 48) expect(liquidations).toBe(2399);
    },
  );

  it.each([
    [1, 0],
    [6, 0],
    [24, 128],
    [48, 104],
  ])('that liquidates at 80.32 % has losses within 365 days: %d hours to the sale', async (delay, losing) => {
    const found = await counts({ ...ledn, loan_duration: 365 }, 1922, delay);
    expect(found).toMatchObject({ windows: 46_128, liquidations: 13_807, losing });
  });

  it.each([
    [1, 0],
    [6, 1],
    [24, 101],
    [48, 169],
  ])(
    'that liquidates at 80 % and accrues 11.8 % has losses within 365 days: %d hours to the sale',
    async (delay, losing) => {
      const accruing = { ...ledn, L: 1 / 0.8, interest_rate: 0.118, loan_duration: 365 };
      const found = await counts(accruing, 1922, delay);
      expect(found).toMatchObject({ windows: 46_128, liquidations: 16_475, losing });
    },
  );
});
