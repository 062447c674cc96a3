/**
 * The cost of work before any run: seconds per asset-step of each engine, from the bench, and seconds of fits.
 *
 * Source: measured-costs.ts, which bench/admission-costs.mjs writes from a report. On another machine, or with another
 * version, they are wrong by a factor, which run-times.ts estimates from the first runs.
 * Must not know: requests, queues.
 */
import type { EngineKind } from '../../core/engine.ts';
import type { ModelKind } from '../../core/plan/models.ts';
import type { Product } from '../../core/plan/simulation-plan.ts';
import { ASSETS, FACTORS, MODEL_NANOSECONDS, NANOSECONDS, SIMD_GAINS } from './measured-costs.ts';

/** The inputs of the predicted time of a run. */
export interface RunSize {
  /** The costs of a CPU engine are per thread. */
  readonly engine: EngineKind;
  readonly product: Product['kind'];
  readonly model: ModelKind;
  readonly assets: number;
  /** Asset-steps as `core/plan/work.ts` counts them, of all passes. */
  readonly work: number;
  /** Threads that share the work; 1 on a GPU. */
  readonly threads: number;
  /** Lanes of the SIMD kernel; 4, those of WebAssembly, by default. */
  readonly lanes?: number;
}

/** A product without a cost does not compile. */
const COSTS: Readonly<Record<EngineKind, Readonly<Record<Product['kind'], number>>>> = NANOSECONDS;
/** Speed of a kernel by number of lanes, relative to WebAssembly. */
const GAINS: Readonly<Record<number, Readonly<Record<Product['kind'], number>>>> = SIMD_GAINS;
/** Models with steps as long as GBM's. */
const LIKE_GBM = { gbm: 0, 'gbm-sobol': 0, 'gbm-shifted': 0, historical: 0 } as const;
/** Extra nanoseconds of a step beside one of GBM. A model that is neither measured nor like GBM does not compile. */
const MODEL_COSTS: Readonly<Record<EngineKind, Readonly<Record<ModelKind, number>>>> = {
  reference: { ...LIKE_GBM, ...MODEL_NANOSECONDS.reference },
  simd: { ...LIKE_GBM, ...MODEL_NANOSECONDS.simd },
  gpu: { ...LIKE_GBM, ...MODEL_NANOSECONDS.gpu },
  'software-gpu': { ...LIKE_GBM, ...MODEL_NANOSECONDS['software-gpu'] },
};
/** Seconds of reading prices, fitting and messages. */
const SECONDS_PER_REQUEST = 0.02;

/** Seconds of a run that has the engine to itself. */
export function predictedSeconds(size: RunSize): number {
  const { engine, product, model, assets, work, threads, lanes = 4 } = size;
  const perStep = COSTS[engine][product] * factorOf(FACTORS[engine], assets) + MODEL_COSTS[engine][model];
  const gain = engine === 'simd' ? (GAINS[lanes]?.[product] ?? 1) : 1;
  return SECONDS_PER_REQUEST + (work * perStep * 1e-9) / gain / threads;
}

/** Linear between the numbers of assets that were measured. */
function factorOf(factors: readonly number[], assets: number): number {
  const above = ASSETS.findIndex(measured => measured >= assets);
  if (above < 0) return factors[factors.length - 1];
  if (above === 0) return factors[0];
  const share = (assets - ASSETS[above - 1]) / (ASSETS[above] - ASSETS[above - 1]);
  return factors[above - 1] + share * (factors[above] - factors[above - 1]);
}

/** The inputs of the predicted time of fitting. */
export interface CalibrationSize {
  /** Windows to which the model is fitted: the days of a back-test, else 1. */
  readonly fits: number;
  readonly assets: number;
  readonly lookbackDays: number;
}

/** Seconds that a fit takes in its thread: the methodology declares them. */
interface CalibrationCost {
  readonly secondsPerFit: number;
  readonly secondsPerAssetDay: number;
}

/** Seconds of the fits of a request that have the thread to themselves. */
export function calibrationSeconds(
  { fits, assets, lookbackDays }: CalibrationSize,
  { secondsPerFit, secondsPerAssetDay }: CalibrationCost,
): number {
  return fits * (secondsPerFit + assets * lookbackDays * secondsPerAssetDay);
}
