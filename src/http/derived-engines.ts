/** Engines of the service with another way to use them. Must not know: for what. */
import type { EngineSet } from '../engine/engine-set.ts';

/** The same engines, always as they are at the moment, whose work goes through `use`. */
export function withUse(engines: EngineSet, use: EngineSet['use']): EngineSet {
  return {
    get reference() {
      return engines.reference;
    },
    get simd() {
      return engines.simd;
    },
    get simdKernel() {
      return engines.simdKernel;
    },
    get gpu() {
      return engines.gpu;
    },
    get autoTakesSoftware() {
      return engines.autoTakesSoftware === true;
    },
    get gpuState() {
      return engines.gpuState;
    },
    get gpuCounts() {
      return engines.gpuCounts;
    },
    get reason() {
      return engines.reason;
    },
    use,
    close: () => engines.close(),
  };
}
