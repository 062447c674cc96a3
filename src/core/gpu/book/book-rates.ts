/**
 * How long the work on a book takes on a device, measured on books of about the same length of path.
 */
import type { SimulationKernel } from '../kernels.ts';
import type { CompiledKernel } from '../pipelines.ts';
import { type FirstRate, type GpuSession, ratesOf } from '../session.ts';
import { STEP_UNIT } from '../slices.ts';
import type { StepRates } from '../step-rates.ts';
import type { WorkUnits } from './work-units.ts';

export interface BookKernels {
  readonly prices: CompiledKernel<SimulationKernel>;
  readonly loans: CompiledKernel;
  readonly paths: CompiledKernel;
}

/** Per loan and step of a path. */
const FIRST_RATE: FirstRate = { gpu: 0.01, software: 20, latencyPaths: 256 };

export function bookRates(session: GpuSession, { loans, prices }: BookKernels, units: WorkUnits): StepRates {
  const work = 2 ** Math.round(Math.log2(units.work));
  return ratesOf(session, `${loans.key}\n${prices.key}\n${work}`, work / STEP_UNIT, FIRST_RATE);
}
