/**
 * Child process of bench/shaders/main.ts: compiles kernels on the driver of its environment, one after another.
 *
 * Writes a line `@@ NUMBER WORKGROUP` to standard output and to standard error before each variant; after it come SPIR-V from Dawn on the
 * first, figures of the driver on the second.
 */
import { writeSync } from 'node:fs';
import type { SimulationKernel } from '#src/core/gpu/kernels.js';
import { createPipelineCache } from '#src/core/gpu/pipelines.js';
import { workgroupSizeOf } from '#src/core/gpu/session.js';
import { openDevice } from '#src/engine/gpu-process/open-device.js';
import { readShader } from '#src/engine/gpu-process/read-shader.js';
import { chosenVariants } from './variants.ts';

const { all, only } = JSON.parse(process.argv[2]) as { all: boolean; only: readonly string[] };
const context = await openDevice({ allowSoftware: true, dumpShaders: true });
/** Workgroup memory of NVIDIA GPUs under Vulkan, which CUDA has without a request, too: less than RADV offers, so both compile one size. */
const WORKGROUP_BYTES = 48 * 1024;
const limits = { maxComputeWorkgroupStorageSize: WORKGROUP_BYTES };
const choice = { context: { device: { limits } }, dispatch: context };
const pipelines = createPipelineCache(context, readShader);
void context.failure.then(({ message, cause }) => {
  writeSync(2, `${message} ${cause instanceof Error ? cause.message : ''}\n`);
  process.exit(1);
});
writeSync(2, `@@ device ${context.description.device}\n`);
for (const [number, { kernel, assets }] of chosenVariants(all, only).entries()) {
  const simulation = kernel.shared === 'simulation';
  const workgroup = simulation ? workgroupSizeOf(choice, kernel as SimulationKernel) : context.workgroupSize;
  for (const stream of [1, 2]) writeSync(stream, `\n@@ ${number} ${workgroup}\n`);
  await pipelines.get(kernel, {
    workgroup_size: workgroup,
    ...(simulation ? { ...(kernel as SimulationKernel).program.overrides, assets, trace: 0 } : {}),
  });
}
process.exit(0);
