/** Compiles kernels, once each: the key of the cache is the joined text with the overrides. */
import { messageOf, RiskError } from '../errors.ts';
import type { GpuContext } from './gpu-context.ts';
import type { Kernel } from './kernels.ts';
import { joinShaderFiles, type LoadShader, type ShaderSource } from './shader-source.ts';

/** A compiled kernel. */
export interface CompiledKernel<K extends Kernel = Kernel> {
  readonly kernel: K;
  /** Identifies text and overrides: equal keys are the same pipeline. */
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
  /** @throws RiskError `engine-failed` with every compiler message as file and line in its cause */
  get<K extends Kernel>(kernel: K, overrides: Overrides): Promise<CompiledKernel<K>>;
}

/** Bindings of group 0 of a simulation kernel, in the order of kernel/bindings.wgsl. */
const SIMULATION_BINDINGS: readonly GPUBufferBindingType[] = [
  'uniform',
  'uniform',
  'storage',
  'storage',
  'storage',
  'read-only-storage',
];

export function createPipelineCache({ device }: GpuContext, loadShader: LoadShader): PipelineCache {
  const sources = new Map<string, Promise<ShaderSource>>();
  // By joined text, then by entry point and overrides: the texts are joined once.
  const pipelines = new WeakMap<ShaderSource, Map<string, Promise<CompiledKernel>>>();
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

  const source = (kernel: Kernel) =>
    remember(sources, kernel.files.join('\n'), async () => {
      const texts = await Promise.all(kernel.files.map(loadShader));
      return joinShaderFiles(kernel.files.map((name, i) => ({ name, text: texts[i] })));
    });

  const compile = async (
    kernel: Kernel,
    { code, origin }: ShaderSource,
    overrides: Overrides,
    key: string,
  ) => {
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
    async get<K extends Kernel>(kernel: K, overrides: Overrides) {
      const joined = await source(kernel);
      const variant = `${kernel.entryPoint} ${JSON.stringify(Object.entries(overrides).sort())}`;
      const ofText = pipelines.get(joined) ?? new Map<string, Promise<CompiledKernel>>();
      pipelines.set(joined, ofText);
      const compiled = await remember(ofText, variant, () =>
        compile(kernel, joined, overrides, `${joined.code}\n${variant}`),
      );
      return { ...compiled, kernel };
    },
  };
}

function kernelError(kernel: Kernel, details: string): RiskError {
  const cause = new Error(`Kernel "${kernel.name}" does not compile:\n${details}`);
  return new RiskError('engine-failed', 'A GPU kernel could not be built.', { cause });
}

/** The stored value of a key, or a new one; failures are not stored. */
function remember<T>(map: Map<string, Promise<T>>, key: string, make: () => Promise<T>): Promise<T> {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
    value.catch(() => map.delete(key));
  }
  return value;
}
