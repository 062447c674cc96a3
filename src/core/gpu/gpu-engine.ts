/** The GPU engine of one open device. It needs nothing of Node: it runs in a browser, too. */
import { withSummaries } from '../book/summaries.ts';
import type { Engine, OutcomeOf, PathRecords, RunOptions } from '../engine.ts';
import { RiskError } from '../errors.ts';
import { contractOf } from '../plan/products.ts';
import { MAX_TRACED_PATHS, type PathRange } from '../plan/records.ts';
import type { Product, SimulationPlan } from '../plan/simulation-plan.ts';
import { summariseInTurns } from './book/book-results.ts';
import type { GpuContext } from './gpu-context.ts';
import type { DeviceOutcome, GpuProduct, GpuRanges } from './product/program.ts';
import { gpuProduct } from './products.ts';
import { addRanges, type RangeSums } from './range-sums.ts';
import { OutOfDeviceMemory } from './scratch.ts';
import { createGpuSession, type DispatchOptions, type GpuHost } from './session.ts';

/** The GPU engine: whole runs, and runs over ranges of paths. */
export interface GpuEngine extends Engine {
  /** The part of `run` that needs the device, for a process whose thread serves it. @throws RiskError as `run` */
  runOnDevice<P extends Product>(plan: SimulationPlan<P>, options?: RunOptions): Promise<DeviceOutcome<P>>;
  /** Runs some paths of a plan for which `gpuMerges` is true. @throws RiskError as `run` */
  runRange(plan: SimulationPlan, range: PathRange, options?: Pick<RunOptions, 'signal'>): Promise<RangeSums>;
}

/** Whether the GPU engine runs such a plan in ranges of paths. */
export function gpuMerges({ scenarios, product }: SimulationPlan): boolean {
  return gpuProduct(product.kind, scenarios.kind)?.ranges !== undefined;
}

/** The outcome of a plan from its ranges in path order; equal to a single run's to the last bit. */
export function mergeGpuRanges<P extends Product>(
  plan: SimulationPlan<P>,
  ranges: readonly RangeSums[],
): OutcomeOf<P> {
  return rangesOf(plan).outcomeOf(plan, addRanges(ranges));
}

function rangesOf<P extends Product>({ product, scenarios }: SimulationPlan<P>): GpuRanges<P> {
  const ranges = gpuProduct<P>(product.kind, scenarios.kind)?.ranges;
  if (ranges === undefined) {
    throw new RiskError('engine-failed', 'The GPU engine does not run such a plan in parts.');
  }
  return ranges;
}

/** Path values on the device do not go below so many bytes. */
const LEAST_VALUE_BYTES = 2 ** 22;

const isWhole = (value: number) => Number.isInteger(value) && value >= 0;

/** Largest distance of shifted paths: squared weights of the farther ones are below the 2^-48 of the sums (docs/decisions/tail-sampling.md). */
const MAX_DISTANCE = 5;

/** Whether the GPU engine runs such a plan, on any device. */
export function gpuSupports({ scenarios, product }: SimulationPlan): boolean {
  return (
    contractOf(product).notOnGpu?.(product) === undefined &&
    gpuProduct(product.kind, scenarios.kind) !== undefined &&
    !(scenarios.kind === 'gbm-shifted' && scenarios.distance > MAX_DISTANCE)
  );
}

/**
 * Creates the engine of a device.
 *
 * @param context of the device; the engine closes it
 * @param host reads the files under shaders/
 * @param dispatch the split of runs into dispatches; outcomes do not depend on it
 */
export function createGpuEngine(
  context: GpuContext,
  host: GpuHost,
  dispatch: DispatchOptions = {},
): GpuEngine {
  const session = createGpuSession(context, host, dispatch);
  const running = new Set<Promise<unknown>>();
  let closed: Promise<void> | undefined;

  const track = <T>(work: () => Promise<T>): Promise<T> => {
    if (closed !== undefined) {
      return Promise.reject(new RiskError('engine-unavailable', 'The GPU engine is closed.'));
    }
    const promise = work();
    running.add(promise);
    const forget = () => running.delete(promise);
    promise.then(forget, forget);
    return promise;
  };
  /** Runs again with half of the path values at a time where the device had no memory for them. */
  const withinMemory = async <T>(work: () => Promise<T>): Promise<T> => {
    const { memory } = session;
    for (;;) {
      const { valueBytes } = memory;
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof OutOfDeviceMemory) || valueBytes <= LEAST_VALUE_BYTES) throw error;
        // Another run may have halved them meanwhile.
        memory.valueBytes = Math.min(memory.valueBytes, valueBytes / 2);
      }
    }
  };
  const productOf = <P extends Product>({ product, scenarios }: SimulationPlan<P>): GpuProduct<P> => {
    const found = gpuProduct<P>(product.kind, scenarios.kind);
    if (found === undefined) {
      throw new RiskError('engine-failed', 'The GPU engine does not run such a plan.');
    }
    return found;
  };

  const runOnDevice = <P extends Product>(plan: SimulationPlan<P>, { signal, onProgress }: RunOptions = {}) =>
    track(() => withinMemory(async () => productOf(plan).run(session, plan, signal, onProgress)));

  return {
    description: context.description,
    supports: gpuSupports,
    runOnDevice,
    run: async (plan, options = {}) =>
      withSummaries(plan, await runOnDevice(plan, options), summariseInTurns, options.signal),
    runRange: (plan, { first, count }, { signal } = {}) =>
      track(async () => {
        const isWithin = isWhole(first) && isWhole(count) && count > 0 && first + count <= plan.paths;
        if (!isWithin)
          throw new RangeError(
            `paths ${first} to ${first + count} are no range of the ${plan.paths} of a plan`,
          );
        const range = { ...plan, firstPath: first, paths: count };
        return withinMemory(() => rangesOf(plan).run(session, range, signal));
      }),
    trace: (plan, options = {}) =>
      track(async (): Promise<PathRecords> => {
        if (plan.paths > MAX_TRACED_PATHS) {
          throw new RiskError(
            'engine-failed',
            `A trace takes at most ${MAX_TRACED_PATHS} paths, not ${plan.paths}.`,
          );
        }
        return productOf(plan).trace(session, plan, options.signal);
      }),
    close: () => {
      closed ??= Promise.allSettled(running).then(() => context.close());
      return closed;
    },
  };
}
