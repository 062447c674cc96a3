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

/** Farthest place of a shift: the square of a weight there is 1e-174. */
const FARTHEST = 20;
/** Halvings of the range of places. */
const HALVINGS = 50;

/**
 * GBM with every second path shifted.
 *
 * The direction is the fall of the collateral against the debt to first order. The distance is the median place along it of the 11
 * of 1,024 pilot paths with the lowest final collateral over debt; 0 where nothing moves between the two. Where barriers of a loan lie
 * beyond the pilots, it is the middle between the nearest and the farthest of these: plain paths reach the others.
 *
 * @param steps of the longest path, hours
 * @param barriers values of collateral over debt at the end, relative to that at the start, at which a state of the loan begins
 */
export function shiftedScenarios(
  { assets, annualVolatility, factor }: GbmScenarios,
  { collateral, debt }: Exposed,
  steps: number,
  seed: number,
  barriers: readonly number[] = [],
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
  const ofPilots = places[(LOWEST - 1) / 2];
  const ratioAt = (place: number) => {
    let [value, owing] = [0, 0];
    for (let i = 0; i < assets; i++) {
      let shock = 0;
      for (let j = 0; j <= i; j++) shock -= (factor[i * assets + j] * loadings[j] * place) / size;
      const price = Math.exp(Math.sqrt(years) * shock - (annualVolatility[i] ** 2 * years) / 2);
      value += (collateral[i] / held) * price;
      owing += (debt[i] / owed) * price;
    }
    return value / owing;
  };
  const beyond = barriers
    .map(barrier => placeBelow(ratioAt, barrier))
    .filter(place => place > ofPilots && place < FARTHEST);
  const distance = beyond.length === 0 ? ofPilots : (Math.min(...beyond) + Math.max(...beyond)) / 2;
  return { ...plain, distance };
}

/** The place from 0 to `FARTHEST` at which a falling ratio reaches a barrier; either end where it does not. */
function placeBelow(ratioAt: (place: number) => number, barrier: number): number {
  let [low, high] = [0, FARTHEST];
  if (ratioAt(high) > barrier) return high;
  for (let k = 0; k < HALVINGS; k++) {
    const middle = (low + high) / 2;
    if (ratioAt(middle) > barrier) low = middle;
    else high = middle;
  }
  return high;
}

const total = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);
