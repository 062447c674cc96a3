/** Filtered historical simulation in the SIMD kernel: kernel/filtered.ts, kernel/rows.ts, kernel/cumulant.ts, kernel/bridge.ts. */
import { DAYS_PER_YEAR } from '../../plan/grid.ts';
import type { FilteredHistoricalScenarios } from '../../plan/model/filtered-historical.ts';
import type { Kernel } from '../kernel.ts';
import {
  byAsset,
  type Horizons,
  joined,
  type SimdModel,
  writePairOfAssets,
  writeVariances,
} from './contract.ts';

/** Years of a horizon are a rounded number of days over 365. */
const DAY_ROUNDING = 1e-9;

export const SIMD_FILTERED_HISTORICAL: SimdModel<'filtered-historical'> = {
  number: kernel => kernel.exports.MODEL_FILTERED,
  writeHours(kernel, scenarios, table, pair) {
    writeDays(kernel, scenarios, table);
    if (pair !== undefined) writePairOfAssets(kernel, pair);
  },
  writeHorizons(kernel, scenarios, table, horizons) {
    writeDays(kernel, scenarios, table);
    for (const [k, [ends, ...parts]] of stepsTo(horizons).entries())
      kernel.putWords(kernel.exports.PATHS, k, ends, parts);
  },
  // Residuals, then cumulants.
  table: ({ rows, assets, cumulants }) => joined([byAsset(rows, assets), Float32Array.from(cumulants)]),
};

function writeDays(kernel: Kernel, scenarios: FilteredHistoricalScenarios, table: number): void {
  const { assets, rows } = scenarios;
  kernel.exports.configureRows(
    rows.length / assets,
    table + Float32Array.BYTES_PER_ELEMENT * rows.length,
    0,
    0,
  );
  writeVariances(kernel, scenarios);
  kernel.put(kernel.exports.SCALE, 0, scenarios.volatilityScale);
}

/**
 * The step to each horizon from the one before: days that end; the fraction of its day; its part of the rest of the day's bridge, and the
 * spread of that part, in days' deviations.
 */
function stepsTo({ product, count }: Horizons): readonly (readonly [number, number, number, number])[] {
  let day = 0;
  let fraction = 0;
  return Array.from({ length: count }, (_, k) => {
    const at = product.horizonYears[k] * DAYS_PER_YEAR;
    let ends = 0;
    // A horizon at the end of a day, to the rounding of years and days, ends that day.
    while (at >= day + 1 - DAY_ROUNDING) {
      ends++;
      day++;
      fraction = 0;
    }
    const to = Math.max(fraction, at - day);
    const part = (to - fraction) / (1 - fraction);
    const spread = Math.sqrt((to - fraction) * (1 - part));
    fraction = to;
    return [ends, to, part, spread];
  });
}
