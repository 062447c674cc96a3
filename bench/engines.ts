/**
 * The engines of the bench: one row each, opened in a process of its own.
 *
 * Takes: nothing but the machine. Gives: names, the environment a process must have, and how to open the engine there.
 */
import { availableParallelism } from 'node:os';
import type { Engine } from '#src/core/engine.js';
import { createGpuEngine } from '#src/core/gpu/gpu-engine.js';
import { openGpuProcessEngine } from '#src/engine/gpu-process/gpu-process-engine.js';
import { openDevice } from '#src/engine/gpu-process/open-device.js';
import { nodeHost } from '#src/engine/gpu-process/read-shader.js';
import { softwareGpuEnvironment } from '#src/engine/gpu-process/software-gpu.js';
import { type NativeKernel, nativeKernels } from '#src/engine/native/native-kernels.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { KERNELS, openThreadPool } from '#src/engine/threads/thread-pool.js';
import { createLogger } from '#src/host/log.js';
import type { SizeClass } from './bench-plan.ts';
import { attachKernelClock, type KernelClock } from './kernel-clock.ts';

/** An engine in this process. */
export interface OpenEngine {
  readonly engine: Engine;
  /** Only where the device is in this process. */
  readonly clock?: KernelClock;
  readonly device?: GPUDevice;
}

/** A row of the table. */
export interface BenchEngine {
  readonly name: string;
  /** One line for the report. */
  readonly what: string;
  readonly size: SizeClass;
  /** Worker threads; undefined where the work is done on a GPU. */
  readonly threads: number | undefined;
  /** Variables that must be set before the process starts. */
  environment(): Promise<Readonly<Record<string, string>>>;
  /** @param workgroupSize invocations per workgroup, for a device in this process; the engine's own choice unless given */
  open(workgroupSize?: number): Promise<OpenEngine>;
}

const noEnvironment = async () => ({});

function cpuEngine(threads: number): BenchEngine {
  return {
    name: `cpu-${threads}`,
    what: `TypeScript, double precision, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    size: 'cpu',
    threads,
    environment: noEnvironment,
    open: async () => ({ engine: openReferenceEngine({ threads }) }),
  };
}

function wasmEngine(threads: number): BenchEngine {
  return {
    name: `wasm-${threads}`,
    what: `WebAssembly SIMD, single precision, ${threads} ${threads === 1 ? 'thread' : 'threads'}`,
    size: 'cpu',
    threads,
    environment: noEnvironment,
    open: async () => ({ engine: openSimdThreads(openThreadPool(threads)) }),
  };
}

/** A native kernel that this machine runs; the engine of WebAssembly in all else. */
function nativeEngine({ name, lanes }: NativeKernel, threads: number): BenchEngine {
  return {
    name: `${name}-${threads}`,
    what: `${KERNELS[name]}, single precision, ${threads} ${threads === 1 ? 'thread' : 'threads'}; ${lanes / 4} times the lanes of WebAssembly`,
    size: 'cpu',
    threads,
    environment: noEnvironment,
    open: async () => ({ engine: openSimdThreads(openThreadPool(threads, name)) }),
  };
}

/** Native kernels of more lanes than WebAssembly, which the server prefers, and of as many for comparison. */
const NATIVES = nativeKernels().filter(({ isSupported }) => isSupported);

/** One thread, and one per processor. */
const THREADS = [...new Set([1, availableParallelism()])];

/** The device in the measuring process itself, with the kernel clock on it. */
async function openGpuHere(allowSoftware: boolean, workgroupSize?: number): Promise<OpenEngine> {
  const context = await openDevice({ allowSoftware, exactTimestamps: true });
  const clock = context.device.features.has('timestamp-query')
    ? { clock: attachKernelClock(context.device) }
    : {};
  const dispatch = workgroupSize === undefined ? {} : { workgroupSize };
  return { engine: createGpuEngine(context, nodeHost, dispatch), device: context.device, ...clock };
}

/** The GPU as the server has it: in a process of its own. */
async function openGpuServed(software: boolean): Promise<OpenEngine> {
  return { engine: await openGpuProcessEngine({ software, log: createLogger('silent') }) };
}

const gpu = { size: 'gpu', threads: undefined } as const;
const software = { size: 'software', threads: undefined } as const;

/** Every engine, whether this machine has it or not; opening says. */
export const ENGINES: readonly BenchEngine[] = [
  ...THREADS.map(cpuEngine),
  ...THREADS.map(wasmEngine),
  ...NATIVES.flatMap(kernel => THREADS.map(threads => nativeEngine(kernel, threads))),
  {
    ...gpu,
    name: 'gpu',
    what: 'WGSL through Dawn, single precision, device in the measuring process',
    environment: noEnvironment,
    open: size => openGpuHere(false, size),
  },
  {
    ...gpu,
    name: 'gpu-served',
    what: 'the same with the device in a process of its own, as the server has it',
    environment: noEnvironment,
    open: () => openGpuServed(false),
  },
  {
    ...software,
    name: 'gpu-software',
    what: 'the same on a software driver: a test device, not a GPU',
    environment: softwareGpuEnvironment,
    open: size => openGpuHere(true, size),
  },
];

/** The engine of a name. @throws RangeError where there is none */
export function engineNamed(name: string): BenchEngine {
  const engine = ENGINES.find(each => each.name === name);
  if (engine !== undefined) return engine;
  throw new RangeError(
    `There is no engine "${name}"; there are ${ENGINES.map(each => each.name).join(', ')}.`,
  );
}
