/** The catalogue of market models. Lists by model are records over `ModelKind`: a missing row does not compile. */
import { BOOTSTRAP, type BootstrapScenarios } from './model/bootstrap.ts';
import type { DrawnPrices, ModelContract } from './model/contract.ts';
import { FILTERED_HISTORICAL, type FilteredHistoricalScenarios } from './model/filtered-historical.ts';
import { GARCH, type GarchScenarios } from './model/garch.ts';
import { GBM, type GbmScenarios } from './model/gbm.ts';
import { GBM_SHIFTED, type GbmShiftedScenarios } from './model/gbm-shifted.ts';
import { GBM_SOBOL, type GbmSobolScenarios } from './model/gbm-sobol.ts';
import { HISTORICAL, type HistoricalScenarios } from './model/historical.ts';
import { STUDENT_T, type StudentTScenarios } from './model/student-t.ts';

export interface ModelTypes {
  gbm: GbmScenarios;
  'gbm-sobol': GbmSobolScenarios;
  'gbm-shifted': GbmShiftedScenarios;
  garch: GarchScenarios;
  historical: HistoricalScenarios;
  'student-t': StudentTScenarios;
  'filtered-historical': FilteredHistoricalScenarios;
  bootstrap: BootstrapScenarios;
}

export type ModelKind = keyof ModelTypes;
export type Scenarios = ModelTypes[ModelKind];

export const MODELS: { readonly [M in ModelKind]: ModelContract<ModelTypes[M]> } = {
  gbm: GBM,
  'gbm-sobol': GBM_SOBOL,
  'gbm-shifted': GBM_SHIFTED,
  garch: GARCH,
  historical: HISTORICAL,
  'student-t': STUDENT_T,
  'filtered-historical': FILTERED_HISTORICAL,
  bootstrap: BOOTSTRAP,
};

export const hasWeights = (model: ModelKind): boolean => MODELS[model].weighs === true;

export const MODEL_KINDS = Object.keys(MODELS) as ModelKind[];

export function modelOf<M extends ModelKind>(scenarios: ModelTypes[M]): ModelContract<ModelTypes[M]> {
  return MODELS[scenarios.kind as M];
}

/** The expected behaviour of drawn prices; `undefined` for given prices. */
export function drawnPrices(scenarios: Scenarios): DrawnPrices<Scenarios> | undefined {
  return (modelOf(scenarios) as ModelContract<Scenarios>).drawn;
}
