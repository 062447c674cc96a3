/** Bind groups and dispatches of compute pipelines. */
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

/** Encodes one dispatch of workgroups in x and y in a compute pass of its own. */
export function encodeDispatch(
  encoder: GPUCommandEncoder,
  { kernel, pipeline }: CompiledKernel,
  groups: BindGroups,
  [x, y]: readonly [number, number],
): void {
  const pass = encoder.beginComputePass({ label: kernel.name });
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, groups[0]);
  pass.setBindGroup(1, groups[1]);
  pass.dispatchWorkgroups(x, y);
  pass.end();
}
