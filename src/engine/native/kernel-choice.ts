/**
 * Which kernel the processor's engine runs: decided once, at the start of a process.
 *
 * Takes: the configuration, the kernels of the build, the features of the processor. Gives: the widest native kernel whose paths are those of
 * WebAssembly to the last bit, else WebAssembly.
 */
import type { Kernel } from '../../core/simd/kernel.ts';
import { firstDifference } from '../../core/simd/kernel-check.ts';
import type { Logger } from '../../log.ts';
import type { KernelName } from '../threads/thread-pool.ts';
import { loadKernel } from '../wasm/read-kernel.ts';
import { type NativeKernel, type NativeName, nativeKernels, openNativeKernel } from './native-kernels.ts';

/** `auto` takes the widest native kernel of more lanes than WebAssembly, `0` none, a name that one. */
export type NativeWish = 'auto' | '0' | NativeName;

/** A kernel, and the lanes of its vectors. */
export interface SimdKernel {
  readonly kernel: KernelName;
  readonly lanes: number;
}

export const WASM_KERNEL: SimdKernel = { kernel: 'wasm', lanes: 4 };

/** What the choice is made among; tests pass others. */
export interface KernelSources {
  readonly natives: () => readonly NativeKernel[];
  readonly open: (name: NativeName) => Kernel;
}

/** Chooses a kernel; what was wished and cannot be had, or fails, is a warning in the log. */
export function chooseKernel(
  wish: NativeWish,
  log: Logger,
  { natives, open }: KernelSources = { natives: () => nativeKernels(), open: name => openNativeKernel(name) },
): SimdKernel {
  if (wish === '0') return WASM_KERNEL;
  try {
    const usable = natives().filter(({ isSupported }) => isSupported);
    const [chosen] =
      wish === 'auto'
        ? usable.filter(({ lanes }) => lanes > WASM_KERNEL.lanes).sort((a, b) => b.lanes - a.lanes)
        : usable.filter(({ name }) => name === wish);
    if (chosen === undefined) {
      if (wish !== 'auto') log.warn({ native: wish }, 'no such native kernel here: WebAssembly serves');
      return WASM_KERNEL;
    }
    const { name, lanes } = chosen;
    const different = firstDifference(loadKernel(), open(name));
    if (different === undefined) return { kernel: name, lanes };
    log.warn({ native: name, plan: different }, 'the native kernel differs from WebAssembly, which serves');
  } catch (error) {
    log.warn({ err: error }, 'the native kernel cannot be used: WebAssembly serves');
  }
  return WASM_KERNEL;
}
