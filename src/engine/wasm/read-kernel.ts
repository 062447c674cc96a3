/** The kernel of kernel/ from the output of the build. */
import { readFileSync } from 'node:fs';
import { compileKernel, instantiateKernel, type Kernel } from '../../core/simd/kernel.ts';

/**
 * Compiles the kernel, once per thread.
 * @throws Error if it was not built, or if this processor has no SIMD for WebAssembly
 */
export function readKernel(): object {
  compiled ??= compileKernel(readFileSync(new URL('./kernel.wasm', import.meta.url)));
  return compiled;
}

let compiled: object | undefined;

let loaded: Kernel | undefined;

/** This thread's instance of the kernel. */
export function loadKernel(): Kernel {
  loaded ??= instantiateKernel(readKernel());
  return loaded;
}
