/**
 * What the work on a book takes on a device, learnt from books of about the same length of path.
 */
import type { SimulationKernel } from '../kernels.ts';
import type { CompiledKernel } from '../pipelines.ts';
import type { GpuSession } from '../session.ts';
import { STEP_UNIT } from '../slices.ts';
import { StepRates } from '../step-rates.ts';
import type { WorkUnits } from './work-units.ts';

export interface BookKernels {
  readonly prices: CompiledKernel<SimulationKernel>;
  readonly loans: CompiledKernel;
  readonly paths: CompiledKernel;
}

/** Nanoseconds per loan and step of a path on a slow device of its class, and on a software device. */
const SLOW_GPU_NANOSECONDS = 0.01;
const SOFTWARE_NANOSECONDS = 20;
/** A GPU takes as long for a few paths as for so many. */
const LATENCY_PATHS = 256;

export function bookRates(
  { rates, context }: GpuSession,
  { loans, prices }: BookKernels,
  units: WorkUnits,
): StepRates {
  const { software } = context.description;
  const work = 2 ** Math.round(Math.log2(units.work));
  const key = `${loans.key}\n${prices.key}\n${work}`;
  let known = rates.get(key);
  if (known === undefined) {
    const perLoanStep = software ? SOFTWARE_NANOSECONDS : SLOW_GPU_NANOSECONDS;
    known = new StepRates((perLoanStep * work) / STEP_UNIT, software ? 1 : LATENCY_PATHS);
    rates.set(key, known);
  }
  return known;
}
