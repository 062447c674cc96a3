/**
 * Writes a plan's market and thresholds into the kernel's memory.
 *
 * Takes: scenarios and portfolio in double precision. Gives: the same in single precision, every number computed in
 * double and rounded once. Log prices of baskets are in base 2 in the kernel; the log ratio of a pair is natural.
 */
import { HOURS_PER_YEAR } from '../plan/grid.ts';
import { assetPair, type RatioThresholds } from '../plan/ratio-path.ts';
import type { GbmScenarios, Portfolio } from '../plan/simulation-plan.ts';
import { projectionOn } from '../random/box-muller.ts';
import type { Kernel } from './kernel.ts';

/** Places of PAIR in wasm/pair.ts. */
const PAIR_VARIANCE = 0;
const PAIR_PHASE = 1;
const PAIR_DRIFT = 2;
const PAIR_START = 3;

/** Places of RULES in wasm/loan.ts. */
const RULE_MARGIN_CALL = 0;
const RULE_LIQUIDATION = 1;
const RULE_RECOVERY = 2;

/**
 * Tells the kernel the market.
 *
 * @returns the domain of the kernel's values: natural logarithms for a pair of single assets
 */
export function writeMarket(
  kernel: Kernel,
  scenarios: GbmScenarios,
  portfolio: Portfolio,
  seed: number,
): 'ratio' | 'ln' {
  const { PAIR } = kernel.exports;
  const { assets, annualVolatility, factor } = scenarios;
  const pair = assetPair(portfolio);
  const rootDt = Math.sqrt(1 / HOURS_PER_YEAR);
  const drift = annualVolatility.map(sigma => (-sigma * sigma) / (2 * HOURS_PER_YEAR));
  kernel.exports.configure(seed | 0, assets, pair !== undefined);
  writeAssets(kernel, assets, portfolio, {
    factor: factor.map(entry => entry * rootDt * Math.LOG2E),
    drift: drift.map(each => each * Math.LOG2E),
  });
  if (pair === undefined) return 'ratio';
  const loading = (j: number) =>
    j < assets ? (factor[pair.collateral * assets + j] - factor[pair.loan * assets + j]) * rootDt : 0;
  const { scale, phase } = projectionOn(loading(0), loading(1));
  kernel.put(PAIR, PAIR_VARIANCE, 2 * Math.LN2 * scale * scale);
  kernel.putInteger(PAIR, PAIR_PHASE, phase);
  kernel.put(PAIR, PAIR_DRIFT, drift[pair.collateral] - drift[pair.loan]);
  kernel.put(PAIR, PAIR_START, Math.log(pair.startRatio));
  return 'ln';
}

/** Tells the kernel the market of steps from horizon to horizon: factor and drift of a year. */
export function writeHorizonMarket(
  kernel: Kernel,
  { assets, annualVolatility, factor }: GbmScenarios,
  portfolio: Portfolio,
  seed: number,
): void {
  kernel.exports.configure(seed | 0, assets, false);
  writeAssets(kernel, assets, portfolio, {
    factor: factor.map(entry => entry * Math.LOG2E),
    drift: annualVolatility.map(sigma => ((-sigma * sigma) / 2) * Math.LOG2E),
  });
}

/** Tells the kernel the market of hourly steps of every asset, without baskets. */
export function writePriceMarket(
  kernel: Kernel,
  { assets, annualVolatility, factor }: GbmScenarios,
  seed: number,
): void {
  const rootDt = Math.sqrt(1 / HOURS_PER_YEAR);
  kernel.exports.configure(seed | 0, assets, false);
  writeSteps(kernel, assets, {
    factor: factor.map(entry => entry * rootDt * Math.LOG2E),
    drift: annualVolatility.map(sigma => ((-sigma * sigma) / (2 * HOURS_PER_YEAR)) * Math.LOG2E),
  });
}

/** Writes factor and drift of a step in base 2, and the weights. */
function writeAssets(
  kernel: Kernel,
  assets: number,
  { collateralWeights, loanWeights }: Portfolio,
  step: { readonly factor: Float64Array; readonly drift: Float64Array },
): void {
  const { COLLATERAL_WEIGHT, LOAN_WEIGHT } = kernel.exports;
  writeSteps(kernel, assets, step);
  for (let i = 0; i < assets; i++) {
    kernel.put(COLLATERAL_WEIGHT, i, collateralWeights[i]);
    kernel.put(LOAN_WEIGHT, i, loanWeights[i]);
  }
}

function writeSteps(
  kernel: Kernel,
  assets: number,
  step: { readonly factor: Float64Array; readonly drift: Float64Array },
): void {
  const { FACTOR, FACTOR_ROW_BYTES, DRIFT } = kernel.exports;
  for (let i = 0; i < assets; i++) {
    const row = { value: FACTOR.value + i * FACTOR_ROW_BYTES.value };
    for (let j = 0; j <= i; j++) kernel.put(row, j, step.factor[i * assets + j]);
    kernel.put(DRIFT, i, step.drift[i]);
  }
}

/** Tells the kernel the thresholds of a loan, in the domain of its values. */
export function writeRules(kernel: Kernel, thresholds: RatioThresholds): void {
  const { RULES } = kernel.exports;
  kernel.put(RULES, RULE_MARGIN_CALL, leastSingle(thresholds.marginCall));
  kernel.put(RULES, RULE_LIQUIDATION, leastSingle(thresholds.liquidation));
  kernel.put(RULES, RULE_RECOVERY, leastSingle(thresholds.recovery));
}

/** Thresholds that no value is below: nothing happens to a loan. */
export const NO_RULES: RatioThresholds = {
  marginCall: Number.NEGATIVE_INFINITY,
  liquidation: Number.NEGATIVE_INFINITY,
  recovery: Number.NEGATIVE_INFINITY,
  underwater: Number.NEGATIVE_INFINITY,
};

const bits = new DataView(new ArrayBuffer(Float32Array.BYTES_PER_ELEMENT));

/**
 * The least single that is not below a double: a single is below the one exactly if it is below the other, so the
 * kernel compares as the double would.
 */
export function leastSingle(threshold: number): number {
  const nearest = Math.fround(threshold);
  if (nearest >= threshold) return nearest;
  bits.setFloat32(0, nearest);
  // Bit patterns rise with the magnitude: away from 0 for a positive number, towards 0 for a negative one.
  bits.setInt32(0, bits.getInt32(0) + (nearest < 0 ? -1 : 1));
  return bits.getFloat32(0);
}
