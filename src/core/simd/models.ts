/** The market models of the SIMD kernel, one row each; `undefined` for a model that only the reference has. */
import type { ModelKind, Scenarios } from '../plan/models.ts';
import { SIMD_BOOTSTRAP } from './model/bootstrap.ts';
import type { SimdModel } from './model/contract.ts';
import { SIMD_FILTERED_HISTORICAL } from './model/filtered-historical.ts';
import { SIMD_GARCH } from './model/garch.ts';
import { SIMD_GBM } from './model/gbm.ts';
import { SIMD_GBM_SHIFTED } from './model/gbm-shifted.ts';
import { SIMD_STUDENT_T } from './model/student-t.ts';

const SIMD_MODELS: { readonly [M in ModelKind]: SimdModel<M> | undefined } = {
  gbm: SIMD_GBM,
  'gbm-sobol': undefined,
  'gbm-shifted': SIMD_GBM_SHIFTED,
  garch: SIMD_GARCH,
  historical: undefined,
  'student-t': SIMD_STUDENT_T,
  'filtered-historical': SIMD_FILTERED_HISTORICAL,
  bootstrap: SIMD_BOOTSTRAP,
};

/** The row of a model, if the kernel has it. */
export function simdModel(kind: ModelKind): SimdModel<ModelKind> | undefined {
  return SIMD_MODELS[kind] as SimdModel<ModelKind> | undefined;
}

/** The row of the model of some scenarios. @throws RangeError for a model that the kernel does not run */
export function simdModelOf({ kind }: Scenarios): SimdModel<ModelKind> {
  const model = simdModel(kind);
  if (model === undefined) throw new RangeError(`the SIMD kernel has no ${kind}`);
  return model;
}
