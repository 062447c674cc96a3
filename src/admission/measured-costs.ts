/**
 * Costs of work by engine. Written by scripts/admission-costs.mjs; not to be edited.
 *
 * Source: bench/results/2026-11-21-amd-epyc-2-cores.json, one thread or device. A GPU is guessed, at 100 times the software driver.
 */

/** The report that the costs are of. */
export const REPORT = '2026-11-21-amd-epyc-2-cores';

/** Nanoseconds per asset-step of two assets, as src/core/plan/work.ts counts them. */
export const NANOSECONDS = {
  double: {
    loan: 6.27,
    origination: 10.4,
    'capped-loan': 4.45,
    'value-at-risk': 19.6,
    perpetual: 16.1,
    book: 6.27,
  },
  simd: {
    loan: 1.88,
    origination: 7.05,
    'capped-loan': 1.96,
    'value-at-risk': 19.6,
    perpetual: 16.1,
    book: 6.27,
  },
  gpu: {
    loan: 0.215,
    origination: 0.773,
    'capped-loan': 0.251,
    'value-at-risk': 1.18,
    perpetual: 1.28,
    book: 0.215,
  },
  'software-gpu': {
    loan: 21.5,
    origination: 77.3,
    'capped-loan': 25.1,
    'value-at-risk': 118,
    perpetual: 128,
    book: 21.5,
  },
} as const;

/** Numbers of assets that were measured. */
export const ASSETS = [1, 2, 3, 5, 8, 16, 32] as const;

/** How much longer an asset-step takes with so many assets: draws are correlated by a triangle of products. */
export const FACTORS = {
  double: [1, 1, 2.09, 2.22, 2.4, 2.99, 4.21],
  simd: [1, 1, 1.38, 1.35, 1.36, 1.52, 1.77],
  gpu: [1, 1, 1.26, 1.33, 1.13, 2.09, 2.49],
  'software-gpu': [1, 1, 1.26, 1.33, 1.13, 2.09, 2.49],
} as const;
