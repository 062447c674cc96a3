/** The kernel of wasm/ as the build leaves it, compiled once per thread. */
import { readFileSync } from 'node:fs';
import { compileKernel, Kernel } from '../../core/simd/kernel.ts';

/**
 * Compiles the kernel.
 * @throws Error if it was not built, or if this processor has no SIMD that WebAssembly can use
 */
export function readKernel(): object {
  return compileKernel(readFileSync(new URL('./kernel.wasm', import.meta.url)));
}

let loaded: Kernel | undefined;

/** This thread's instance of the kernel. */
export function loadKernel(): Kernel {
  loaded ??= new Kernel(readKernel());
  return loaded;
}
