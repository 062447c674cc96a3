/**
 * The GPU engine: plans in, outcomes out, on one open device.
 *
 * Takes: a GpuContext and a way to read shader files. Gives: an `Engine`. Runs as well in a browser: nothing here
 * knows Node. Must not know: how the device was opened, processes, the CPU engine.
 */
import { RiskError } from '../../errors.ts';
import type {
  CappedLoanProduct,
  LoanProduct,
  OriginationProduct,
  PerpetualProduct,
  Product,
  SimulationPlan,
  ValueAtRiskProduct,
} from '../../plan/simulation-plan.ts';
import type { Engine, Outcome, OutcomeOf, PathRecords, RunOptions } from '../engine.ts';
import type { GpuContext } from './gpu-context.ts';
import { runCappedLoan, traceCappedLoan } from './product/capped-loan.ts';
import { runLoan, traceLoan } from './product/loan.ts';
import { runOrigination, traceOrigination } from './product/origination.ts';
import { runPerpetual, tracePerpetual } from './product/perpetual.ts';
import { runValueAtRisk, traceValueAtRisk } from './product/value-at-risk.ts';
import type { LoadShader } from './read-shader.ts';
import { type CuttingOptions, createGpuSession, type GpuSession } from './session.ts';

/** How one kind of product runs on the GPU. */
interface ProductRunner<P extends Product> {
  run(session: GpuSession, plan: SimulationPlan<P>, signal: AbortSignal | undefined): Promise<OutcomeOf<P>>;
  trace(session: GpuSession, plan: SimulationPlan<P>, signal: AbortSignal | undefined): Promise<PathRecords>;
}

/** The table of products; a kind that is missing here is not supported. */
const RUNNERS: { readonly [K in Product['kind']]?: ProductRunner<Extract<Product, { kind: K }>> } = {
  loan: { run: runLoan, trace: traceLoan } satisfies ProductRunner<LoanProduct>,
  origination: {
    run: runOrigination,
    trace: traceOrigination,
  } satisfies ProductRunner<OriginationProduct>,
  'capped-loan': {
    run: runCappedLoan,
    trace: traceCappedLoan,
  } satisfies ProductRunner<CappedLoanProduct>,
  perpetual: { run: runPerpetual, trace: tracePerpetual } satisfies ProductRunner<PerpetualProduct>,
  'value-at-risk': {
    run: runValueAtRisk,
    trace: traceValueAtRisk,
  } satisfies ProductRunner<ValueAtRiskProduct>,
};

/** Most paths of a trace, as the `Engine` contract has it. */
const MAX_TRACE_PATHS = 1_048_576;

/** Whether the GPU engine runs such a plan, on any device. */
export function gpuSupports({ scenarios, product }: SimulationPlan): boolean {
  if (product.kind === 'value-at-risk') return scenarios.kind === 'gbm';
  return scenarios.kind !== 'historical' && RUNNERS[product.kind] !== undefined;
}

/**
 * Creates the engine of a device.
 *
 * @param context the device; the engine closes it
 * @param loadShader gives the text of a file under shaders/
 * @param cutting how runs are cut into dispatches; outcomes do not depend on it
 */
export function createGpuEngine(
  context: GpuContext,
  loadShader: LoadShader,
  cutting: CuttingOptions = {},
): Engine {
  const session = createGpuSession(context, loadShader, cutting);
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
  const runnerOf = (plan: SimulationPlan): ProductRunner<Product> => {
    const runner = RUNNERS[plan.product.kind];
    if (runner === undefined || !gpuSupports(plan)) {
      throw new RiskError('engine-failed', 'The GPU engine does not run such a plan.');
    }
    return runner as unknown as ProductRunner<Product>;
  };

  return {
    description: context.description,
    supports: gpuSupports,
    run: <P extends Product>(plan: SimulationPlan<P>, options: RunOptions = {}) =>
      track(async () => (await runnerOf(plan).run(session, plan, options.signal)) as Outcome as OutcomeOf<P>),
    trace: (plan, options = {}) =>
      track(async () => {
        if (plan.paths > MAX_TRACE_PATHS) {
          throw new RiskError(
            'engine-failed',
            `A trace takes at most ${MAX_TRACE_PATHS} paths, not ${plan.paths}.`,
          );
        }
        return runnerOf(plan).trace(session, plan, options.signal);
      }),
    close: () => {
      closed ??= Promise.allSettled(running).then(() => context.close());
      return closed;
    },
  };
}
