/** The error of a share at a rate that varies with the sample, against its deviation over many samples. */
import { expect, it } from 'vitest';
import {
  advanceRateAccuracy,
  advanceRateFigures,
  type RateFigureName,
} from '#src/core/figures/advance-rate.js';
import type { AdvanceRateProduct } from '#src/core/plan/simulation-plan.js';
import { NO_EXPOSURE, ratesOf } from '#src/core/product/advance-rate.js';
import { normalFromWord } from '#src/core/random/normal.js';
import { WordStream } from '#src/core/random/stream.js';

const SAMPLES = 400;
const PATHS = 4000;
const EXPECTED_LOSS = 0.005;
const DEVIATION = 0.06;
/** Share of the paths on which no exposure begins, after a fall. */
const WITHOUT = 0.4;

const product = (isAfter: boolean): AdvanceRateProduct => ({
  kind: 'advance-rate',
  portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
  ...{ steps: 48, horizonSteps: Uint32Array.of(48), lowest: false, saleCost: 0 },
  ...(isAfter && { steps: 49, after: { ratio: 0.9, withinSteps: 1 } }),
  confidences: new Float64Array(0),
  expectedLosses: Float64Array.of(EXPECTED_LOSS),
  rates: new Float64Array(0),
  intervalLevel: 0.95,
});

function sample(seed: number, isAfter: boolean) {
  const words = new WordStream(seed, 0, 0, 0);
  const ratios = Float64Array.from({ length: PATHS }, () => {
    const ratio = Math.exp(DEVIATION * normalFromWord(words.next()));
    return isAfter && words.next() < WITHOUT * 2 ** 32 ? NO_EXPOSURE : ratio;
  });
  const terms = product(isAfter);
  return {
    kind: 'advance-rate' as const,
    paths: PATHS,
    horizons: [ratesOf({ ratios, steps: 48 }, terms)],
  };
}

it.each<readonly [RateFigureName, boolean]>([
  ['PrLoss', false],
  ['PrLoss', true],
  ['PrLossOfAll', true],
])('The error of %s at the rate of an expected loss is its deviation (after a fall: %s)', (name, isAfter) => {
  const terms = product(isAfter);
  const found = Array.from({ length: SAMPLES }, (_, seed) => {
    const outcome = sample(seed, isAfter);
    const key = String(EXPECTED_LOSS);
    const value = advanceRateFigures(outcome, terms, ['48'])['48'].ExpectedLoss?.[key][name];
    const row = advanceRateAccuracy(outcome, terms, ['48'], 0.95)['48'].ExpectedLoss?.[key][name];
    return { value: value ?? Number.NaN, error: row?.standard_error ?? Number.NaN };
  });
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / SAMPLES;
  const centre = mean(found.map(({ value }) => value));
  const deviation = Math.sqrt(mean(found.map(({ value }) => (value - centre) ** 2)));
  // A deviation of 400 samples has a relative error of 3.5 %; the error of a share at a given rate is 1.25 to 1.4 times as large.
  const ratio = mean(found.map(({ error }) => error)) / deviation;
  expect(ratio).toBeGreaterThan(0.86);
  expect(ratio).toBeLessThan(1.14);
});
