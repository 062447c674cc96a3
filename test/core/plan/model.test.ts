/** What plans state about the prices of each model, against plain formulas. */
import { describe, expect, it } from 'vitest';
import { decodePlan, encodePlan } from '#src/core/plan/codec.js';
import { Faults } from '#src/core/plan/fields.js';
import { shiftOf, weighedSteps } from '#src/core/plan/model/gbm-shifted.js';
import { sobolPaths } from '#src/core/plan/model/gbm-sobol.js';
import { drawnPrices, hasWeights, MODEL_KINDS, MODELS, type Scenarios } from '#src/core/plan/models.js';
import { PRODUCTS } from '#src/core/plan/products.js';

const EXPOSURES = Float64Array.of(0.7, -0.4, 0.3);
/** Lower-triangular, rows of length 1. */
const CORRELATED = Float64Array.of(1, 0, 0, 0.6, 0.8, 0, -0.48, 0.64, 0.6);
const rho = (i: number, j: number) =>
  [0, 1, 2].reduce((sum, k) => sum + CORRELATED[3 * i + k] * CORRELATED[3 * j + k], 0);

/** The standard deviation of a sum of log prices with these variances and the correlations above. */
function spreadOf(variances: readonly number[], correlation = rho): number {
  let sum = 0;
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++)
      sum += EXPOSURES[i] * EXPOSURES[j] * Math.sqrt(variances[i] * variances[j]) * correlation(i, j);
  return Math.sqrt(sum);
}

function expectFigures(scenarios: Scenarios, years: number, variances: readonly number[], spread: number) {
  const drawn = drawnPrices(scenarios);
  expect(drawn?.varianceOfTerm(scenarios, years).length).toBe(3);
  drawn?.varianceOfTerm(scenarios, years).forEach((variance, i) => {
    expect(variance / variances[i], `asset ${i}`).toBeCloseTo(1, 12);
  });
  expect((drawn?.spreadOfTerm(scenarios, EXPOSURES, years) ?? 0) / spread).toBeCloseTo(1, 12);
}

describe('The variances of a term, and the spread of a sum of log prices, are those', () => {
  const annualVolatility = Float64Array.of(0.5, 0.9, 0.2);
  const variances = [...annualVolatility].map(sigma => sigma ** 2 * 0.3);
  const factor = CORRELATED.map((value, k) => value * annualVolatility[Math.floor(k / 3)]);

  it('of correlated walks under the models of constant volatility', () => {
    const usual = MODELS.gbm.usual(3);
    expectFigures({ ...usual, annualVolatility, factor }, 0.3, variances, spreadOf(variances));
    const t = MODELS['student-t'].usual(3);
    expectFigures({ ...t, annualVolatility, factor }, 0.3, variances, spreadOf(variances));
    const shifted = MODELS['gbm-shifted'].usual(3);
    expectFigures({ ...shifted, annualVolatility, factor }, 0.3, variances, spreadOf(variances));
    const sobol = MODELS['gbm-sobol'].usual(3);
    expectFigures({ ...sobol, annualVolatility, components: factor }, 0.3, variances, spreadOf(variances));
  });

  it('of correlated walks of which one does not move', () => {
    const still = { annualVolatility: Float64Array.of(0.5, 0, 0.2), factor: factor.slice() };
    still.factor.fill(0, 3, 6);
    const drawn = drawnPrices({ ...MODELS.gbm.usual(3), ...still });
    const spread = drawn?.spreadOfTerm({ ...MODELS.gbm.usual(3), ...still }, EXPOSURES, 0.3);
    expect(spread).toBeCloseTo(spreadOf([variances[0], 0, variances[2]]), 12);
  });

  it.each(['garch', 'filtered-historical'] as const)('of the forecast of each day under %s', kind => {
    const terms = {
      omega: Float64Array.of(1e-4, 2e-5, 0),
      alpha: Float64Array.of(0.1, 0.05, 0.2),
      beta: Float64Array.of(0.85, 0.9, 0.7),
      firstVariance: Float64Array.of(4e-3, 1e-4, 2e-3),
      volatilityScale: 1.5,
      factor: CORRELATED,
    };
    const scenarios = { ...MODELS[kind].usual(3), ...terms } as Scenarios;
    // Two and a half days are three.
    const forecast = [0, 1, 2].map(i => {
      const [omega, decay] = [terms.omega[i], terms.alpha[i] + terms.beta[i]];
      const first = terms.firstVariance[i];
      const second = omega + decay * first;
      return 2.25 * (first + second + omega + decay * second);
    });
    expectFigures(scenarios, 2.5 / 365, forecast, spreadOf(forecast));
  });

  it.each([1, 24] as const)('of the mean squares of the rows under bootstrap, of %i hours', stepsPerRow => {
    const rows = Float64Array.of(0.01, 0.02, -0.03, -0.02, 0.01, 0.04, 0.03, -0.01, 0.02);
    const scenarios = { ...MODELS.bootstrap.usual(3), rows, stepsPerRow, factor: CORRELATED };
    const count = (0.3 * 8760) / stepsPerRow;
    const drawn = [14e-4, 6e-4, 29e-4].map(squares => (squares / 3) * count);
    expectFigures(scenarios, 0.3, drawn, spreadOf(drawn));
  });

  it('of none for given prices', () => {
    expect(drawnPrices(MODELS.historical.usual(2))).toBeUndefined();
  });
});

