/**
 * One chunk of any plan.
 *
 * Takes: a plan and a range of its paths. Gives: the outcome of that range alone. The table of products stands here.
 */
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  PerpetualProduct,
  SimulationPlan,
  ValueAtRiskProduct,
} from '../../plan/simulation-plan.ts';
import type { CappedLoanOutcome, LoanOutcome, OriginationOutcome, PerpetualOutcome } from '../engine.ts';
import { runCappedLoans } from './capped-loan.ts';
import type { PathRange } from './chunks.ts';
import { runLoans } from './loan.ts';
import { runOrigination } from './origination.ts';
import { runPerpetual } from './perpetual.ts';
import type { RecordSink } from './record-sink.ts';
import { recordHorizons } from './value-at-risk.ts';

/** Products whose outcome is a sum over chunks. Value at risk is not: it needs the order of all values. */
export type SummedProduct = LoanProduct | OriginationProduct | CappedLoanProduct | PerpetualProduct;
export type SummedOutcome = LoanOutcome | OriginationOutcome | CappedLoanOutcome | PerpetualOutcome;

/** Runs a range of paths. */
export function runChunk(
  plan: SimulationPlan<SummedProduct>,
  range: PathRange,
  records?: RecordSink,
): SummedOutcome {
  const { product } = plan;
  switch (product.kind) {
    case 'loan':
      return runLoans({ ...plan, product }, range, records);
    case 'origination':
      return runOrigination({ ...plan, product }, range, records);
    case 'capped-loan':
      return runCappedLoans({ ...plan, product }, range, records);
    case 'perpetual':
      return runPerpetual({ ...plan, product }, range, records);
  }
}

/** Writes the records of a range of paths. */
export function traceChunk(plan: SimulationPlan, range: PathRange, records: RecordSink): void {
  const { product } = plan;
  if (product.kind === 'value-at-risk') {
    recordHorizons(plan as SimulationPlan<ValueAtRiskProduct>, range, records);
  } else {
    runChunk({ ...plan, product }, range, records);
  }
}
