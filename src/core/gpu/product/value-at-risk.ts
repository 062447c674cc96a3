/**
 * Value at risk on the GPU: the values stay on the device, the host reads order statistics and tail sums (methodology part 5).
 *
 * The values of a path are its gains since the start: exact where a value hardly moves. The host adds the start in double precision. Horizons
 * run in batches that fit one buffer of three numbers per path.
 */
import { heldSlots } from '../../distribution/bins.ts';
import { DISTRIBUTION_LEVELS } from '../../distribution/levels.ts';
import type { ValueDistribution } from '../../distribution/values.ts';
import type { PathRecords, Tail, ValueAtRiskOutcome } from '../../engine.ts';
import { DAYS_PER_YEAR } from '../../plan/grid.ts';
import { MODELS } from '../../plan/models.ts';
import { distributionScales } from '../../plan/product/value-at-risk.ts';
import { sumOfWeights } from '../../plan/ratio-path.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../../plan/simulation-plan.ts';
import { type HorizonBatch, VALUES_PER_HORIZON } from '../../product/value-at-risk.ts';
import { quantilePosition } from '../../stats/quantile.ts';
import { wantedTails } from '../../stats/tail.ts';
import { largestBinding } from '../buffers.ts';
import { onDevice } from '../device-errors.ts';
import type { Program } from '../kernels.ts';
import { quads } from '../model/market.ts';
import { tailsOfColumns } from '../order/column-tails.ts';
import type { Columns } from '../order/columns.ts';
import { type AmountScale, countAmounts } from '../order/slot-counts.ts';
import type { ScratchRun } from '../scratch.ts';
import type { GpuSession } from '../session.ts';
import { programJob, simulate } from '../simulate.ts';
import { array, f32, struct, u32, vec4f, wordsOf } from '../struct-layout.ts';
import type { GpuProduct } from './program.ts';

const TERMS = struct('Terms', { first_horizon: u32, collateral: f32, loan: f32 });

/** The steps to four horizons: their lengths in years, the roots of these, and their ends, in days or, for a model of rows, in rows. */
const HORIZON_STEPS = struct('HorizonSteps', { years: vec4f, root_years: vec4f, ends: vec4f });

const PROGRAM = {
  name: 'horizon values',
  views: ['horizons'],
  files: ['kernel/market_slice.wgsl', 'kernel/horizon_values.wgsl'],
  terms: TERMS,
  sums: {},
  records: {},
  stateWords: 0,
  own: ['read-only-storage', 'storage'],
  structs: [HORIZON_STEPS],
  constants: { VALUES_PER_HORIZON },
} as const satisfies Program;

type Ranks = Pick<HorizonBatch, 'first' | 'count'>;

/** The values of a horizon in the order of their columns. */
const VALUES = ['collateral', 'loan', 'netExposure'] as const;
type HorizonValue = (typeof VALUES)[number];

const byValue = <T>(of: (value: HorizonValue, column: number) => T) =>
  Object.fromEntries(VALUES.map((value, column) => [value, of(value, column)])) as Record<HorizonValue, T>;

export const GPU_VALUE_AT_RISK: GpuProduct<ValueAtRiskProduct> = {
  programs: [PROGRAM],
  run: runValueAtRisk,
  trace: traceValueAtRisk,
};

async function runValueAtRisk(
  session: GpuSession,
  plan: SimulationPlan<ValueAtRiskProduct>,
  signal: AbortSignal | undefined,
): Promise<ValueAtRiskOutcome> {
  const { paths, product } = plan;
  const { tails } = wantedTails(paths, product.quantiles, product.intervalLevel);
  const further =
    plan.distribution === undefined
      ? []
      : Object.values(DISTRIBUTION_LEVELS).map(level => quantilePosition(paths, level));
  const scales = columnScales(product);
  const horizons: ValueAtRiskOutcome['horizons'][number][] = [];
  await overBatches(session, plan, signal, async (batch, columns, scratch) => {
    const found = await tailsOfColumns(session, scratch, columns, tails, further, signal);
    const counts =
      plan.distribution &&
      (await countAmounts(session, scratch, columns, amountScales(product, batch), signal));
    for (let k = 0; k < batch.count; k++) {
      const usdTails = (value: HorizonValue, column: number): Tail[] =>
        found[VALUES_PER_HORIZON * k + column].tails.map(tail => toUsd(tail, scales[value]));
      const spread = (value: HorizonValue, column: number): ValueDistribution => {
        const at = VALUES_PER_HORIZON * k + column;
        const { start, unit } = scales[value];
        return {
          quantiles: Array.from(found[at].quantiles, gain => start + unit * gain),
          counts: heldSlots(counts?.[at] ?? new Float64Array(0)),
        };
      };
      horizons.push({ ...byValue(usdTails), ...(counts && { distribution: byValue(spread) }) });
    }
  });
  return { kind: 'value-at-risk', paths, horizons };
}

async function traceValueAtRisk(
  session: GpuSession,
  plan: SimulationPlan<ValueAtRiskProduct>,
  signal: AbortSignal | undefined,
): Promise<PathRecords> {
  const { context } = session;
  const { collateralWeights, loanWeights } = plan.product.portfolio;
  const records: Record<string, Float64Array> = {};
  await overBatches(session, plan, signal, async (batch, columns, scratch) => {
    const bytes = 4 * columns.values;
    const column = async (number: number, start: number) => {
      const words = await onDevice(context, signal, () =>
        scratch.read(columns.buffer, bytes, number * bytes),
      );
      return Float64Array.from(new Float32Array(words.buffer), gain => start + gain);
    };
    for (let k = 0; k < batch.count; k++) {
      const rank = batch.first + k;
      records[`collateral.${rank}`] = await column(VALUES_PER_HORIZON * k, sumOfWeights(collateralWeights));
      records[`loan.${rank}`] = await column(VALUES_PER_HORIZON * k + 1, sumOfWeights(loanWeights));
    }
  });
  return records;
}

