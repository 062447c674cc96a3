/** Volatilities and correlation of /loan_risk on real prices against numpy (test/fixtures/model/make-volatility.py). */
import { beforeAll, expect, it } from 'vitest';
import type { MarketData } from '#src/market/market-data.js';
import { LOAN_QUESTION } from '#src/question/loan/loan-risk.js';
import loans from '../../fixtures/model/loan-volatility.json' with { type: 'json' };
import { marketWith, type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';

describeWithSharedData('the volatilities of /loan_risk', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  const ask = (
    loan: (typeof loans)[number],
    change: object = {},
    overrides: { market?: MarketData } = {},
  ) => {
    const [year, month, date] = loan.last.split('-');
    const params = {
      collateral_weights: loan.collateral,
      loan_weights: loan.loan,
      analysis_date: `${month}-${date}-${year}`,
      model_lookback: loan.lookback,
      loan_duration: 60,
      mc_top_up: 24,
      loan_value: 5000,
      N: 1.5,
      M: 1.3,
      L: 1.1,
      R: 1.7,
      mc_iter: 10,
      ...change,
    };
    return operations.answer(LOAN_QUESTION, { type: loan.type, params }, overrides);
  };
  // The returns of a stablecoin are of size 1e-4 and carry the rounding of a log near 1, 1e-16: eleven digits.
  const expectFigures = (
    result: Readonly<Record<string, unknown>>,
    loan: (typeof loans)[number],
    scale = 1,
  ) => {
    const close = (name: string, expected: number) =>
      expect((result[name] as number) / expected, `${name}: ${result[name]} against ${expected}`).toBeCloseTo(
        1,
        11,
      );
    close('Collateral Volatility', scale * loan.collateralVolatility);
    close('Loan Volatility', scale * loan.loanVolatility);
    close('Collateral/Loan Correlation', loan.correlation);
  };

  it.each(loans)('agree with numpy for $collateral against $loan under $type', async loan => {
    const answer = await ask(loan);
    expectFigures(answer.result, loan);
    expect(answer.filled).toMatchObject(
      Object.entries(loan.filled).map(([symbol, count]) => ({ symbol, count, unit: 'day' })),
    );
    expect(answer.arguments.vix_data).toEqual(loan.type === 'GBM_VIX' ? loan.index : undefined);
  });

  it('grow with the shock, which does not change the correlation', async () => {
    const [loan] = loans;
    expectFigures((await ask(loan, { volatility_shock: 0.25 })).result, loan, 1.25);
    expectFigures((await ask(loan, { volatility_shock: -0.5 })).result, loan, 0.5);
  });

  it('name the carried closes of the volatility index', async () => {
    const [loan] = loans.filter(({ type }) => type === 'GBM_VIX');
    const carried = { symbol: 'BTC-VOLATILITY-INDEX', count: 2, unit: 'day' } as const;
    const market = marketWith(operations.market, 'volatilityIndex', index => ({
      ...index,
      filled: [carried],
    }));
    const { filled } = await ask(loan, {}, { market });
    expect(filled).toEqual([...(await ask(loan)).filled, carried]);
  });

  it('are 0 for USD, also under the name CASH', async () => {
    const [loan] = loans;
    for (const dollar of ['usd', 'CASH']) {
      const answer = await ask(loan, { loan_weights: { [dollar]: 1 } });
      expect(answer.result).toMatchObject({ 'Loan Volatility': 0, 'Collateral/Loan Correlation': 0 });
      expect(answer.arguments.loan_weights).toEqual({ USD: 1 });
    }
  });
});
