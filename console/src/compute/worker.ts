/**
 * The worker of the page: reads the details of plans for charts, and runs plans on the engines of this browser.
 *
 * The engines are the server's own: its shaders on this browser's GPU, its kernel by WebAssembly. Shaders and kernel are
 * part of the build of this page, from the same files.
 */

import { messageOf } from '#core/errors.ts';
import { gpuSupports } from '#core/gpu/gpu-engine.ts';
import {
  createGpuEngine,
  createSimdEngine,
  decodePlan,
  type Engine,
  requestContext,
  type SimulationPlan,
} from '#core/index.ts';
import type { LoanProduct } from '#core/plan/simulation-plan.ts';
import { planSteps } from '#core/plan/simulation-plan.ts';
import { runRange } from '#core/reference/products.ts';
import { simdSupportsAlone } from '#core/simd/products.ts';
import type { RunPlan } from '#src/question/origination/score.ts';
import kernelUrl from '../../../dist/engine/wasm/kernel.wasm?url';
import { curveOf, curvePaths, type ScoreCurve } from './curve.ts';
import { figuresOf } from './figures.ts';
import { planDetails } from './plan-details.ts';
import {
  type Ask,
  type BrowserEngine,
  type BrowserRun,
  NOT_RUN,
  type Probe,
  type Reply,
  type Results,
  type Task,
} from './protocol.ts';

declare const self: DedicatedWorkerGlobalScope;

/** Texts of the shaders by their path. */
const SHADERS = import.meta.glob<string>('../../../shaders/**/*.wgsl', {
  query: '?raw',
  import: 'default',
  eager: true,
});

const loadShader = async (name: string): Promise<string> => {
  const text = SHADERS[`../../../shaders/${name}`];
  if (text === undefined) throw new Error(`the page has no shader ${name}`);
  return text;
};

/** The engine takes a software adapter only where the address of the page names it, as tests without another adapter do. */
const allowSoftware = self.name.includes('software-gpu');

async function openGpu(): Promise<Engine> {
  if (navigator.gpu === undefined)
    throw new Error(
      self.isSecureContext
        ? 'this browser has no WebGPU'
        : 'this page is not on https, where browsers have no WebGPU',
    );
  return createGpuEngine(await requestContext(navigator.gpu, { allowSoftware }), { loadShader });
}

async function openSimd(): Promise<Engine> {
  if (typeof WebAssembly === 'undefined') throw new Error('this browser has no WebAssembly');
  const response = await fetch(kernelUrl);
  return createSimdEngine(new Uint8Array(await response.arrayBuffer()));
}

const OPENERS: Readonly<Record<BrowserEngine, () => Promise<Engine>>> = { gpu: openGpu, simd: openSimd };
const opened: Partial<Record<BrowserEngine, Promise<Engine>>> = {};

/** The engine of a name, opened once. */
function engineOf(name: BrowserEngine): Promise<Engine> {
  opened[name] ??= OPENERS[name]();
  return opened[name];
}

async function run(
  { plan, engine: name, paths, terms }: Extract<Task, { kind: 'run' }>,
  signal: AbortSignal,
): Promise<BrowserRun> {
  const engine = await engineOf(name);
  const wanted = withPaths(decodePlan(JSON.parse(plan)), paths);
  if (!engine.supports(wanted)) throw new Error(NOT_RUN);
  const begin = performance.now();
  const outcome = await engine.run(wanted, { signal });
  const milliseconds = performance.now() - begin;
  return {
    ...figuresOf(wanted, outcome, terms),
    device: engine.description.device,
    milliseconds,
    pathSteps: wanted.paths * planSteps(wanted),
  };
}

/** A plan with another number of paths; windows of history are as many as there are. */
const withPaths = <P extends SimulationPlan>(plan: P, paths: number): P =>
  plan.scenarios.kind === 'historical' ? plan : { ...plan, paths };

async function curve(
  { plan: text, terms, on, extent }: Extract<Task, { kind: 'curve' }>,
  signal: AbortSignal,
): Promise<ScoreCurve> {
  const plan = decodePlan(JSON.parse(text));
  if (plan.product.kind !== 'loan') throw new Error(`${plan.product.kind} has no nominal ratio`);
  const loan = withPaths(plan as SimulationPlan<LoanProduct>, on?.paths ?? curvePaths(plan, extent));
  const engine = on === undefined ? undefined : await engineOf(on.engine);
  const onReference = (async wanted => runRange(wanted, { first: 0, count: wanted.paths })) as RunPlan;
  return curveOf(
    terms,
    loan,
    engine?.supports(loan) ? wanted => engine.run(wanted, { signal }) : onReference,
  );
}

/** The engines of a browser that do not run a plan, whether they are here or not. */
const unsupportedBy = (plan: SimulationPlan): readonly BrowserEngine[] => [
  ...(gpuSupports(plan) ? [] : (['gpu'] as const)),
  ...(simdSupportsAlone(plan) ? [] : (['simd'] as const)),
];

async function probe(): Promise<Probe> {
  const found = async (name: BrowserEngine) => {
    try {
      return { name: (await engineOf(name)).description.device };
    } catch (error) {
      return { missing: messageOf(error) };
    }
  };
  return { gpu: await found('gpu'), simd: await found('simd') };
}

async function work(task: Task, signal: AbortSignal): Promise<Results[keyof Results]> {
  switch (task.kind) {
    case 'details': {
      const plan = decodePlan(JSON.parse(task.plan));
      return { ...planDetails(plan), unsupported: unsupportedBy(plan) };
    }
    case 'curve':
      return curve(task, signal);
    case 'run':
      return run(task, signal);
    case 'probe':
      return probe();
  }
}

/** Tasks under way, by number. */
const underWay = new Map<number, AbortController>();

self.onmessage = async ({ data }: MessageEvent<Ask>) => {
  if (data.kind === 'abort') {
    underWay.get(data.id)?.abort();
    return;
  }
  const ending = new AbortController();
  underWay.set(data.id, ending);
  let reply: Reply;
  try {
    reply = { id: data.id, result: await work(data, ending.signal) };
  } catch (error) {
    reply = { id: data.id, error: messageOf(error) };
  }
  underWay.delete(data.id);
  self.postMessage(reply);
};
