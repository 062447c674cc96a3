/**
 * GPU against CPU, path by path: the same integers are drawn, so what differs is single-precision rounding.
 */
import { expect } from 'vitest';
import type { PathRecords } from '#src/engine/engine.js';

/**
 * How far ln(C/L) may drift apart: draws are good to 1e-6 of their size, a running sum in single precision loses
 * half a unit in the last place (6e-8 of its size) per step, and both errors grow like the root of the steps.
 *
 * @param spread standard deviation of ln(C/L) at the end of the path
 */
export function logRatioTolerance(spread: number, steps: number): number {
  return 2e-6 * Math.max(1, spread) * Math.max(1, Math.sqrt(steps / 300));
}

/** Paths whose flags differ, each of which must be explained by a threshold within rounding. */
export function differingFlags(gpu: PathRecords, cpu: PathRecords): number[] {
  return [...cpu.flags.keys()].filter(p => gpu.flags[p] !== cpu.flags[p]);
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
export function expectWithinContract(gpu: number, cpu: number, scale: number, told: string): void {
  const bound = 1e-4 * Math.max(Math.abs(cpu), scale);
  expect(Math.abs(gpu - cpu), `${told}: ${gpu} against ${cpu}`).toBeLessThanOrEqual(bound);
}
