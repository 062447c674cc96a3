/** Distance and direction of the shift of GBM, with which more paths end in losses (docs/decisions/tail-sampling.md). */
import { HOURS_PER_YEAR } from '../../core/plan/grid.ts';
import {
  exposureLoadings,
  type GbmShiftedScenarios,
  weighedSteps,
} from '../../core/plan/model/gbm-shifted.ts';
import type { GbmScenarios } from '../../core/plan/simulation-plan.ts';
import { pilotNormals } from '../../core/random/pilot-normals.ts';

/** Pilot paths, and number of the lowest ones, whose median place is the distance. */
const PILOTS = 1024;
const LOWEST = 11;

/** Collateral and debt at the start: n values of each, in any unit. */
interface Exposed {
  readonly collateral: Float64Array;
  readonly debt: Float64Array;
}

/**
 * GBM with every second path shifted.
 *
 * The direction is the fall of the collateral against the debt to first order. The distance is the median place along it of the 11
 * of 1,024 pilot paths with the lowest final collateral over debt; 0 where nothing moves between the two.
 *
 * @param steps of the longest path, hours
 */
export function shiftedScenarios(
  { assets, annualVolatility, factor }: GbmScenarios,
  { collateral, debt }: Exposed,
  steps: number,
  seed: number,
): GbmShiftedScenarios {
  const held = total(collateral);
  const owed = total(debt);
  const exposures = collateral.map((value, i) => value / held - debt[i] / owed);
  const plain = { kind: 'gbm-shifted', assets, annualVolatility, factor, exposures, steps } as const;
  const loadings = exposureLoadings(plain);
  const size = Math.hypot(...loadings);
  if (!(size > 0)) return { ...plain, distance: 0 };
  const years = weighedSteps(steps) / HOURS_PER_YEAR;
  const pilots = Array.from({ length: PILOTS }, (_, p) => {
    const z = pilotNormals(seed, p, assets);
    const place = -z.reduce((sum, each, j) => sum + loadings[j] * each, 0) / size;
    let value = 0;
    let owing = 0;
    for (let i = 0; i < assets; i++) {
      let shock = 0;
      for (let j = 0; j <= i; j++) shock += factor[i * assets + j] * z[j];
      const price = Math.exp(Math.sqrt(years) * shock - (annualVolatility[i] ** 2 * years) / 2);
      value += collateral[i] * price;
      owing += debt[i] * price;
    }
    return { place, ratio: value / owing };
  });
  const lowest = pilots.sort((a, b) => a.ratio - b.ratio).slice(0, LOWEST);
  const places = Float64Array.from(lowest, ({ place }) => place).sort();
  return { ...plain, distance: places[(LOWEST - 1) / 2] };
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
