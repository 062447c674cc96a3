/**
 * Writes a plan's market and thresholds into the kernel's memory in single precision, every number computed in double and rounded once. Log
 * prices of baskets are in base 2 in the kernel; the log ratio of a pair is natural.
 */
import { debtGrows, debtGrowthPerStep, type GrowingDebt } from '../plan/loan-terms.ts';
import type { Scenarios } from '../plan/models.ts';
import { assetPair, type RatioThresholds } from '../plan/ratio-path.ts';
import type { Portfolio } from '../plan/simulation-plan.ts';
import type { Kernel } from './kernel.ts';
import { type Horizons, writeWeights } from './model/contract.ts';
import { simdModelOf } from './models.ts';

/** Places of RULES in kernel/loan.ts. */
const RULE_MARGIN_CALL = 0;
const RULE_LIQUIDATION = 1;
const RULE_RECOVERY = 2;

/**
 * Writes the market to the kernel.
 *
 * @param pathBytes bytes behind PATHS that the paths take: the model's table follows them
 * @returns the domain of the kernel's values: natural logarithms for a pair of single assets
 */
export function writeMarket(
  kernel: Kernel,
  scenarios: Scenarios,
  portfolio: Portfolio,
  seed: number,
  pathBytes: number,
): 'ratio' | 'ln' {
  const pair = assetPair(portfolio);
  const { model, at } = configure(kernel, scenarios, seed, pathBytes, { isPair: pair !== undefined });
  model.writeHours(kernel, scenarios, at, pair);
  writeWeights(kernel, portfolio);
  return pair === undefined ? 'ratio' : 'ln';
}

/**
 * Writes the market of steps from horizon to horizon to the kernel: factor and drift of a year.
 *
 * @param pathBytes as in `writeMarket`
 * @throws RangeError for a model that has no such steps
 */
export function writeHorizonMarket(
  kernel: Kernel,
  scenarios: Scenarios,
  horizons: Horizons,
  seed: number,
  pathBytes: number,
): void {
  const { writeHorizons } = simdModelOf(scenarios);
  if (writeHorizons === undefined)
    throw new RangeError(`the SIMD kernel has no horizons under ${scenarios.kind}`);
  const { at } = configure(kernel, scenarios, seed, pathBytes, { horizons });
  writeHorizons(kernel, scenarios, at, horizons);
  writeWeights(kernel, horizons.product.portfolio);
}

/**
 * Writes the market of hourly steps of every asset to the kernel, without baskets.
 *
 * @returns bytes behind PATHS that the model's table takes
 */
export function writePriceMarket(kernel: Kernel, scenarios: Scenarios, seed: number): number {
  const { model, at, bytes } = configure(kernel, scenarios, seed, 0);
  model.writeHours(kernel, scenarios, at, undefined);
  return bytes;
}

/** Selects the model and writes its table. @returns the model, and address and bytes of its table, both 0 where it has none */
function configure(
  kernel: Kernel,
  scenarios: Scenarios,
  seed: number,
  pathBytes: number,
  { isPair = false, horizons }: { readonly isPair?: boolean; readonly horizons?: Horizons } = {},
) {
  const model = simdModelOf(scenarios);
  kernel.exports.configure(seed | 0, scenarios.assets, isPair);
  const table = model.table?.(scenarios, horizons);
  const at = table === undefined ? 0 : kernel.putTable(pathBytes, table);
  kernel.exports.configureModel(model.number(kernel, scenarios).value, at);
  return { model, at, bytes: table?.byteLength ?? 0 };
}

/** Bytes of the growth of a debt in the kernel's memory, in whole vectors; none where it does not grow. */
export function accrualBytes(kernel: Kernel, debt: GrowingDebt): number {
  return debtGrows(debt) ? kernel.inVectors(Float32Array.BYTES_PER_ELEMENT * debt.steps) : 0;
}

/**
 * Writes the growth of a debt to the kernel; after `writeMarket`, which sets none.
 *
 * @param behind bytes between PATHS and the growth
 */
export function writeAccrual(
  kernel: Kernel,
  debt: GrowingDebt,
  domain: 'ratio' | 'ln',
  behind: number,
): void {
  if (!debtGrows(debt)) return;
  const perStep = debtGrowthPerStep(debt);
  const areLogs = domain === 'ln';
  const table = Float32Array.from({ length: debt.steps }, (_, i) =>
    areLogs ? -perStep * (i + 1) : Math.exp(-perStep * (i + 1)),
  );
  kernel.exports.configureAccrual(kernel.putTable(behind, table), areLogs);
}

/** Writes the thresholds of a loan to the kernel, in the domain of its values. */
export function writeRules(kernel: Kernel, thresholds: RatioThresholds): void {
  const { RULES } = kernel.exports;
  kernel.put(RULES, RULE_MARGIN_CALL, leastSingle(thresholds.marginCall));
  kernel.put(RULES, RULE_LIQUIDATION, leastSingle(thresholds.liquidation));
  kernel.put(RULES, RULE_RECOVERY, leastSingle(thresholds.recovery));
}

/** Thresholds below all values: no events. */
export const NO_RULES: RatioThresholds = {
  marginCall: Number.NEGATIVE_INFINITY,
  liquidation: Number.NEGATIVE_INFINITY,
  recovery: Number.NEGATIVE_INFINITY,
  underwater: Number.NEGATIVE_INFINITY,
};

const bits = new DataView(new ArrayBuffer(Float32Array.BYTES_PER_ELEMENT));

/** The least single that is not below a double: a single is below both or neither. */
export function leastSingle(threshold: number): number {
  const nearest = Math.fround(threshold);
  if (nearest >= threshold) return nearest;
  bits.setFloat32(0, nearest);
  // Bit patterns rise with the magnitude: away from 0 for a positive number, towards 0 for a negative one.
  bits.setInt32(0, bits.getInt32(0) + (nearest < 0 ? -1 : 1));
  return bits.getFloat32(0);
}
