/**
 * The worker of the page: draws pictures and runs plans on the engines of this browser.
 *
 * The engines are the server's own: its shaders on this browser's GPU, its kernel by WebAssembly. Shaders and kernel are
 * part of the build of this page, from the same files.
 */
import kernelUrl from '../../../dist/engine/wasm/kernel.wasm?url';
import {
  createGpuEngine,
  createSimdEngine,
  decodePlan,
  type Engine,
  requestContext,
  type SimulationPlan,
} from '../../../src/core/index.ts';
import { planSteps } from '../../../src/core/plan/simulation-plan.ts';
import { figuresOf } from './figures.ts';
import { pictureOf } from './picture.ts';
import type { Ask, BrowserEngine, BrowserRun, Probe, Reply, Results, Task } from './protocol.ts';

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

/** A software adapter is taken only where the page's address asks for it, as tests do that have no other. */
const allowSoftware = self.name.includes('software-gpu');

async function openGpu(): Promise<Engine> {
  if (navigator.gpu === undefined) throw new Error('this browser has no WebGPU');
  return createGpuEngine(await requestContext(navigator.gpu, { allowSoftware }), { loadShader });
}

async function openSimd(): Promise<Engine> {
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

async function run({
  plan,
  engine: name,
  paths,
  terms,
}: Extract<Task, { kind: 'run' }>): Promise<BrowserRun> {
  const engine = await engineOf(name);
  const wanted: SimulationPlan = { ...decodePlan(JSON.parse(plan)), paths };
  if (!engine.supports(wanted)) {
    const { product, scenarios } = wanted;
    throw new Error(`this engine does not run ${product.kind} under ${scenarios.kind}`);
  }
  const begin = performance.now();
  const outcome = await engine.run(wanted);
  const milliseconds = performance.now() - begin;
  return {
    ...figuresOf(wanted, outcome, terms),
    device: engine.description.device,
    milliseconds,
    pathSteps: paths * planSteps(wanted),
  };
}

async function probe(): Promise<Probe> {
  const found = async (name: BrowserEngine) => {
    try {
      return { name: (await engineOf(name)).description.device };
    } catch (error) {
      return { missing: error instanceof Error ? error.message : String(error) };
    }
  };
  return { gpu: await found('gpu'), simd: await found('simd') };
}

async function work(task: Task): Promise<Results[keyof Results]> {
  switch (task.kind) {
    case 'picture':
      return pictureOf(decodePlan(JSON.parse(task.plan)), task.paths);
    case 'run':
      return run(task);
    case 'probe':
      return probe();
  }
}

self.onmessage = async ({ data: { id, ...task } }: MessageEvent<Ask>) => {
  let reply: Reply;
  try {
    reply = { id, result: await work(task as Task) };
  } catch (error) {
    reply = { id, error: error instanceof Error ? error.message : String(error) };
  }
  self.postMessage(reply);
};
