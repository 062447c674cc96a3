/**
 * Advance rates of one coin against the dollar on every engine against closed forms: the lognormal law at the end of an exposure, and the
 * law of the lowest hour. The figures are those of another program (docs/advance-rate.md).
 */
import { describe, expect, it } from 'vitest';
import { advanceRateAccuracy } from '#src/core/figures/advance-rate.js';
import type { AdvanceRateProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { lostAt } from '#src/core/rules/advance-rate.js';
import { exactRates } from '#src/question/advance-rate/exact.js';
import { ENGINES, engineForTests } from '../support/engines.ts';
import { gbmPair } from '../support/gbm.ts';

const PATHS = 40_000;
const HOURS = 48;
const SALE_COST = 0.02;
const CONFIDENCES = Float64Array.of(0.95, 0.99, 0.999);
const EXPECTED_LOSSES = Float64Array.of(1e-4, 1e-3);

const planOf = (lowest: boolean): SimulationPlan<AdvanceRateProduct> => ({
  seed: 54,
  paths: PATHS,
  scenarios: gbmPair(0.9, 0, 0),
  product: {
    kind: 'advance-rate',
    portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
    steps: HOURS,
    horizonSteps: Uint32Array.of(HOURS),
    lowest,
    saleCost: SALE_COST,
    confidences: CONFIDENCES,
    expectedLosses: EXPECTED_LOSSES,
    rates: Float64Array.of(0.8),
    intervalLevel: 0.95,
  },
});

const CASES = [
  { measure: 'end', rates: [0.876338, 0.83744, 0.795888], byLoss: [0.823077, 0.869036] },
  { measure: 'lowest', rates: [0.862951, 0.828072, 0.789403], byLoss: undefined },
] as const;

/** Standard errors that an estimate may be off. */
const ERRORS = 4;

for (const engine of ENGINES) {
  describe(`advance rates of one coin on ${engine.name}`, { tags: engine.tags }, () => {
    const tested = engineForTests(engine);

    it.each(CASES)('are those of the law at the $measure', async ({ measure, rates, byLoss }) => {
      const plan = planOf(measure === 'lowest');
      const { 'ratio.0': ratios } = await tested.trace(plan);
      const proceeds = Array.from(ratios, ratio => (1 - SALE_COST) * ratio);
      rates.forEach((rate, i) => {
        const share = 1 - CONFIDENCES[i];
        const error = Math.sqrt((share * (1 - share)) / PATHS);
        expect(Math.abs(lostAt(proceeds, rate).losing / PATHS - share)).toBeLessThan(ERRORS * error);
      });
      for (const [i, rate] of (byLoss ?? []).entries()) {
        const losses = proceeds.map(value => Math.max(0, 1 - value / rate));
        const mean = losses.reduce((sum, loss) => sum + loss, 0) / PATHS;
        const squares = losses.reduce((sum, loss) => sum + loss * loss, 0) / PATHS;
        const error = Math.sqrt((squares - mean * mean) / PATHS);
        expect(Math.abs(mean - EXPECTED_LOSSES[i])).toBeLessThan(ERRORS * error);
      }
    });
  });
}

describe('the exact figures of an advance rate', () => {
  const asker = { caller: '', signal: new AbortController().signal };
  const tested = engineForTests(ENGINES[0]);

  async function exact(lowest: boolean) {
    const plan = planOf(lowest);
    const found = advanceRateAccuracy(await tested.run(plan), plan.product, ['48'], 0.95);
    return (await exactRates(plan, ['48'], found, asker))['48'];
  }

  it('are the closed forms at the end', async () => {
    const { Confidence, ExpectedLoss, AdvanceRate } = await exact(false);
    const [end] = CASES;
    end.rates.forEach((rate, i) => {
      const at = Confidence?.[String(CONFIDENCES[i])];
      expect(at?.AdvanceRate?.exact).toBeCloseTo(rate, 6);
      expect(at?.Haircut?.exact).toBeCloseTo(1 - rate, 6);
      expect(at?.TriggerRatio?.exact).toBeCloseTo(1 / rate, 5);
    });
    end.byLoss.forEach((rate, i) => {
      expect(ExpectedLoss?.[String(EXPECTED_LOSSES[i])].AdvanceRate?.exact).toBeCloseTo(rate, 6);
    });
    expect(ExpectedLoss?.['0.001'].PrLoss?.exact).toBeCloseTo(0.038326, 6);
    expect(AdvanceRate?.['0.8'].ExpectedLossPct?.exact).toBeGreaterThan(0);
  });

  it('are those of the recursion over hours at the lowest, within its error', async () => {
    const { Confidence, ExpectedLoss, AdvanceRate } = await exact(true);
    CASES[1].rates.forEach((rate, i) => {
      const at = Confidence?.[String(CONFIDENCES[i])].AdvanceRate;
      expect(at?.exact).toBeCloseTo(rate, 6);
      expect(at?.exact_error).toBeLessThan(1e-9);
    });
    expect(AdvanceRate?.['0.8'].PrLoss?.exact).toBeGreaterThan(0.001);
    expect(ExpectedLoss?.['0.001'].AdvanceRate).not.toHaveProperty('exact');
  });
});
