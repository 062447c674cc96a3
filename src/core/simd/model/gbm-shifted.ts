/** GBM with every second path shifted, in the SIMD kernel: packets begin with a path of even number. */
import { shiftOf } from '../../plan/model/gbm-shifted.ts';
import { PAIR_DRIFT, type SimdModel } from './contract.ts';
import { hourlyDrift, writeHourlyWalks } from './gbm.ts';

export const SIMD_GBM_SHIFTED: SimdModel<'gbm-shifted'> = {
  number: kernel => kernel.exports.MODEL_GBM,
  writeHours(kernel, scenarios, _table, pair) {
    writeHourlyWalks(kernel, scenarios, pair);
    const { DRIFT, PAIR } = kernel.exports;
    const drift = hourlyDrift(scenarios);
    const { perStep } = shiftOf(scenarios);
    drift.forEach((each, i) => {
      kernel.putByTurns(DRIFT, i, each * Math.LOG2E, (each + perStep[i]) * Math.LOG2E);
    });
    if (pair === undefined) return;
    const ratioDrift = drift[pair.collateral] - drift[pair.loan];
    const shift = perStep[pair.collateral] - perStep[pair.loan];
    kernel.putByTurns(PAIR, PAIR_DRIFT, ratioDrift, ratioDrift + shift);
  },
  writeHorizons: undefined,
  table: undefined,
};
