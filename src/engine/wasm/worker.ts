/**
 * What a worker thread does for the WebAssembly engine: one chunk, one answer. Keeps nothing between tasks but the
 * compiled kernel.
 */
import type {
  CappedLoanProduct,
  GbmScenarios,
  LoanProduct,
  OriginationProduct,
  SimulationPlan,
} from '../../plan/simulation-plan.ts';
import { runCappedLoans } from '../cpu/capped-loan.ts';
import type { PathRange } from '../cpu/chunks.ts';
import { runOrigination } from '../cpu/origination.ts';
import { RecordSink, recordFields } from '../cpu/record-sink.ts';
import type { SummedOutcome } from '../cpu/run-chunk.ts';
import { type Kernel, loadKernel } from './kernel.ts';
import { runLoans } from './loan.ts';
import { QuadPaths } from './quad-paths.ts';

/** Products that the kernel runs, or whose paths it makes. */
export type KernelProduct = LoanProduct | OriginationProduct | CappedLoanProduct;

/** A plan that the kernel runs. */
export interface KernelPlan extends SimulationPlan<KernelProduct> {
  readonly scenarios: GbmScenarios;
}

export interface Task {
  readonly kind: 'run' | 'trace';
  readonly plan: KernelPlan;
  readonly range: PathRange;
}

export default function work({ kind, plan, range }: Task): SummedOutcome | readonly Float64Array[] {
  const kernel = loadKernel();
  if (kind === 'run') return runChunk(kernel, plan, range, undefined);
  const records = new RecordSink(recordFields(plan).length, range);
  runChunk(kernel, plan, range, records);
  return records.columns;
}

function runChunk(
  kernel: Kernel,
  plan: KernelPlan,
  range: PathRange,
  records: RecordSink | undefined,
): SummedOutcome {
  const { product, scenarios, seed } = plan;
  const { portfolio, steps } = product;
  switch (product.kind) {
    case 'loan':
      return runLoans(kernel, { ...plan, product }, scenarios, range, records);
    case 'origination': {
      const paths = new QuadPaths(kernel, scenarios, seed, portfolio, steps, false);
      return runOrigination({ ...plan, product }, range, records, paths);
    }
    case 'capped-loan': {
      const paths = new QuadPaths(kernel, scenarios, seed, portfolio, steps, true);
      return runCappedLoans({ ...plan, product }, range, records, paths);
    }
  }
}
