/** What the bench says that work costs. */
import { expect, it } from 'vitest';
import { predictedSeconds } from '#src/admission/costs.js';

const loan = (engine: 'double' | 'simd', assets: number, work: number, threads = 1) =>
  predictedSeconds({ engine, product: 'loan', assets, work, threads });

/** Times of 2,000 paths of 720 hours on one thread, milliseconds (bench/results/2026-11-21, "Growth"). */
const MEASURED = {
  double: { 2: 18.1, 3: 56.7, 5: 100, 8: 173, 16: 432, 32: 1215 },
  simd: { 2: 5.41, 3: 11.2, 5: 18.2, 8: 29.3, 16: 65.9, 32: 153 },
} as const;

it.each(['double', 'simd'] as const)('is within a tenth of what was measured for %s', engine => {
  for (const [assets, milliseconds] of Object.entries(MEASURED[engine])) {
    const work = 2000 * 720 * Number(assets);
    // Without what every request costs.
    const predicted = 1000 * (loan(engine, Number(assets), work) - loan(engine, Number(assets), 0));
    expect(predicted / milliseconds, `${assets} assets: ${predicted} ms`).toBeGreaterThan(0.9);
    expect(predicted / milliseconds, `${assets} assets: ${predicted} ms`).toBeLessThan(1.1);
  }
});

it('shares work between threads, and grows with the assets between those measured and beyond', () => {
  expect(loan('double', 2, 1e9, 4)).toBeCloseTo(0.02 + 6.3 / 4, 10);
  for (let assets = 1; assets < 40; assets++)
    expect(loan('double', assets + 1, 1e9)).toBeGreaterThanOrEqual(loan('double', assets, 1e9));
});
