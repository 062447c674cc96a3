/** Bind groups and dispatches of compute pipelines. */
import type { CompiledKernel } from './pipelines.ts';

/** A bind group of buffers, or parts of buffers, in the order of their bindings. */
export function bindGroup(
  device: GPUDevice,
  label: string,
  layout: GPUBindGroupLayout,
  buffers: readonly (GPUBuffer | GPUBufferBinding)[],
): GPUBindGroup {
  return device.createBindGroup({
    label,
    layout,
    entries: buffers.map((buffer, binding) => ({
      binding,
      resource: 'buffer' in buffer ? buffer : { buffer },
    })),
  });
}

/** Bind groups 0 and 1. */
export type BindGroups = readonly [GPUBindGroup, GPUBindGroup];

/**
 * Encodes one dispatch in a compute pass of its own.
 *
 * @param workgroups in x and y
 * @param offsets dynamic offsets of bind group 0, in bytes
 */
export function encodeDispatch(
  encoder: GPUCommandEncoder,
  { kernel, pipeline }: CompiledKernel,
  groups: BindGroups,
  [x, y]: readonly [number, number],
  offsets: readonly number[] = [],
): void {
  const pass = encoder.beginComputePass({ label: kernel.name });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, groups[0], offsets);
  pass.setBindGroup(1, groups[1]);
  pass.dispatchWorkgroups(x, y);
  pass.end();
}
