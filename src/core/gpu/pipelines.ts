/** Compiles kernels, once each: the key of the cache is the list of files with the overrides. */
import { unlessAborted } from '../async.ts';
import { messageOf, RiskError } from '../errors.ts';
import type { GpuContext } from './gpu-context.ts';
import type { Kernel } from './kernels.ts';
import { joinShaderFiles, type LoadShader } from './shader-source.ts';

/** A compiled kernel. */
export interface CompiledKernel<K extends Kernel = Kernel> {
  readonly kernel: K;
  /** Files, entry point and overrides: equal keys are the same pipeline. */
  readonly key: string;
  readonly pipeline: GPUComputePipeline;
  /** Layout of group 0. */
  readonly sharedLayout: GPUBindGroupLayout;
  /** Layout of group 1. */
  readonly ownLayout: GPUBindGroupLayout;
}

/** Values of exactly the overrides that the files declare, by name. */
export type Overrides = Readonly<Record<string, number>>;

export interface PipelineCache {
  /**
   * The kernel, which is compiled at its first use. An abort ends the wait, not the compilation, which the next run of the kernel finds.
   *
   * @throws RiskError `engine-failed` with every compiler message as file and line in its cause; the signal's reason
   */
  get<K extends Kernel>(kernel: K, overrides: Overrides, signal?: AbortSignal): Promise<CompiledKernel<K>>;
}

/** Bindings of a simulation kernel's group 0, in the order of kernel/bindings.wgsl. */
export const SIMULATION_BINDINGS: readonly GPUBufferBindingType[] = [
  'uniform',
  'uniform',
  'storage',
  'storage',
  'storage',
  'read-only-storage',
];

export function createPipelineCache({ device }: GpuContext, loadShader: LoadShader): PipelineCache {
  const pipelines = new Map<string, Promise<CompiledKernel>>();
  const layout = (label: string, types: readonly GPUBufferBindingType[]) =>
    device.createBindGroupLayout({
      label,
      entries: types.map((type, binding) => ({
        binding,
        visibility: GPUShaderStage.COMPUTE,
        buffer: { type },
      })),
    });
  const sharedLayouts = {
    simulation: layout('shared.simulation', SIMULATION_BINDINGS),
    none: layout('shared.none', []),
  };

  const compile = async (kernel: Kernel, overrides: Overrides, key: string): Promise<CompiledKernel> => {
    const texts = await Promise.all(kernel.files.map(loadShader));
    const { code, origin } = joinShaderFiles(kernel.files.map((name, i) => ({ name, text: texts[i] })));
    // Error scopes are a stack of the device: popped in the same turn of the event loop.
    device.pushErrorScope('validation');
    const module = device.createShaderModule({ label: kernel.name, code });
    const moduleError = device.popErrorScope();
    const { messages } = await module.getCompilationInfo();
    const errors = messages.filter(message => message.type === 'error');
    if ((await moduleError) !== null) {
      const lines = errors.map(error => `${origin(error.lineNum)}:${error.linePos}: ${error.message}`);
      throw kernelError(kernel, lines.join('\n'));
    }
    const ownLayout = layout(`${kernel.name}.own`, kernel.bindings);
    const sharedLayout = sharedLayouts[kernel.shared];
    try {
      const pipeline = await device.createComputePipelineAsync({
        label: kernel.name,
        layout: device.createPipelineLayout({
          label: kernel.name,
          bindGroupLayouts: [sharedLayout, ownLayout],
        }),
        compute: { module, entryPoint: kernel.entryPoint, constants: { ...overrides } },
      });
      return { kernel, key, pipeline, sharedLayout, ownLayout };
    } catch (error) {
      throw kernelError(kernel, messageOf(error));
    }
  };

  return {
    async get<K extends Kernel>(kernel: K, overrides: Overrides, signal?: AbortSignal) {
      const constants = Object.entries(overrides).sort().flat();
      const key = [...kernel.files, kernel.entryPoint, ...constants].join(' ');
      let compiled = pipelines.get(key);
      if (compiled === undefined) {
        compiled = compile(kernel, overrides, key);
        pipelines.set(key, compiled);
        // Failures are not stored.
        compiled.catch(() => pipelines.delete(key));
      }
      return { ...(await unlessAborted(compiled, signal)), kernel };
    },
  };
}

function kernelError(kernel: Kernel, details: string): RiskError {
  const cause = new Error(`Kernel "${kernel.name}" does not compile:\n${details}`);
  return new RiskError('engine-failed', 'A GPU kernel could not be built.', { cause });
}
