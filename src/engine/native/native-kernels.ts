/**
 * The kernel of kernel/ compiled for the vectors of the processor, if the build had a C compiler (kernel/build-native.mjs).
 *
 * Takes: the library next to the compiled program. Gives: instances for the calling thread. Must not know: plans, which kernel
 * is used.
 */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Kernel, type KernelExports } from '../../core/simd/kernel.ts';
import type { KernelName } from '../threads/thread-pool.ts';

/** The kernels by their instructions: 4 lanes by SSE 4.1 and NEON, 8 by AVX2, 16 by AVX-512. */
export type NativeName = Exclude<KernelName, 'wasm'>;

export interface NativeKernel {
  readonly name: NativeName;
  /** Lanes of its vectors. */
  readonly lanes: number;
  /** Whether this processor has its instructions. */
  readonly isSupported: boolean;
}

/** An instance of kernel/native/module.c: the exports of kernel/kernel.ts, with two functions instead of a memory. */
interface NativeInstance extends Omit<KernelExports, 'memory'> {
  memory(): ArrayBuffer;
  grow(pages: number, former: ArrayBuffer): ArrayBuffer;
}

interface Library {
  readonly kernels: readonly NativeKernel[];
  open(name: NativeName): NativeInstance;
}

const FILE = fileURLToPath(new URL(`./${process.platform}-${process.arch}.node`, import.meta.url));

/** @throws Error where there is no library, or the system cannot load it */
function library(file: string): Library {
  return createRequire(import.meta.url)(file) as Library;
}

/** The kernels of the library, by width; empty where the build had no compiler. @throws Error where the system cannot load it */
export function nativeKernels(file = FILE): readonly NativeKernel[] {
  return existsSync(file) ? library(file).kernels : [];
}

/** An instance of a kernel for this thread. @throws Error if the kernel does not exist, or this processor cannot run it */
export function openNativeKernel(name: NativeName, file = FILE): Kernel {
  const native = library(file);
  const instance = native.open(name);
  const lanes = native.kernels.find(kernel => kernel.name === name)?.lanes ?? 0;
  return new Kernel({ ...instance, memory: new NativeMemory(instance) }, lanes);
}

/** The memory of an instance with the interface of a WebAssembly memory. */
class NativeMemory {
  buffer: ArrayBuffer;

  constructor(private readonly instance: NativeInstance) {
    this.buffer = instance.memory();
  }

  grow(pages: number): void {
    this.buffer = this.instance.grow(pages, this.buffer);
  }
}
