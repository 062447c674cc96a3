/** How far a sample figure may lie from the truth. */
import { expect } from 'vitest';

/**
 * Largest single |z|: with the few hundred comparisons of a suite a correct figure exceeds it once in a few thousand
 * suites, and the seeds are fixed.
 */
export const LARGEST_Z = 4.5;

/** Standard error of a share of n independent paths. */
export function shareStandardError(probability: number, n: number): number {
  return Math.sqrt((probability * (1 - probability)) / n);
}

/** Collects z values of one kind and judges them one by one and together. */
export class ZScores {
  private readonly z: number[] = [];
  private readonly what: string;

  constructor(what: string) {
    this.what = what;
  }

  /** One comparison; where the truth leaves no room for error (a probability of 0 or 1) the figure must equal it. */
  add(figure: number, truth: number, standardError: number, inputs: string): void {
    if (standardError < 1e-12) {
      expect(Math.abs(figure - truth), `${this.what}: ${figure} against ${truth}; ${inputs}`).toBeLessThan(
        1e-6,
      );
      return;
    }
    const z = (figure - truth) / standardError;
    expect(
      Math.abs(z),
      `${this.what}: ${figure} against ${truth}, ${z} standard errors; ${inputs}`,
    ).toBeLessThan(LARGEST_Z);
    this.z.push(z);
  }

  /** The z values of independent comparisons have mean 0 and variance 1: both are tested at 4.5 of their own errors. */
  judge(): void {
    const n = this.z.length;
    const mean = this.z.reduce((a, b) => a + b, 0) / n;
    const meanSquare = this.z.reduce((a, b) => a + b * b, 0) / n;
    const report = `${this.what}: ${n} comparisons, mean z ${mean.toFixed(3)}, mean z^2 ${meanSquare.toFixed(3)}`;
    expect(n, report).toBeGreaterThanOrEqual(20);
    expect(Math.abs(mean) * Math.sqrt(n), report).toBeLessThan(LARGEST_Z);
    expect(Math.abs(meanSquare - 1) / Math.sqrt(2 / n), report).toBeLessThan(LARGEST_Z);
  }
}
