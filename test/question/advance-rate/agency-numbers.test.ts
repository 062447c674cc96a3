/**
 * Advance rates of bitcoin on the windows of its history, against figures that another program computed from the same files
 * (docs/advance-rate.md).
 *
 * @module-tag slow
 */
import { beforeAll, expect, it } from 'vitest';
import { ADVANCE_RATE_QUESTION } from '#src/question/advance-rate/advance-rate.js';
import { BOOK_QUESTION } from '#src/question/book/book-risk.js';
import { DEFAULT_QUERY } from '#src/question/request/query.js';
import { type Operations, openOperations } from '../../support/operations.ts';
import { describeWithSharedData } from '../../support/shared-data.ts';

/** Half a unit of the last digit that is given. */
const LAST_DIGIT = 6;

type Levels = Record<string, Record<string, number>>;
interface Answer {
  readonly PrTrigger?: number;
  readonly Confidence: Levels;
  readonly ExpectedLoss: Levels;
  readonly AdvanceRate: Levels;
}

describeWithSharedData('Advance rates of bitcoin on its history', () => {
  let operations: Operations;
  beforeAll(async () => {
    operations = await openOperations();
  });

  async function answered(params: object) {
    const body = {
      type: 'HISTORICAL',
      params: {
        collateral_weights: { BTC: 1 },
        loan_weights: { USD: 1 },
        analysis_date: '06-10-2026',
        exposure_hours: [48],
        ...params,
      },
    };
    const query = { ...DEFAULT_QUERY, include: new Set(['warnings'] as const) };
    const answer = await operations.answer(ADVANCE_RATE_QUESTION, body, { query });
    return {
      windows: answer.basis.paths,
      at: answer.result['48'] as Answer,
      codes: answer.warnings?.map(({ code }) => code),
    };
  }

  const rates = { 'a bond': 0.7206, 'a loan-to-value of 1/1.4': 1 / 1.4, 'a recovery of 68 %': 0.546176 };
  const confidence = [0.99, 0.995, 0.999, 0.9995];
  const plain = { model_lookback: 2287, confidence, advance_rate: Object.values(rates) };

  it.each([
    ['lowest', [49, 47, 29], [0.852793, 0.821815, 0.742318, 0.540308], [19, 13, 2, 1]],
    ['end', [30, 27, 1], [0.886614, 0.86173, 0.782417, 0.714385], undefined],
  ] as const)('sells at the %s', async (measure, losing, expected, episodes) => {
    const { windows, at, codes } = await answered({ ...plain, measure, expected_loss: [1e-4, 1e-3] });
    expect(windows).toBe(54_888);
    expect(Object.values(rates).map(rate => at.AdvanceRate[String(rate)].PrLoss * windows)).toEqual(
      losing.map(count => expect.closeTo(count, 6)),
    );
    expected.forEach((rate, i) => {
      const figures = at.Confidence[String(confidence[i])];
      expect(figures.AdvanceRate).toBeCloseTo(rate, LAST_DIGIT);
      if (episodes) expect(figures.Episodes).toBe(episodes[i]);
    });
    expect(codes).toContain('few-episodes');
    if (measure === 'end') return;
    const bond = at.AdvanceRate['0.7206'];
    expect(bond.Episodes).toBe(1);
    expect(bond.ExpectedLossPct).toBeCloseTo(0.017364, 7);
    expect(bond.LossGivenLossPct).toBeCloseTo(19.45047, 5);
    expect(at.ExpectedLoss['0.0001'].AdvanceRate).toBeCloseTo(0.635705, LAST_DIGIT);
    expect(at.ExpectedLoss['0.001'].AdvanceRate).toBeCloseTo(0.876142, LAST_DIGIT);
  });

  it.each([
    ['lowest', 106, [0.872921, 0.830447, 0.762454, 0.60484]],
    ['end', 5, [0.926549, 0.868288, 0.807198, 0.779014]],
  ] as const)('sells at the %s after a fall of 12.5 %%', async (measure, losing, expected) => {
    const levels = [0.9, 0.95, 0.99, 0.995];
    const { windows, at } = await answered({
      model_lookback: 2257,
      measure,
      after_fall: { fall: 0.125, within_hours: 720 },
      confidence: levels,
      advance_rate: [0.7206],
    });
    expect(windows).toBe(54_168);
    const triggered = (at.PrTrigger ?? 0) * windows;
    expect(triggered).toBeCloseTo(16_946, 6);
    expect(at.AdvanceRate['0.7206'].PrLoss * triggered).toBeCloseTo(losing, 6);
    expect(at.AdvanceRate['0.7206'].PrLossOfAll * windows).toBeCloseTo(losing, 6);
    expect(levels.map(level => at.Confidence[String(level)].AdvanceRate)).toEqual(
      expected.map(rate => expect.closeTo(rate, LAST_DIGIT)),
    );
  });

  it('is a book of one loan with a closeout at each of these triggers, and two losses', async () => {
    const bond = {
      collateral_weights: { BTC: 1 },
      loan_weights: { USD: 1 },
      loan_value: 1e6,
      N: 1.6,
      M: 1.4,
      L: 0.5,
      R: 1.6,
    };
    const { basis, result } = await operations.answer(BOOK_QUESTION, {
      type: 'HISTORICAL',
      params: {
        analysis_date: '06-10-2026',
        model_lookback: 2257,
        quantile: [0.99],
        sale_delay: 48,
        sale_cost: 0,
        credit: {},
        loans: [{ id: 'bond', ...bond, loan_duration: 30, mc_top_up: 0 }],
      },
    });
    const { Credit } = (result.Loans as ReadonlyMap<string, { Credit: Record<string, number> }>).get('bond')!;
    expect(basis.paths).toBe(54_168);
    expect(Credit.PD * basis.paths).toBeCloseTo(16_946, 6);
    expect(Credit.PrLoss * basis.paths).toBeCloseTo(2, 6);
    // The debt has no interest, so every exposure is the loan; the larger of the two losses is 5.5915 % of it.
    expect(Credit.EAD).toBe(1e6);
    expect(Credit.LossGivenLossPct).toBeLessThan(5.5915);
    expect(2 * Credit.LossGivenLossPct).toBeGreaterThan(5.5915);
  });
});
