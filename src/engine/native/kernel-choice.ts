/**
 * The SIMD kernel of a process, selected once at its start.
 *
 * Takes: the configuration, the kernels of the build, the features of the processor. Gives: the widest native kernel whose
 * paths equal WebAssembly's bit for bit, else WebAssembly.
 */
import type { Kernel } from '../../core/simd/kernel.ts';
import { firstDifference } from '../../core/simd/kernel-check.ts';
import type { Logger } from '../../host/log.ts';
import type { KernelName } from '../threads/thread-pool.ts';
import { loadKernel } from '../wasm/read-kernel.ts';
import { type NativeKernel, type NativeName, nativeKernels, openNativeKernel } from './native-kernels.ts';

/** `auto`: the widest native kernel with more lanes than WebAssembly; `0`: none; a name: that kernel. */
export type NativeWish = 'auto' | '0' | NativeName;

/** A kernel, and the lanes of its vectors. */
export interface SimdKernel {
  readonly kernel: KernelName;
  readonly lanes: number;
}

export const WASM_KERNEL: SimdKernel = { kernel: 'wasm', lanes: 4 };

/** The available kernels; tests replace them. */
export interface KernelSources {
  readonly natives: () => readonly NativeKernel[];
  readonly open: (name: NativeName) => Kernel;
}

const BUILT: KernelSources = { natives: () => nativeKernels(), open: name => openNativeKernel(name) };

/** What kernels are found to differ in; they do not change while a process runs. */
const differences = new WeakMap<KernelSources, Map<NativeName, string | undefined>>();

/** The first plan by which a kernel differs from WebAssembly; compared once. */
function differenceOf(name: NativeName, sources: KernelSources): string | undefined {
  const known = differences.get(sources) ?? new Map<NativeName, string | undefined>();
  differences.set(sources, known);
  if (!known.has(name)) known.set(name, firstDifference(loadKernel(), sources.open(name)));
  return known.get(name);
}

/** Selects a kernel; logs a warning where the configured kernel is missing or fails. */
export function chooseKernel(wish: NativeWish, log: Logger, sources: KernelSources = BUILT): SimdKernel {
  if (wish === '0') return WASM_KERNEL;
  try {
    const usable = sources.natives().filter(({ isSupported }) => isSupported);
    const [chosen] =
      wish === 'auto'
        ? usable.filter(({ lanes }) => lanes > WASM_KERNEL.lanes).sort((a, b) => b.lanes - a.lanes)
        : usable.filter(({ name }) => name === wish);
    if (chosen === undefined) {
      if (wish !== 'auto') log.warn({ native: wish }, 'no such native kernel here: WebAssembly serves');
      return WASM_KERNEL;
    }
    const { name, lanes } = chosen;
    const different = differenceOf(name, sources);
    if (different === undefined) return { kernel: name, lanes };
    log.warn({ native: name, plan: different }, 'the native kernel differs from WebAssembly, which serves');
  } catch (error) {
    log.warn({ err: error }, 'the native kernel cannot be used: WebAssembly serves');
  }
  return WASM_KERNEL;
}
