/**
 * GPU against CPU, path by path: the same integers are drawn, and only single-precision rounding differs.
 */

import { expect } from 'vitest';
import type { PathRecords } from '#src/core/engine.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { basketsOnPath, pricesOnPath } from '#src/core/rules/models.js';
import { type PositionOnPath, positionOnPath } from '#src/core/rules/perpetual.js';

/** The tolerance of paths over that of the software driver: WGSL allows another device less exact functions (rough-device.ts). */
export const DEVICE_ROOM = ['own', 'rough'].includes(process.env.TEST_GPU ?? '') ? 2 : 1;

/**
 * How far ln(C/L) may drift apart: draws are good to 1e-6 of their size, a running sum in single precision loses
 * half a unit in the last place (6e-8 of its size) per step, and both errors grow like the root of the steps.
 *
 * @param spread standard deviation of ln(C/L) at the end of the path
 */
export function logRatioTolerance(spread: number, steps: number): number {
  return DEVICE_ROOM * 2e-6 * Math.max(1, spread) * Math.max(1, Math.sqrt(steps / 300));
}

/** Paths whose flags differ, each of which must be explained by a threshold within rounding. */
export function differingFlags(gpu: PathRecords, cpu: PathRecords): number[] {
  return [...cpu.flags.keys()].filter(p => gpu.flags[p] !== cpu.flags[p]);
}

/** Least distance of ln(C/L) of a path from one of the loan's thresholds: within rounding both results are right. */
export function nearestThreshold(
  plan: SimulationPlan<LoanProduct | CappedLoanProduct>,
  path: number,
): number {
  const { product } = plan;
  const { collateral, loan, secured = [] } = basketsOnPath(plan, path, product.steps);
  const toDebt = (side: readonly number[]) =>
    side.slice(1).map((c, t) => product.nominalRatio * (c / loan[t + 1]));
  const { marginCallRatio, liquidationRatio, recoveryRatio } = product;
  return Math.min(
    nearestRatio(toDebt(collateral), [marginCallRatio, liquidationRatio, recoveryRatio, 1]),
    nearestRatio(toDebt(secured), [1]),
  );
}

/** Least distance of the logarithm of a ratio from that of a threshold. */
export function nearestRatio(ratios: readonly number[], thresholds: readonly number[]): number {
  return Math.min(...ratios.flatMap(ratio => thresholds.map(each => Math.abs(Math.log(ratio / each)))));
}

/** How near the equity of a path comes to liquidation or margin call, in units of initial equity or notional. */
export function nearestMarginThreshold(plan: SimulationPlan<PerpetualProduct>, path: number): number {
  const prices = pricesOnPath(plan, path, plan.product.steps).map(now => now[0]);
  return nearestMargin(plan.product, positionOnPath(plan.product, prices));
}

/** The same of a position on a path. */
export function nearestMargin(
  { marginCallMultiple, initialMargin, unrealizedPnl, equityBefore }: PerpetualProduct,
  { checks }: PositionOnPath,
): number {
  const first = equityBefore ?? initialMargin + unrealizedPnl;
  return Math.min(
    ...checks.flatMap(({ equity, required, notional }) =>
      [required, marginCallMultiple * required].map(
        threshold => Math.abs(equity - threshold) / Math.max(first, notional),
      ),
    ),
  );
}

/** Largest |f(gpu) - f(cpu)| over the paths. */
export function largestDifference(
  gpu: Float64Array,
  cpu: Float64Array,
  of: (x: number) => number = x => x,
): number {
  let largest = 0;
  for (let p = 0; p < cpu.length; p++) largest = Math.max(largest, Math.abs(of(gpu[p]) - of(cpu[p])));
  return largest;
}

/** Means and quantiles may differ by 1e-4 of the larger of figure and scale (methodology part 8). */
const contractBound = (cpu: number, scale: number) => 1e-4 * Math.max(Math.abs(cpu), scale);

export function expectWithinContract(gpu: number, cpu: number, scale: number, told: string): void {
  const bound = contractBound(cpu, scale);
  expect(Math.abs(gpu - cpu), `${told}: ${gpu} against ${cpu}`).toBeLessThanOrEqual(bound);
}

/** The same of the values of all paths but those listed. */
export function expectPathsWithinContract(
  gpu: Float64Array,
  cpu: Float64Array,
  { scale, except }: { readonly scale: number; readonly except: ReadonlySet<number> },
  told: string,
): void {
  const outside = [...cpu.keys()].filter(
    p => !except.has(p) && !(Math.abs(gpu[p] - cpu[p]) <= contractBound(cpu[p], scale)),
  );
  const differences = outside.map(path => ({ path, gpu: gpu[path], cpu: cpu[path] }));
  expect(differences, told).toEqual([]);
}
