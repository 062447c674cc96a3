/** GARCH(1,1) in the SIMD kernel: kernel/model.ts, kernel/day-walk.ts. */
import { type SimdModel, writePairOfAssets, writeVariances } from './contract.ts';

/** Places of SCALE in kernel/memory.ts. */
const SCALE_DEVIATION = 0;
const SCALE_DRIFT = 1;

export const SIMD_GARCH: SimdModel<'garch'> = {
  number: kernel => kernel.exports.MODEL_GARCH,
  writeHours(kernel, scenarios, _table, pair) {
    const { SCALE } = kernel.exports;
    writeVariances(kernel, scenarios);
    // Of an hour's deviation, and of its variance, in base 2.
    kernel.put(SCALE, SCALE_DEVIATION, scenarios.volatilityScale * Math.LOG2E);
    kernel.put(SCALE, SCALE_DRIFT, (-(scenarios.volatilityScale ** 2) / 2) * Math.LOG2E);
    if (pair !== undefined) writePairOfAssets(kernel, pair);
  },
  writeHorizons: undefined,
  table: undefined,
};