/** Simulates batch after batch and calls `use` with the values of each, three columns per horizon. */
async function overBatches(
  session: GpuSession,
  plan: SimulationPlan<ValueAtRiskProduct>,
  signal: AbortSignal | undefined,
  use: (batch: Ranks, columns: Columns, scratch: ScratchRun) => Promise<void>,
): Promise<void> {
  const { product, paths } = plan;
  const { context, memory } = session;
  await session.scratch.lend(async scratch => {
    const steps = await scratch.upload('horizons.steps', horizonSteps(plan));
    const horizons = product.horizonYears.length;
    const horizonBytes = 4 * VALUES_PER_HORIZON * paths;
    const fitting = Math.floor(Math.min(memory.valueBytes, largestBinding(context.device)) / horizonBytes);
    const perBatch = Math.max(1, Math.min(horizons, fitting));
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    const values = await scratch.take('horizons.values', perBatch * horizonBytes, STORAGE | COPY_SRC);
    for (let first = 0; first < horizons; first += perBatch) {
      const batch = { first, count: Math.min(perBatch, horizons - first) };
      await simulateHorizons(session, plan, batch, [steps, values], signal);
      const columns = { buffer: values, count: VALUES_PER_HORIZON * batch.count, values: paths };
      await use(batch, columns, scratch);
    }
  });
}

async function simulateHorizons(
  session: GpuSession,
  plan: SimulationPlan<ValueAtRiskProduct>,
  { first, count }: Ranks,
  own: readonly GPUBuffer[],
  signal: AbortSignal | undefined,
): Promise<void> {
  const { collateralValue, loanValue, portfolio } = plan.product;
  const unit = Math.max(collateralValue, loanValue);
  const terms = wordsOf(TERMS, {
    first_horizon: first,
    collateral: collateralValue / unit,
    loan: loanValue / unit,
  });
  const steps = first + count;
  const run = { view: 'horizons', portfolio, steps, stepWork: stepWork(plan, steps), terms, own } as const;
  await simulate(session, programJob(PROGRAM, plan, run, signal));
}

/** Days or rows to a horizon in a step, to a power of two; 1 for a model without them. */
function stepWork(plan: SimulationPlan<ValueAtRiskProduct>, steps: number): number {
  const walked = MODELS[plan.scenarios.kind].walkedPerDay > 0 ? endsOf(plan)[steps - 1] / steps : 0;
  return 2 ** Math.ceil(Math.log2(Math.max(1, walked)));
}

/** The ends of the horizons, in days or, for a model of rows, in rows. */
function endsOf({ product, scenarios }: SimulationPlan<ValueAtRiskProduct>): Float64Array {
  if (scenarios.kind === 'bootstrap') return Float64Array.from(product.horizonSteps);
  return product.horizonYears.map(end => end * DAYS_PER_YEAR);
}

function horizonSteps(plan: SimulationPlan<ValueAtRiskProduct>): Uint32Array<ArrayBuffer> {
  const { horizonYears } = plan.product;
  const years = horizonYears.map((end, k) => (k === 0 ? end : end - horizonYears[k - 1]));
  const [lengths, roots, stops] = [years, years.map(Math.sqrt), endsOf(plan)].map(quads);
  return wordsOf(
    array(HORIZON_STEPS, lengths.length),
    lengths.map((_, q) => ({ years: lengths[q], root_years: roots[q], ends: stops[q] })),
  );
}

/** Gains in a column as USD: start + unit x gain. */
function columnScales({
  portfolio,
  collateralValue,
  loanValue,
}: ValueAtRiskProduct): Record<HorizonValue, AmountScale> {
  const collateral = collateralValue * sumOfWeights(portfolio.collateralWeights);
  const loan = loanValue * sumOfWeights(portfolio.loanWeights);
  return {
    collateral: { start: collateral, unit: collateralValue },
    loan: { start: loan, unit: loanValue },
    netExposure: { start: collateral - loan, unit: Math.max(collateralValue, loanValue) },
  };
}

/** Gains in a batch's columns, as amounts in units of their bin scales. */
function amountScales(product: ValueAtRiskProduct, { count }: Ranks): AmountScale[] {
  const scales = columnScales(product);
  const bins = distributionScales(product);
  const perHorizon = VALUES.map(value => ({
    start: scales[value].start / bins[value],
    unit: scales[value].unit / bins[value],
  }));
  return Array.from({ length: count }, () => perHorizon).flat();
}

function toUsd(tail: Tail, { start, unit }: AmountScale): Tail {
  const usd = (gain: number) => start + unit * gain;
  return {
    quantile: usd(tail.quantile),
    tailMean: usd(tail.tailMean),
    level: usd(tail.level),
    shortfallSquares: unit * unit * tail.shortfallSquares,
    ...(tail.low === undefined ? {} : { low: usd(tail.low) }),
    ...(tail.high === undefined ? {} : { high: usd(tail.high) }),
  };
}
