/**
 * The GPU engine: plans in, outcomes out, on one open device.
 *
 * Takes: a GpuContext and its host. Gives: an `Engine`. Runs as well in a browser: nothing here
 * knows Node. Must not know: how the device was opened, processes, the CPU engine.
 */

import type { Engine, PathRecords, RunOptions } from '../engine.ts';
import { RiskError } from '../errors.ts';
import type { Product, SimulationPlan } from '../plan/simulation-plan.ts';
import type { GpuContext } from './gpu-context.ts';
import type { GpuProduct } from './product/program.ts';
import { gpuProduct } from './products.ts';
import { createGpuSession, type DispatchOptions, type GpuHost } from './session.ts';

/** Most paths of a trace, as the `Engine` contract has it. */
const MAX_TRACE_PATHS = 1_048_576;

/** Whether the GPU engine runs such a plan, on any device. */
export function gpuSupports({ scenarios, product }: SimulationPlan): boolean {
  return gpuProduct(product.kind, scenarios.kind) !== undefined;
}

/**
 * Creates the engine of a device.
 *
 * @param context the device; the engine closes it
 * @param host gives the text of a file under shaders/
 * @param dispatch how runs are split into dispatches; outcomes do not depend on it
 */
export function createGpuEngine(context: GpuContext, host: GpuHost, dispatch: DispatchOptions = {}): Engine {
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
  const productOf = <P extends Product>({ product, scenarios }: SimulationPlan<P>): GpuProduct<P> => {
    const found = gpuProduct<P>(product.kind, scenarios.kind);
    if (found === undefined) {
      throw new RiskError('engine-failed', 'The GPU engine does not run such a plan.');
    }
    return found;
  };

  return {
    description: context.description,
    supports: gpuSupports,
    run: <P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}) =>
      track(async () => productOf(plan).run(session, plan, options.signal, options.onProgress)),
    trace: (plan, options = {}) =>
      track(async (): Promise<PathRecords> => {
        if (plan.paths > MAX_TRACE_PATHS) {
          throw new RiskError(
            'engine-failed',
            `A trace takes at most ${MAX_TRACE_PATHS} paths, not ${plan.paths}.`,
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
