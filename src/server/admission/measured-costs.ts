/**
 * Costs of work by engine. Written by bench/admission-costs.mjs; not to be edited.
 *
 * Source: bench/results/2026-11-22-amd-epyc-amd-family-26-model-2-2-cores.json, one thread or device, and of books bench/results/operations/books.json. A GPU is guessed, at 100 times the software driver.
 */

/** The report that the costs are of. */
export const REPORT = '2026-11-22-amd-epyc-amd-family-26-model-2-2-cores';

/** Nanoseconds per asset-step of two assets, as src/core/plan/work.ts counts them. */
export const NANOSECONDS = {
  reference: {
    loan: 3.62,
    origination: 7.41,
    'capped-loan': 2.48,
    'value-at-risk': 13.1,
    'advance-rate': 7.17,
    perpetual: 13.4,
    account: 15.9,
    book: 1.53,
  },
  simd: {
    loan: 1.34,
    origination: 5.81,
    'capped-loan': 1.27,
    'value-at-risk': 8.71,
    'advance-rate': 5.67,
    perpetual: 2.96,
    account: 2.69,
    book: 1.11,
  },
  gpu: {
    loan: 0.205,
    origination: 0.604,
    'capped-loan': 0.277,
    'value-at-risk': 1.26,
    'advance-rate': 0.57,
    perpetual: 1.15,
    account: 15.9,
    book: 0.205,
  },
  'software-gpu': {
    loan: 20.5,
    origination: 60.4,
    'capped-loan': 27.7,
    'value-at-risk': 126,
    'advance-rate': 57,
    perpetual: 115,
    account: 15.9,
    book: 20.5,
  },
} as const;

/** What an asset-step takes longer than under GBM: a loan's on two assets. */
export const MODEL_NANOSECONDS = {
  reference: {
    garch: 3.11,
    'student-t': 4.03,
    'filtered-historical': 8.47,
    bootstrap: 37,
  },
  simd: {
    garch: 0.53,
    'student-t': 0.0874,
    'filtered-historical': 0.915,
    bootstrap: 2.05,
  },
  gpu: {
    garch: 0,
    'student-t': 0.04,
    'filtered-historical': 0.154,
    bootstrap: 0.552,
  },
  'software-gpu': {
    garch: 0,
    'student-t': 4,
    'filtered-historical': 15.4,
    bootstrap: 55.2,
  },
} as const;

/** How many times as fast as WebAssembly a kernel of 8 and of 16 lanes is: bench/results/operations/kernels.json. */
export const SIMD_GAINS = {
  8: {
    loan: 1.59,
    origination: 1.15,
    'capped-loan': 1.65,
    'value-at-risk': 1.47,
    'advance-rate': 1.15,
    perpetual: 1.84,
    account: 1,
    book: 1.14,
  },
  16: {
    loan: 2.08,
    origination: 1.14,
    'capped-loan': 1.92,
    'value-at-risk': 1.67,
    'advance-rate': 1.14,
    perpetual: 2.42,
    account: 1,
    book: 1.17,
  },
} as const;

/** Numbers of assets that were measured. */
export const ASSETS = [1, 2, 3, 5, 8, 16, 32] as const;

/** How much longer an asset-step takes with so many assets: draws are correlated by a triangle of products. */
export const FACTORS = {
  reference: [1, 1, 2.71, 2.81, 2.93, 3.82, 5.55],
  simd: [1, 1, 1.97, 1.86, 1.7, 1.83, 2.12],
  gpu: [1, 1, 1.26, 1.21, 0.95, 1.69, 2.01],
  'software-gpu': [1, 1, 1.26, 1.21, 0.95, 1.69, 2.01],
} as const;
