/** Whether a sample is of standard normals. */
import { normalCdf } from './closed-forms/normal.ts';

/** Largest distance between the empirical distribution function of a sample and that of the standard normal. */
export function normalDistance(sample: readonly number[]): number {
  const n = sample.length;
  return [...sample]
    .sort((a, b) => a - b)
    .map(normalCdf)
    .reduce((distance, p, i) => Math.max(distance, p - i / n, (i + 1) / n - p), 0);
}

/**
 * Probability of a larger distance of n values that are of the distribution, by Kolmogorov's series with Stephens'
 * correction for finite n ("Use of the Kolmogorov-Smirnov, Cramer-Von Mises and related statistics without extensive
 * tables", JRSS B 32 (1970), 115-122); good to about 0.01 for n >= 20.
 */
export function kolmogorovTail(distance: number, n: number): number {
  const x = (Math.sqrt(n) + 0.12 + 0.11 / Math.sqrt(n)) * distance;
  // The series needs many terms near 0, where the probability is 1 to nine digits.
  if (x < 0.3) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * x * x);
  return Math.min(1, Math.max(0, sum));
}
