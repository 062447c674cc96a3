/** An origination scan on the GPU: paths per candidate from thresholds (shaders/product/origination_*.wgsl). */
import { placeRatio } from '../../plan/ratio-path.ts';
import type { OriginationProduct } from '../../plan/simulation-plan.ts';
import { onDevice } from '../device-errors.ts';
import type { Program } from '../kernels.ts';
import { fromDomain, type GpuDomain, gpuDomain, log2Growth, RATIO_VIEWS } from '../loan-terms.ts';
import { lowestValue, readSums } from '../results.ts';
import type { GpuSession } from '../session.ts';
import { type GpuPlan, programJob, recordColumns, type SimulationJob, simulate } from '../simulate.ts';
import { f32, struct, u32, wordsOf } from '../struct-layout.ts';
import { type GpuProduct, inRanges } from './program.ts';

const MINIMUM_TERMS = struct('Terms', { candidates: u32, growth: f32 });

const SCAN_TERMS = struct('Terms', {
  candidates: u32,
  delay_groups: u32,
  delay_rest: u32,
  kept_groups: u32,
  liquidations: u32,
  cure: f32,
  growth: f32,
});

/** Steps of a group of the shader. */
const GROUP = 4;

const COMMON = {
  views: Object.values(RATIO_VIEWS),
  // Ranges of candidates that begin with the first one.
  sums: { fromFirst: 'count' },
  records: { minimumRatio: 'real' },
  own: ['read-only-storage', 'storage'],
  constants: {},
} as const;

const MINIMUM = {
  ...COMMON,
  name: 'origination minimum',
  files: [
    'kernel/growth.wgsl',
    'product/origination_counts.wgsl',
    'product/origination_minimum.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
  terms: MINIMUM_TERMS,
  stateWords: 1,
} as const satisfies Program;

const SCAN = {
  ...COMMON,
  name: 'origination scan',
  files: [
    'kernel/growth.wgsl',
    'product/origination_counts.wgsl',
    'product/origination_scan.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
  terms: SCAN_TERMS,
  stateWords: 9,
} as const satisfies Program;

export const GPU_ORIGINATION: GpuProduct<OriginationProduct> = inRanges({
  programs: [MINIMUM, SCAN],
  ranges: {
    async run(session, plan, signal) {
      const { result, differences } = await scan(session, plan, false, signal);
      return { words: result.sums, counts: differences };
    },
    outcomeOf(plan, { words, counts: differences = new Float64Array(0) }) {
      const { fromFirst } = readSums(COMMON.sums, words);
      return {
        kind: 'origination',
        paths: plan.paths,
        counts: runningCounts(fromFirst, differences, plan.product.liquidationThreshold.length),
        worstRatio: fromDomain(gpuDomain(plan), lowestValue(words)),
      };
    },
  },
  async trace(session, plan, signal) {
    return recordColumns(COMMON.records, (await scan(session, plan, true, signal)).result, plan.paths);
  },
});

/** Runs over the paths: their sums and records, and the differences between the counts of neighbouring candidates. */
async function scan(
  session: GpuSession,
  plan: GpuPlan<OriginationProduct>,
  trace: boolean,
  signal: AbortSignal | undefined,
) {
  const { product } = plan;
  return session.scratch.lend(async scratch => {
    const thresholds = await scratch.upload('origination.thresholds', thresholdsOf(product, gpuDomain(plan)));
    const zeros = new Uint32Array(product.liquidationThreshold.length + 1);
    const differences = await scratch.upload('origination.differences', zeros, GPUBufferUsage.COPY_SRC);
    const result = await simulate(session, jobOf(plan, trace, [thresholds, differences], signal));
    const words = await onDevice(session.context, signal, () => scratch.read(differences, zeros.byteLength));
    return { result, differences: Float64Array.from(new Int32Array(words.buffer)) };
  });
}

/**
 * Paths per candidate.
 *
 * @param fromFirst ranges that begin with the first candidate
 * @param differences between neighbours, without those ranges' beginnings
 */
function runningCounts(fromFirst: number, differences: Float64Array, candidates: number): Float64Array {
  let sum = fromFirst;
  return Float64Array.from({ length: candidates }, (_, k) => {
    sum += differences[k];
    return sum;
  });
}

/** Both lists of thresholds in the domain of the path, each rounded once. */
function thresholdsOf(product: OriginationProduct, domain: GpuDomain): Float32Array<ArrayBuffer> {
  const place = (threshold: number) => placeRatio(domain, threshold);
  return Float32Array.from([...product.liquidationThreshold, ...product.marginCallThreshold], place);
}

function jobOf(
  plan: GpuPlan<OriginationProduct>,
  trace: boolean,
  own: readonly GPUBuffer[],
  signal: AbortSignal | undefined,
): SimulationJob {
  const { product } = plan;
  const { portfolio, steps } = product;
  const domain = gpuDomain(plan);
  const view = RATIO_VIEWS[domain];
  const minimum = product.score === 'path-minimum';
  const run = { view, portfolio, steps, trace, own };
  return minimum
    ? programJob(MINIMUM, plan, { ...run, terms: packMinimumTerms(product) }, signal)
    : programJob(
        SCAN,
        plan,
        { ...run, terms: packScanTerms(product, domain), keptWords: GROUP * keptGroups(product) },
        signal,
      );
}

function packMinimumTerms(product: OriginationProduct): Uint32Array<ArrayBuffer> {
  return wordsOf(MINIMUM_TERMS, {
    candidates: product.liquidationThreshold.length,
    growth: log2Growth(product),
  });
}

/** Groups of values that a path keeps until its calls are due. */
function keptGroups({ topUpSteps, steps }: OriginationProduct): number {
  const groups = Math.floor(topUpSteps / GROUP);
  return GROUP * groups < steps ? groups : 0;
}

function packScanTerms(product: OriginationProduct, domain: GpuDomain): Uint32Array<ArrayBuffer> {
  return wordsOf(SCAN_TERMS, {
    candidates: product.liquidationThreshold.length,
    delay_groups: Math.floor(product.topUpSteps / GROUP),
    delay_rest: product.topUpSteps % GROUP,
    kept_groups: keptGroups(product),
    liquidations: product.score === 'liquidation' ? 1 : 0,
    cure: placeRatio(domain, 1),
    growth: log2Growth(product),
  });
}
