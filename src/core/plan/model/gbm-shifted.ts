/** Geometric Brownian motion with every second path shifted towards losses: parameters and contract (docs/decisions/tail-sampling.md). */
import { type Declared, doubles, number, perAsset, whole } from '../fields.ts';
import { HOURS_PER_YEAR, MAX_STEPS } from '../grid.ts';
import type { ModelContract } from './contract.ts';
import { GBM_FIELDS, GBM_PRICES, type GbmScenarios, usualGbm } from './gbm.ts';

const GBM_SHIFTED_FIELDS = {
  ...GBM_FIELDS,
  /** n numbers d_i: share of the collateral less share of the debt. */
  exposures: doubles(perAsset),
  /** Hours of the longest path, over which the shift is spread. */
  steps: whole(1, MAX_STEPS),
  /** Final distance of the shifted paths along the direction, in standard deviations; 0 without a shift. */
  distance: number(),
};

/**
 * The law of `GbmScenarios`, drawn with weights. Paths of odd number have one more drift, along the direction in which the
 * collateral falls against the debt; a path of either kind has the weight f / (f/2 + g/2), f the density of the model and g the density of
 * the shifted paths. Loans and books only: their figures are sum w x / sum w.
 */
export interface GbmShiftedScenarios extends Declared<typeof GBM_SHIFTED_FIELDS> {
  readonly kind: 'gbm-shifted';
}

/** Steps of a group, which every engine draws together. */
const GROUP_STEPS = 4;

/** The number of steps behind a path's weight: the steps of the plan in whole groups. */
export const weighedSteps = (steps: number): number => GROUP_STEPS * Math.ceil(steps / GROUP_STEPS);

/** Whether a path is shifted. @param path its number */
export const isShifted = (path: number): boolean => path % 2 === 1;

export interface Shift {
  /** Increment of ln S_i per step of a shifted path, beside the model's drift; n entries. */
  readonly perStep: Float64Array;
  /** The weight of a path, 0 to 2. @param logReturn sum of d_i ln S_i after `weighedSteps` */
  weightOf(logReturn: number): number;
  /** The weight by a formula: 2 / (1 + e^(start + slope logReturn)). */
  readonly exponent: { readonly start: number; readonly slope: number };
}

/**
 * The shift of a plan, over its longest path. With F = `factor`, v = F'd and u = -v / |v|, the shifted paths have the normals of all
 * steps moved along u, by `distance` in their scaled sum; Z, that sum along u, is linear in the log prices:
 * Z = -(sum d_i ln S_i - m) / (|v| sqrt(T)), m the mean of the sum.
 */
export function shiftOf(scenarios: GbmShiftedScenarios): Shift {
  const { assets, annualVolatility, factor, exposures, distance } = scenarios;
  const weighed = weighedSteps(scenarios.steps);
  const years = weighed / HOURS_PER_YEAR;
  const loadings = exposureLoadings(scenarios);
  const size = Math.hypot(...loadings);
  const perStep = new Float64Array(assets);
  if (!(size > 0) || distance === 0) return { perStep, weightOf: () => 1, exponent: { start: 0, slope: 0 } };
  for (let i = 0; i < assets; i++)
    for (let j = 0; j <= i; j++)
      perStep[i] -= (factor[i * assets + j] * loadings[j] * distance * Math.sqrt(years)) / (size * weighed);
  const mean = exposures.reduce((sum, d, i) => sum - (d * annualVolatility[i] ** 2 * years) / 2, 0);
  const deviation = size * Math.sqrt(years);
  return {
    perStep,
    weightOf: logReturn => {
      const z = (mean - logReturn) / deviation;
      return 2 / (1 + Math.exp(distance * z - (distance * distance) / 2));
    },
    exponent: {
      start: (distance * mean) / deviation - (distance * distance) / 2,
      slope: -distance / deviation,
    },
  };
}

/** F'd: the contributions of the n normals of a year to sum d_i ln S_i. */
export function exposureLoadings({
  assets,
  factor,
  exposures,
}: Pick<GbmShiftedScenarios, 'assets' | 'factor' | 'exposures'>): Float64Array {
  const loadings = new Float64Array(assets);
  for (let i = 0; i < assets; i++)
    for (let j = 0; j <= i; j++) loadings[j] += exposures[i] * factor[i * assets + j];
  return loadings;
}

export const asGbm = ({ assets, annualVolatility, factor }: GbmShiftedScenarios): GbmScenarios => ({
  kind: 'gbm',
  assets,
  annualVolatility,
  factor,
});

export const GBM_SHIFTED: ModelContract<GbmShiftedScenarios> = {
  fields: GBM_SHIFTED_FIELDS,
  products: ['loan', 'book'],
  weighs: true,
  check({ steps, distance }, size, faults) {
    if (distance !== 0 && steps !== size.steps)
      faults.add('plan.scenarios.steps', `the ${size.steps} steps of the product`, steps);
  },
  drawn: GBM_PRICES,
  walkedPerDay: 0,
  usual: assets => ({
    kind: 'gbm-shifted',
    ...usualGbm(assets),
    // Without a shift this is GBM.
    exposures: new Float64Array(assets),
    steps: 1,
    distance: 0,
  }),
};
