/** Bind groups, and the commands of compute pipelines. */
import type { CompiledKernel } from './pipelines.ts';

/** A bind group of whole buffers in the order of their bindings. */
export function bindGroup(
  device: GPUDevice,
  label: string,
  layout: GPUBindGroupLayout,
  buffers: readonly GPUBuffer[],
): GPUBindGroup {
  return device.createBindGroup({
    label,
    layout,
    entries: buffers.map((buffer, binding) => ({ binding, resource: { buffer } })),
  });
}

/** Bind groups 0 and 1. */
export type BindGroups = readonly [GPUBindGroup, GPUBindGroup];

/** One dispatch: workgroups in x and y. */
export interface Dispatch {
  readonly compiled: CompiledKernel;
  readonly groups: BindGroups;
  readonly workgroups: readonly [x: number, y: number];
}

/** The first bytes of a buffer. */
export type Bytes = readonly [buffer: GPUBuffer, bytes: number];

/** Work of one submission: buffers that are cleared, then dispatches, then a copy of the first bytes of a buffer. */
export interface DeviceWork {
  readonly name: string;
  readonly clears: readonly Bytes[];
  readonly dispatches: readonly Dispatch[];
  readonly copy: { readonly from: GPUBuffer; readonly to: GPUBuffer; readonly bytes: number };
}

/**
 * Encodes works that do not share a writable buffer: all clears, one pass of all dispatches, all copies. A driver separates commands of
 * different kinds, so works encoded one after another would run one after another.
 */
export function encodeTogether(device: GPUDevice, works: readonly DeviceWork[]): GPUCommandBuffer {
  const label = works.map(({ name }) => name).join(', ');
  const encoder = device.createCommandEncoder({ label });
  for (const [buffer, bytes] of works.flatMap(({ clears }) => clears)) encoder.clearBuffer(buffer, 0, bytes);
  const pass = encoder.beginComputePass({ label });
  for (const { compiled, groups, workgroups } of works.flatMap(({ dispatches }) => dispatches)) {
    pass.setPipeline(compiled.pipeline);
    pass.setBindGroup(0, groups[0]);
    pass.setBindGroup(1, groups[1]);
    pass.dispatchWorkgroups(...workgroups);
  }
  pass.end();
  for (const { copy } of works) encoder.copyBufferToBuffer(copy.from, 0, copy.to, 0, copy.bytes);
  return encoder.finish();
}
