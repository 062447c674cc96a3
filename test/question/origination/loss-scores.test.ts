/** /loan_origination by the loss of a loan: at the N found, /book_risk of the loan alone has the target. */
import { expect, it, onTestFinished } from 'vitest';
import { openEngines } from '#src/engine/open-engine.js';
import { createLogger } from '#src/host/log.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { ORIGINATION_QUESTION } from '#src/question/origination/origination.js';
import { ORIGINATION_READING } from '#src/question/origination/request.js';
import type { OperationContext } from '#src/question/question.js';
import { BOOK_WINDOW } from '../../support/book-bodies.ts';
import { openOperations } from '../../support/operations.ts';
import { readRequest } from '../../support/request-bodies.ts';

const LOAN = {
  collateral_weights: { ETH: 1 },
  loan_weights: { USD: 1 },
  loan_duration: 30,
  mc_top_up: 24,
  loan_value: 250_000,
};
const SALE = { sale_delay: 48, sale_cost: 0.12 };
const paramsOf = (score_variable: string, score_target: number, more: object = {}) => ({
  ...BOOK_WINDOW,
  ...LOAN,
  mc_iter: 400,
  volatility_shock: 1,
  L: 0.95,
  opt_param: { score_variable, score_target, variable_min: 1, variable_max: 2, error_tolerance: 0.004 },
  ...more,
});

const SCORES = [
  ['PrLoss', 0.05],
  ['ExpectedLossPct', 0.3],
] as const;

/** At the N found, the score of the loan is that of its book on the same engine. */
async function expectScoreOfBook(score: string, target: number, overrides: Partial<OperationContext> = {}) {
  const { answer } = await openOperations('sample');
  const {
    result,
    arguments: used,
    engine,
  } = await answer(ORIGINATION_QUESTION, { type: 'GBM', params: paramsOf(score, target, SALE) }, overrides);
  const { N, M, AdvanceRate } = result as Record<string, number>;
  expect(AdvanceRate).toBe(1 / N);
  expect(used).toMatchObject(SALE);
  const { mc_iter, volatility_shock } = paramsOf(score, target);
  const book = await answer(
    BOOK_QUESTION,
    {
      type: 'GBM',
      params: {
        ...BOOK_WINDOW,
        ...SALE,
        mc_iter,
        volatility_shock,
        quantile: [0.99],
        loans: [{ id: 'a', ...LOAN, N, M, L: 0.95, R: N }],
      },
    },
    overrides,
  );
  const { PrLoss, ExpectedLoss } = book.result.Book as Record<string, number>;
  const expected = score === 'PrLoss' ? PrLoss : (100 * ExpectedLoss) / LOAN.loan_value;
  expect((result as Record<string, number>)[score]).toBeCloseTo(expected, 6);
  expect(Math.abs(expected - target)).toBeLessThanOrEqual(0.004);
  return { N, engine };
}

it.each([
  ['cpu', ...SCORES[0]],
  ['auto', ...SCORES[1]],
] as const)('Computed on %s, %s is that of a book of the loan', async (compute, score, target) => {
  await expectScoreOfBook(score, target, { compute });
});

it('Scores by the loss are those of a book of the loan on the GPU', { tags: ['slow'] }, async () => {
  const engines = await openEngines({
    compute: 'gpu',
    softwareGpu: true,
    threads: 1,
    limits: { cpu: 1e12, gpu: 1e12 },
    log: createLogger('silent'),
  });
  onTestFinished(() => engines.close());
  for (const [score, target] of SCORES) {
    const { N, engine } = await expectScoreOfBook(score, target, { engines, compute: 'gpu' });
    expect(engine.backend).toBe('gpu');
    // A path within rounding of its threshold moves the score by 1/400, and N by less than the tolerance of the search does.
    expect(Math.abs(N - (await expectScoreOfBook(score, target)).N)).toBeLessThan(0.02);
  }
});

it('The terms of sales are refused with another score', () => {
  const checked = readRequest(ORIGINATION_READING, 20_600, {
    type: 'GBM',
    params: paramsOf('PrCloseout', 0.05, SALE),
  });
  expect(checked.ok ? [] : checked.faults.map(({ path, message }) => [path, message])).toEqual(
    Object.entries(SALE).map(([member, value]) => [
      `params.${member}`,
      `${member} must be absent, since PrCloseout depends on no sale; PrLoss and ExpectedLossPct do; got ${value}`,
    ]),
  );
});
