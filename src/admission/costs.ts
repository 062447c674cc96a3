/**
 * What work costs before anything has been run: seconds per asset-step of each engine, from the bench.
 *
 * Source: bench/results/2026-11-21-amd-epyc-2-cores.md, one thread (tables "Plans" and "Growth"). On another machine, or
 * another version, these are wrong by a factor, which run-times.ts learns from the first runs.
 * Must not know: requests, queues.
 */
import type { Product } from '../core/plan/simulation-plan.ts';

/** `double` and `simd` are the engines of the processor, per thread. */
export type CostEngine = 'double' | 'simd' | 'gpu' | 'software-gpu';

/** What the time of a run depends on. */
export interface RunSize {
  readonly engine: CostEngine;
  readonly product: Product['kind'];
  readonly assets: number;
  /** Asset-steps as `core/plan/work.ts` counts them, of all passes. */
  readonly work: number;
  /** Threads that share the work; 1 on a GPU. */
  readonly threads: number;
}

/** Nanoseconds per asset-step of two assets. */
const NANOSECONDS: Readonly<Record<CostEngine, Readonly<Record<Product['kind'], number>>>> = {
  double: { loan: 6.3, origination: 10.3, 'capped-loan': 6.4, 'value-at-risk': 19, perpetual: 15, book: 6.3 },
  simd: { loan: 1.9, origination: 7, 'capped-loan': 1.9, 'value-at-risk': 19, perpetual: 15, book: 6.3 },
  // The software driver is measured, a GPU is not: some hundred times that.
  gpu: { loan: 0.2, origination: 0.8, 'capped-loan': 0.5, 'value-at-risk': 1.5, perpetual: 1.2, book: 6.3 },
  'software-gpu': {
    loan: 22,
    origination: 78,
    'capped-loan': 51,
    'value-at-risk': 150,
    perpetual: 125,
    book: 6.3,
  },
};

/** How much longer an asset-step takes with more assets: draws are correlated by a triangle of products. */
const ASSETS = [1, 2, 3, 5, 8, 16, 32];
const FACTORS: Readonly<Record<CostEngine, readonly number[]>> = {
  double: [1, 1, 2.1, 2.2, 2.4, 3, 4.2],
  simd: [1, 1, 1.4, 1.4, 1.4, 1.5, 1.8],
  gpu: [1, 1, 1.3, 1.3, 1.1, 2.1, 2.5],
  'software-gpu': [1, 1, 1.3, 1.3, 1.1, 2.1, 2.5],
};
/** Prices, model, messages. */
const SECONDS_PER_REQUEST = 0.02;

/** Seconds that a run takes with the engine for itself. */
export function predictedSeconds({ engine, product, assets, work, threads }: RunSize): number {
  const perStep = NANOSECONDS[engine][product] * factorOf(FACTORS[engine], assets) * 1e-9;
  return SECONDS_PER_REQUEST + (work * perStep) / threads;
}

/** Linear between the numbers of assets that were measured. */
function factorOf(factors: readonly number[], assets: number): number {
  const above = ASSETS.findIndex(measured => measured >= assets);
  if (above < 0) return factors[factors.length - 1];
  if (above === 0) return factors[0];
  const share = (assets - ASSETS[above - 1]) / (ASSETS[above] - ASSETS[above - 1]);
  return factors[above - 1] + share * (factors[above] - factors[above - 1]);
}
