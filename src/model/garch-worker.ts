/**
 * What the calibration thread does: one GARCH model per task. Errors with a reason cross the thread as data.
 */
import { type FailureReason, type Fault, RiskError } from '../errors.ts';
import { fitGarchModel, type GarchModel } from './garch.ts';

export interface GarchTask {
  readonly symbols: readonly string[];
  readonly returns: readonly Float64Array[];
}

export type GarchTaskResult =
  | { readonly model: GarchModel }
  | { readonly reason: FailureReason; readonly message: string; readonly faults: readonly Fault[] };

export default function work({ symbols, returns }: GarchTask): GarchTaskResult {
  try {
    return { model: fitGarchModel(symbols, returns) };
  } catch (error) {
    if (!(error instanceof RiskError)) throw error;
    return { reason: error.reason, message: error.message, faults: error.faults };
  }
}
