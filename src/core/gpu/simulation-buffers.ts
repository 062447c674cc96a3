/**
 * The buffers and bind groups of one simulation run, pooled by kernel so that a request allocates nothing.
 *
 * A set belongs to one run at a time. The next run may acquire it while the device still reads it: the queue is first in, first out.
 */

import { type BindGroups, bindGroup } from './compute-pass.ts';
import type { SimulationKernel } from './kernels.ts';
import type { CompiledKernel as Compiled } from './pipelines.ts';
import { SLICES_IN_FLIGHT } from './slices.ts';
import { SLICE, uniformBytes } from './struct-layout.ts';

type CompiledKernel = Compiled<SimulationKernel>;

/** A buffer for a binding that a kernel does not use. */
const UNUSED_BYTES = 16;

/** Buffers of one run; their sizes depend on the kernel only. */
interface SimulationBuffers {
  /** Each slice overwrites the one before it: the queue writes after what was submitted before. */
  readonly slice: GPUBuffer;
  readonly market: GPUBuffer;
  readonly terms: GPUBuffer;
  readonly sums: GPUBuffer;
  readonly readback: GPUBuffer;
  /** For bindings that a run does not use; its own, so that dispatches of one pass share no writable buffer. */
  readonly noState: GPUBuffer;
  readonly noRecords: GPUBuffer;
  /** Mappable buffers of 4 bytes, each mapped at the end of a slice. */
  readonly fences: readonly GPUBuffer[];
}

/** A pooled set: its buffers, and its bind groups if they are the same in every run. */
export interface PooledSet {
  readonly buffers: SimulationBuffers;
  readonly groups: BindGroups | undefined;
}

/** Buffers of a run beside the set's buffers; unused bindings receive a small buffer. */
interface RunBindings {
  readonly pathState?: GPUBuffer | undefined;
  readonly records?: GPUBuffer | undefined;
  readonly tables?: GPUBuffer | undefined;
  /** Bindings of group 1 after the terms. */
  readonly own?: readonly GPUBuffer[];
}

export function createSimulationBufferPool(device: GPUDevice) {
  const free = new Map<string, PooledSet[]>();
  const { UNIFORM, STORAGE, COPY_DST, COPY_SRC, MAP_READ } = GPUBufferUsage;
  const unusedBuffer = (field: string) =>
    device.createBuffer({ label: `unused.${field}`, size: UNUSED_BYTES, usage: STORAGE });
  const noTables = unusedBuffer('tables');

  /** Bind groups of a set with the buffers of a run. */
  const bind = (compiled: CompiledKernel, buffers: SimulationBuffers, run: RunBindings): BindGroups => {
    const { name } = compiled.kernel;
    return [
      bindGroup(device, `${name}.shared`, compiled.sharedLayout, [
        buffers.slice,
        buffers.market,
        buffers.sums,
        run.pathState ?? buffers.noState,
        run.records ?? buffers.noRecords,
        run.tables ?? noTables,
      ]),
      bindGroup(device, `${name}.own`, compiled.ownLayout, [buffers.terms, ...(run.own ?? [])]),
    ];
  };

  const create = (compiled: CompiledKernel): PooledSet => {
    const { name, bindings, program, market, sumWords } = compiled.kernel;
    const buffer = (field: string, size: number, usage: GPUBufferUsageFlags) =>
      device.createBuffer({ label: `${name}.${field}`, size, usage });
    const buffers: SimulationBuffers = {
      slice: buffer('slice', uniformBytes(SLICE), UNIFORM | COPY_DST),
      market: buffer('market', uniformBytes(market.parameters), UNIFORM | COPY_DST),
      terms: buffer('terms', uniformBytes(program.terms), UNIFORM | COPY_DST),
      sums: buffer('sums', 4 * sumWords, STORAGE | COPY_SRC | COPY_DST),
      readback: buffer('readback', 4 * sumWords, MAP_READ | COPY_DST),
      noState: unusedBuffer('state'),
      noRecords: unusedBuffer('records'),
      fences: Array.from({ length: SLICES_IN_FLIGHT }, (_, i) =>
        buffer(`fence.${i}`, 4, MAP_READ | COPY_DST),
      ),
    };
    // A kernel with tables, or with further bindings of its own, needs new bind groups for every run.
    const same = bindings.length === 1 && market.tables === undefined;
    return { buffers, groups: same ? bind(compiled, buffers, {}) : undefined };
  };

  return {
    acquire: (compiled: CompiledKernel): PooledSet => free.get(compiled.key)?.pop() ?? create(compiled),
    release(compiled: CompiledKernel, set: PooledSet): void {
      const list = free.get(compiled.key);
      if (list === undefined) free.set(compiled.key, [set]);
      else list.push(set);
    },
    bind,
  };
}
