/**
 * The GPU of tests: any adapter of the environment, also a software one (SwiftShader in CI).
 *
 * Fails where there is none: a test of shaders that did not run proves nothing. `npm test` sets the environment of the
 * software driver; by hand: `eval "$(node scripts/software-gpu.mjs)"` before the test runner is started.
 */

import { expect } from 'vitest';
import { createGpuContext, type GpuContext } from '#src/core/gpu/gpu-context.js';
import { createGpuEngine, type GpuEngine } from '#src/core/gpu/gpu-engine.js';
import type { DispatchOptions } from '#src/core/gpu/session.js';
import { joinShaderFiles } from '#src/core/gpu/shader-source.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openDevice } from '#src/engine/gpu-process/open-device.js';
import { nodeHost, readShader } from '#src/engine/gpu-process/read-shader.js';
import { fusedContext } from './fused-device.ts';
import { roughHost } from './rough-device.ts';

let context: Promise<GpuContext> | undefined;

/** With TEST_GPU=fused the device has the freedoms of a GPU (fused-device.ts). */
async function openTestDevice(): Promise<GpuContext> {
  const opened = await openDevice({ allowSoftware: true });
  return process.env.TEST_GPU === 'fused' ? fusedContext(opened) : opened;
}

/** The device of this test process; opened once. */
export function openTestGpu(): Promise<GpuContext> {
  context ??= openTestDevice().catch(cause => {
    throw new Error(
      'No WebGPU adapter, so no shader test can run. Run the tests with `npm test`, which brings a software driver.',
      { cause },
    );
  });
  return context;
}

/** Dawn crashes when its instance is collected while a device is in use: referenced for the life of the process. */
const nullInstances: GPU[] = [];

/**
 * A device of Dawn's null backend that has compiled nothing: it validates modules and pipelines as every other backend does,
 * overrides and bindings included, and makes no machine code of them. What a run reads from it is arbitrary.
 */
export async function openFreshNullGpu(): Promise<GpuContext> {
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  const instance = create(['backend=null']);
  nullInstances.push(instance);
  const adapter = await instance.requestAdapter();
  if (adapter === null) throw new Error('Dawn has no null adapter.');
  return createGpuContext(await adapter.requestDevice(), { info: adapter.info, software: true });
}

let nullContext: Promise<GpuContext> | undefined;

/** The device of the null backend that the tests of this process share. */
export function openNullGpu(): Promise<GpuContext> {
  nullContext ??= openFreshNullGpu();
  return nullContext;
}

/** With TEST_GPU=rough every engine of the tests has rough functions. */
const usualHost = process.env.TEST_GPU === 'rough' ? roughHost : nodeHost;

/** An engine that has run nothing, on the device of this test process. The device is shared: closing it does nothing. */
export async function openFreshTestGpuEngine(dispatch: DispatchOptions = {}): Promise<GpuEngine> {
  return { ...createGpuEngine(await openTestGpu(), usualHost, dispatch), close: async () => {} };
}

/** An engine with rough functions; its pipelines are its own. */
export async function openRoughTestGpuEngine(): Promise<GpuEngine> {
  return { ...createGpuEngine({ ...(await openTestGpu()) }, roughHost), close: async () => {} };
}

const opened = new Map<string, Promise<GpuEngine>>();

/** The engine of the options, on the device of this test process: it compiles each kernel once. */
export function openTestGpuEngine(dispatch: DispatchOptions = {}): Promise<GpuEngine> {
  const options = JSON.stringify(dispatch);
  const engine = opened.get(options) ?? openFreshTestGpuEngine(dispatch);
  opened.set(options, engine);
  return engine;
}

/** Expects the same result from engines that split their runs in other ways. @param resultOf of a run, a trace or both */
export async function expectSameInSlices<T>(
  dispatches: readonly DispatchOptions[],
  resultOf: (engine: GpuEngine) => Promise<T>,
): Promise<void> {
  const whole = await resultOf(await openTestGpuEngine());
  for (const dispatch of dispatches)
    expect(await resultOf(await openTestGpuEngine(dispatch)), JSON.stringify(dispatch)).toEqual(whole);
}

/** Expects a large run to stop on an abort. The two plans take turns: with the outcome of the small one the large one is under way. */
export async function expectStopOnAbort(
  large: SimulationPlan,
  small: SimulationPlan,
  dispatch: DispatchOptions = { sliceMilliseconds: 5 },
): Promise<void> {
  const engine = await openTestGpuEngine(dispatch);
  const abort = new AbortController();
  const stopped = expect(engine.run(large, abort)).rejects.toThrow('stopped by the test');
  await engine.run(small);
  abort.abort(new Error('stopped by the test'));
  await stopped;
}

/**
 * Evaluates a WGSL expression of library functions on the device, once per group of four input words.
 *
 * @param files library files under shaders/
 * @param expression a vec4<u32> in terms of `input: vec4<u32>`
 * @param words input, a multiple of four
 * @param functions WGSL of further functions for the expression
 */
export async function evaluateOnGpu(
  files: readonly string[],
  expression: string,
  words: Uint32Array,
  functions = '',
): Promise<Uint32Array> {
  const { device } = await openTestGpu();
  const texts = await Promise.all(files.map(readShader));
  const main = `
    ${functions}
    @group(0) @binding(0) var<storage, read> source: array<vec4<u32>>;
    @group(0) @binding(1) var<storage, read_write> target_words: array<vec4<u32>>;
    @compute @workgroup_size(32)
    fn evaluate(@builtin(global_invocation_id) id: vec3<u32>) {
      if (id.x < arrayLength(&source)) {
        let input = source[id.x];
        target_words[id.x] = ${expression};
      }
    }`;
  const { code } = joinShaderFiles([
    ...files.map((name, i) => ({ name, text: texts[i] })),
    { name: 'test', text: main },
  ]);
  const { STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const buffer = (label: string, usage: number) =>
    device.createBuffer({ label: `test.${label}`, size: words.byteLength, usage });
  const source = buffer('source', STORAGE | COPY_DST);
  const target = buffer('target', STORAGE | COPY_SRC);
  const readback = buffer('readback', COPY_DST | MAP_READ);
  device.queue.writeBuffer(source, 0, words as Uint32Array<ArrayBuffer>);
  const pipeline = await device.createComputePipelineAsync({
    label: 'test',
    layout: 'auto',
    compute: { module: device.createShaderModule({ label: 'test', code }), entryPoint: 'evaluate' },
  });
  const encoder = device.createCommandEncoder({ label: 'test' });
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const entries = [source, target].map((resource, binding) => ({ binding, resource: { buffer: resource } }));
  pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }));
  pass.dispatchWorkgroups(Math.ceil(words.length / 4 / 32));
  pass.end();
  encoder.copyBufferToBuffer(target, 0, readback, 0, words.byteLength);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  const result = new Uint32Array(readback.getMappedRange().slice(0));
  for (const used of [source, target, readback]) used.destroy();
  (await openTestGpu()).check();
  return result;
}
