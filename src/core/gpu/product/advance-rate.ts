/**
 * Advance rates on the GPU: the device writes the value at which each path sells, the host orders the values as the engines of the
 * processor do (shaders/product/advance_rate.wgsl). Horizons run in batches that fit one buffer.
 */
import type { AdvanceRateOutcome, PathRecords } from '../../engine.ts';
import { exposureStarts } from '../../plan/product/advance-rate.ts';
import { placeRatio } from '../../plan/ratio-path.ts';
import type { AdvanceRateProduct, SimulationPlan } from '../../plan/simulation-plan.ts';
import { NO_EXPOSURE, ratesOf } from '../../product/advance-rate.ts';
import { largestBinding } from '../buffers.ts';
import { onDevice } from '../device-errors.ts';
import type { Program } from '../kernels.ts';
import { fromDomain, gpuDomain, RATIO_VIEWS } from '../loan-terms.ts';
import type { GpuSession } from '../session.ts';
import { programJob, simulate } from '../simulate.ts';
import { f32, struct, u32, wordsOf } from '../struct-layout.ts';
import type { GpuProduct } from './program.ts';

const TERMS = struct('Terms', { horizons: u32, lowest: u32, within_steps: u32, trigger: f32 });

/** A value above this is VALUE_LIMIT: no exposure. */
const LARGEST_VALUE = 1e38;

const PROGRAM = {
  name: 'advance rate',
  views: Object.values(RATIO_VIEWS),
  files: [
    'product/advance_rate.wgsl',
    'kernel/no_counts.wgsl',
    'kernel/unweighted.wgsl',
    'kernel/simulate.wgsl',
  ],
  terms: TERMS,
  sums: { exposures: 'count' },
  // The values replace records.
  records: {},
  stateWords: 3,
  own: ['read-only-storage', 'storage'],
  constants: {},
} as const satisfies Program;

export const GPU_ADVANCE_RATE: GpuProduct<AdvanceRateProduct> = {
  programs: [PROGRAM],
  async run(session, plan, signal): Promise<AdvanceRateOutcome> {
    const horizons: AdvanceRateOutcome['horizons'][number][] = [];
    await overHorizons(session, plan, signal, (ratios, _, k) => {
      horizons.push(ratesOf({ ratios, steps: plan.product.horizonSteps[k] }, plan.product));
    });
    return { kind: 'advance-rate', paths: plan.paths, horizons };
  },
  async trace(session, plan, signal): Promise<PathRecords> {
    const records: Record<string, Float64Array> = {};
    await overHorizons(session, plan, signal, (ratios, starts, k) => {
      records[`ratio.${k}`] = ratios;
      if (plan.product.after !== undefined) records[`start.${k}`] = starts;
    });
    return records;
  },
};

/** Simulates batch after batch and calls `use` with the ratios of each horizon, and the steps at which exposures begin. */
async function overHorizons(
  session: GpuSession,
  plan: SimulationPlan<AdvanceRateProduct>,
  signal: AbortSignal | undefined,
  use: (ratios: Float64Array, starts: Float64Array, k: number) => void,
): Promise<void> {
  const { paths, product } = plan;
  const { context, memory } = session;
  const { horizonSteps, portfolio, after, lowest } = product;
  const domain = gpuDomain(plan);
  const level = after?.ratio ?? 1;
  const bytes = 4 * paths;
  // A column of every horizon, and one of the starts.
  const fitting = Math.floor(Math.min(memory.valueBytes, largestBinding(context.device)) / bytes) - 1;
  const perBatch = Math.max(1, Math.min(horizonSteps.length, fitting));
  await session.scratch.lend(async scratch => {
    const { STORAGE, COPY_SRC } = GPUBufferUsage;
    const values = await scratch.take('exposures.values', (perBatch + 1) * bytes, STORAGE | COPY_SRC);
    const column = async (place: number) => {
      const words = await onDevice(context, signal, () => scratch.read(values, bytes, place * bytes));
      return new Float32Array(words.buffer);
    };
    for (let first = 0; first < horizonSteps.length; first += perBatch) {
      const batch = horizonSteps.slice(first, first + perBatch);
      const steps = exposureStarts(product) + batch[batch.length - 1];
      const terms = wordsOf(TERMS, {
        horizons: batch.length,
        lowest: lowest ? 1 : 0,
        within_steps: exposureStarts(product),
        trigger: placeRatio(domain, level),
      });
      const own = [await scratch.upload('exposures.steps', batch), values];
      const run = { view: RATIO_VIEWS[domain], portfolio, steps, terms, own };
      await simulate(session, programJob(PROGRAM, plan, run, signal));
      const starts = Float64Array.from(await column(batch.length));
      for (let k = 0; k < batch.length; k++) {
        const ratios = Float64Array.from(await column(k), value =>
          value > LARGEST_VALUE ? NO_EXPOSURE : fromDomain(domain, value) / level,
        );
        use(ratios, starts, first + k);
      }
    }
  });
}
