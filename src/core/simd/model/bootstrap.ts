/** The stationary bootstrap in the SIMD kernel: kernel/bootstrap.ts, kernel/rows.ts, kernel/bridge.ts. */
import { type BootstrapScenarios, newBlockThreshold } from '../../plan/model/bootstrap.ts';
import type { Kernel } from '../kernel.ts';
import { byAsset, joined, type SimdModel, writeAssets, writeFactor, writePairOfAssets } from './contract.ts';

export const SIMD_BOOTSTRAP: SimdModel<'bootstrap'> = {
  number: ({ exports }, { stepsPerRow }) =>
    stepsPerRow === 1 ? exports.MODEL_BOOTSTRAP_HOURS : exports.MODEL_BOOTSTRAP_DAYS,
  writeHours(kernel, scenarios, table, pair) {
    writeRows(kernel, scenarios, table);
    if (pair !== undefined) writePairOfAssets(kernel, pair);
  },
  writeHorizons(kernel, scenarios, table, { product, count }) {
    writeRows(kernel, scenarios, table);
    for (let k = 0; k < count; k++) kernel.putWords(kernel.exports.PATHS, k, product.horizonSteps[k]);
  },
  // Returns, then drifts, in base 2.
  table: ({ rows, drift, assets }) =>
    joined([byAsset(rows, assets, Math.LOG2E), byAsset(drift, assets, Math.LOG2E)]),
};

function writeRows(kernel: Kernel, scenarios: BootstrapScenarios, table: number): void {
  const { assets, rows, drift, deviation, factor } = scenarios;
  // A threshold of 2^32, which every word is below, becomes 0.
  const threshold = newBlockThreshold(scenarios) | 0;
  const drifts = table + Float32Array.BYTES_PER_ELEMENT * rows.length;
  kernel.exports.configureRows(rows.length / assets, drifts, drift.length / assets, threshold);
  writeFactor(kernel, assets, factor, 1);
  writeAssets(
    kernel,
    kernel.exports.FIRST_VARIANCE,
    deviation.map(each => each * Math.LOG2E),
  );
}
