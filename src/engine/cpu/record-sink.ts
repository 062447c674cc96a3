/**
 * Per-path records of one chunk, column by column; filled only when a run is traced.
 */
import type { Product, SimulationPlan } from '../../plan/simulation-plan.ts';
import type { PathRange } from './chunks.ts';

/** Column names of a product's records, in the order in which its runner writes them. */
export function recordFields(plan: SimulationPlan): readonly string[] {
  const { product } = plan;
  if (product.kind !== 'value-at-risk') return FIELDS[product.kind];
  const horizons = Math.max(product.horizonYears.length, product.horizonSteps.length);
  return Array.from({ length: horizons }, (_, k) => [`collateral.${k}`, `loan.${k}`]).flat();
}

const FIELDS: Readonly<Record<Exclude<Product['kind'], 'value-at-risk'>, readonly string[]>> = {
  loan: ['minimumRatio', 'finalRatio', 'endStep', 'flags'],
  origination: ['minimumRatio'],
  'capped-loan': ['worstCcr', 'soldAmount', 'callAmount', 'flags'],
  perpetual: ['finalEquity', 'accumulatedFunding', 'maxEquityDrawdown', 'medianLeverage', 'flags'],
};

/** Columns of doubles for the paths of one range. */
export class RecordSink {
  readonly columns: readonly Float64Array[];
  private readonly first: number;

  constructor(fields: number, range: PathRange) {
    this.columns = Array.from({ length: fields }, () => new Float64Array(range.count));
    this.first = range.first;
  }

  /** Writes one value per column for path `path`. */
  write(path: number, values: readonly number[]): void {
    for (let i = 0; i < values.length; i++) this.columns[i][path - this.first] = values[i];
  }
}
