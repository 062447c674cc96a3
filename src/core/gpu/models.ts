/** The market models on the GPU, one row each; `undefined` for a model that only the CPU has. */
import type { ModelKind, ModelTypes } from '../plan/models.ts';
import { GPU_BOOTSTRAP } from './model/bootstrap.ts';
import { GPU_FILTERED_HISTORICAL } from './model/filtered-historical.ts';
import { GPU_GARCH } from './model/garch.ts';
import { GPU_GBM } from './model/gbm.ts';
import { GPU_GBM_SHIFTED } from './model/gbm-shifted.ts';
import type { GpuMarket, GpuModel, MarketView } from './model/market.ts';
import { GPU_STUDENT_T } from './model/student-t.ts';

const GPU_MODELS: { readonly [M in ModelKind]: GpuModel<ModelTypes[M]> | undefined } = {
  gbm: GPU_GBM,
  'gbm-sobol': undefined,
  'gbm-shifted': GPU_GBM_SHIFTED,
  garch: GPU_GARCH,
  historical: undefined,
  'student-t': GPU_STUDENT_T,
  'filtered-historical': GPU_FILTERED_HISTORICAL,
  bootstrap: GPU_BOOTSTRAP,
};

/** A model under a view; `undefined` where the GPU does not have it. */
export function gpuMarket(model: ModelKind, view: MarketView): GpuMarket<ModelTypes[ModelKind]> | undefined {
  return GPU_MODELS[model]?.[view] as GpuMarket<ModelTypes[ModelKind]> | undefined;
}

/** The model of a plan that the engine has accepted: `gpuProduct` has looked for it under every view of the product. */
export function acceptedMarket(model: ModelKind, view: MarketView): GpuMarket<ModelTypes[ModelKind]> {
  return gpuMarket(model, view)!;
}