it('Each model has its way of drawing, its weights and its parts', () => {
  const facts = MODEL_KINDS.map(kind => {
    const { drawn, walkedPerDay, replicates } = MODELS[kind];
    return [kind, walkedPerDay, drawn?.ratioIsOneWalk, hasWeights(kind), replicates];
  });
  expect(facts).toEqual([
    ['gbm', 0, true, false, undefined],
    ['gbm-sobol', 0, true, false, 16],
    ['gbm-shifted', 0, true, true, undefined],
    ['garch', 0, false, false, undefined],
    ['historical', 0, undefined, false, undefined],
    ['student-t', 0.2, false, false, undefined],
    ['filtered-historical', 1, false, false, undefined],
    ['bootstrap', 24, false, false, undefined],
  ]);
});

it.each(MODEL_KINDS)('A plan with the usual market of %s is read as it was written', kind => {
  const isSobol = kind === 'gbm-sobol';
  const [product] = PRODUCTS[isSobol ? 'value-at-risk' : 'loan'].usual.terms(3);
  const plan = { seed: 1, paths: isSobol ? 16 : 1, scenarios: MODELS[kind].usual(3), product };
  expect(decodePlan(JSON.parse(JSON.stringify(encodePlan(plan))))).toEqual(plan);
});

it('Sobol paths are sixteen times a power of two', () => {
  expect([1, 16, 17, 32, 33, 10_000].map(sobolPaths)).toEqual([16, 16, 32, 32, 64, 16_384]);
  const faultsOf = (paths: number) => {
    const faults = new Faults();
    MODELS['gbm-sobol'].check?.(MODELS['gbm-sobol'].usual(2), { paths, steps: 1 }, faults);
    return faults.list.map(({ message }) => message);
  };
  expect(faultsOf(64)).toEqual([]);
  expect(faultsOf(48)).toEqual(['plan.paths must be 16 times a power of two; got 48']);
});

describe('The shift of odd paths', () => {
  const usual = MODELS['gbm-shifted'].usual(3);
  const shifted = { ...usual, exposures: EXPOSURES, distance: 1.5, steps: 100 };

  it('is spread over whole groups of four steps', () => {
    expect([1, 4, 5, 720].map(weighedSteps)).toEqual([4, 4, 8, 720]);
  });

  it('has weights by its formula', () => {
    const { weightOf, exponent } = shiftOf(shifted);
    expect(exponent.slope).toBeLessThan(0);
    for (const logReturn of [-0.3, 0, 0.02, 1])
      expect(weightOf(logReturn)).toBeCloseTo(
        2 / (1 + Math.exp(exponent.start + exponent.slope * logReturn)),
        12,
      );
  });

  it.each([
    ['a distance', { distance: 0 }],
    ['exposures', { exposures: new Float64Array(3) }],
  ])('is none without %s', (_, none) => {
    const { perStep, weightOf, exponent } = shiftOf({ ...shifted, ...none });
    expect([...perStep]).toEqual([0, 0, 0]);
    expect([weightOf(-0.2), weightOf(3)]).toEqual([1, 1]);
    expect(exponent).toEqual({ start: 0, slope: 0 });
  });

  it('is that of the steps of the product', () => {
    const faultsOf = (scenarios: typeof shifted, steps: number) => {
      const faults = new Faults();
      MODELS['gbm-shifted'].check?.(scenarios, { paths: 1, steps }, faults);
      return faults.list.map(({ message }) => message);
    };
    expect(faultsOf(shifted, 100)).toEqual([]);
    expect(faultsOf(shifted, 101)).toEqual([
      'plan.scenarios.steps must be the 101 steps of the product; got 100',
    ]);
    expect(faultsOf({ ...shifted, distance: 0 }, 101)).toEqual([]);
  });
});

it('A row of the bootstrap has one hour or 24', () => {
  for (const [hours, faulty] of [
    [1, 0],
    [24, 0],
    [2, 1],
    [25, 1],
  ]) {
    const faults = new Faults();
    MODELS.bootstrap.fields.stepsPerRow.read(hours, 'rows', faults);
    expect(faults.list, `${hours} hours`).toHaveLength(faulty);
  }
});

it('Windows of history need their prices, and a lead of the steps of the product', () => {
  const scenarios = MODELS.historical.usual(2);
  const faultsOf = (paths: number, steps: number) => {
    const faults = new Faults();
    MODELS.historical.check?.(scenarios, { paths, steps }, faults);
    return faults.list.map(({ path }) => path);
  };
  expect(faultsOf(1, 48)).toEqual([]);
  expect(faultsOf(1, 49)).toEqual(['plan.scenarios.lead']);
  expect(faultsOf(2, 48)).toEqual(['plan.scenarios.prices.0', 'plan.scenarios.prices.1']);
});
