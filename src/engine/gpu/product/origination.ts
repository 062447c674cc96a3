/**
 * An origination scan on the GPU: thresholds in, paths per candidate out (shaders/product/origination_*.wgsl).
 */
import type { OriginationProduct, SimulationPlan } from '../../../plan/simulation-plan.ts';
import type { OriginationOutcome, PathRecords } from '../../engine.ts';
import { onDevice } from '../device-errors.ts';
import { originationKernel, ratioView } from '../kernels.ts';
import { packMarket, type StructLayout } from '../parameters.ts';
import { readBuffer } from '../read-buffer.ts';
import { integerSum, lowestValue, sumWords } from '../results.ts';
import type { GpuSession } from '../session.ts';
import { type SimulationJob, simulate } from '../simulate.ts';

export const ORIGINATION_MINIMUM_TERMS_LAYOUT = {
  struct: 'Terms',
  size: 4,
  fields: { candidates: 0 },
} as const satisfies StructLayout;

export const ORIGINATION_SCAN_TERMS_LAYOUT = {
  struct: 'Terms',
  size: 20,
  fields: { candidates: 0, delay_groups: 4, delay_rest: 8, liquidations: 12, cure: 16 },
} as const satisfies StructLayout;

/** Words of a path's state beside the market's; a scan has a second copy of the market. */
const MINIMUM_STATE_WORDS = 1;
const SCAN_STATE_WORDS = 9;
const GROUP = 4;
/** Order of the sums in the results. */
const SUM_FROM_FIRST = 0;
const SUM_COUNT = 1;

/** Runs a plan; see `Engine.run`. */
export async function runOrigination(
  session: GpuSession,
  plan: SimulationPlan<OriginationProduct>,
  signal: AbortSignal | undefined,
): Promise<OriginationOutcome> {
  const { worstRatio, counts } = await scan(session, plan, 0, signal);
  return { kind: 'origination', paths: plan.paths, counts, worstRatio };
}

/** One record per path; see `Engine.trace`. */
export async function traceOrigination(
  session: GpuSession,
  plan: SimulationPlan<OriginationProduct>,
  signal: AbortSignal | undefined,
): Promise<PathRecords> {
  const { records } = await scan(session, plan, 1, signal);
  return { minimumRatio: Float64Array.from(new Float32Array(records!.slice().buffer)) };
}

async function scan(
  session: GpuSession,
  plan: SimulationPlan<OriginationProduct>,
  recordFields: number,
  signal: AbortSignal | undefined,
) {
  const { context, scratch: pool } = session;
  const { device } = context;
  const { product } = plan;
  const log = ratioView(product.portfolio) === 'log-ratio';
  const candidates = product.liquidationThreshold.length;
  const scratch = pool.open();
  try {
    const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
    const words = thresholdsOf(product, log);
    const thresholds = scratch.take('origination.thresholds', words.byteLength, STORAGE | COPY_DST);
    const countBytes = 4 * (candidates + 1);
    const differences = scratch.take('origination.differences', countBytes, STORAGE | COPY_SRC | COPY_DST);
    device.queue.writeBuffer(thresholds, 0, words);
    device.queue.writeBuffer(differences, 0, new Uint32Array(candidates + 1));
    const job = originationJob(plan, recordFields, [thresholds, differences], signal);
    const { sums, records } = await simulate(session, job);
    const booked = await onDevice(context, signal, () =>
      readBuffer(device, scratch, differences, countBytes),
    );
    const lowest = lowestValue(sums, SUM_COUNT);
    const counts = runningCounts(integerSum(sums, SUM_FROM_FIRST), booked, candidates);
    return { worstRatio: log ? 2 ** lowest : lowest, counts, records };
  } finally {
    scratch.release();
  }
}

/**
 * Paths per candidate.
 *
 * @param fromFirst ranges that begin with the first candidate
 * @param differences between neighbours, without those ranges' beginnings
 */
function runningCounts(fromFirst: number, differences: Uint32Array, candidates: number): Float64Array {
  let sum = fromFirst;
  return Float64Array.from({ length: candidates }, (_, k) => {
    sum += differences[k] | 0;
    return sum;
  });
}

/** Both lists of thresholds in the unit of the path's value, each rounded once. */
function thresholdsOf(product: OriginationProduct, log: boolean): Float32Array<ArrayBuffer> {
  const place = (threshold: number) => (log ? Math.log2(threshold) : threshold);
  return Float32Array.from([...product.liquidationThreshold, ...product.marginCallThreshold], place);
}

function originationJob(
  plan: SimulationPlan<OriginationProduct>,
  recordFields: number,
  own: readonly GPUBuffer[],
  signal: AbortSignal | undefined,
): SimulationJob {
  const { product } = plan;
  const view = ratioView(product.portfolio);
  const market = packMarket(plan.scenarios, product.portfolio, view);
  const minimum = product.score === 'path-minimum';
  return {
    kernel: originationKernel(minimum ? 'minimum' : 'scan', market.model, view),
    seed: plan.seed,
    paths: plan.paths,
    steps: product.steps,
    market,
    terms: minimum ? packMinimumTerms(product) : packScanTerms(product, view === 'log-ratio'),
    sumWords: sumWords(SUM_COUNT),
    productStateWords: minimum ? MINIMUM_STATE_WORDS : SCAN_STATE_WORDS + market.stateWords,
    recordFields,
    own,
    signal,
  };
}

function packMinimumTerms(product: OriginationProduct): Float32Array<ArrayBuffer> {
  const words = new Uint32Array(GROUP);
  words[ORIGINATION_MINIMUM_TERMS_LAYOUT.fields.candidates / 4] = product.liquidationThreshold.length;
  return new Float32Array(words.buffer);
}

function packScanTerms(product: OriginationProduct, log: boolean): Float32Array<ArrayBuffer> {
  const { fields, size } = ORIGINATION_SCAN_TERMS_LAYOUT;
  const packed = new Float32Array(Math.ceil(size / 16) * 4);
  const words = new Uint32Array(packed.buffer);
  words[fields.candidates / 4] = product.liquidationThreshold.length;
  words[fields.delay_groups / 4] = Math.floor(product.topUpSteps / GROUP);
  words[fields.delay_rest / 4] = product.topUpSteps % GROUP;
  words[fields.liquidations / 4] = product.score === 'liquidation' ? 1 : 0;
  packed[fields.cure / 4] = log ? 0 : 1;
  return packed;
}
