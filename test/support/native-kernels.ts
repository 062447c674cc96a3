/** Native kernels of every width: those of the build that this processor has, and 16 lanes made of vectors of AVX2. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kernel } from '#src/core/simd/kernel.js';
import { nativeKernels, openNativeKernel } from '#src/engine/native/native-kernels.js';

const root = join(import.meta.dirname, '../..');
const WIDE = join(root, 'build/native', process.arch, 'avx512.c');

/** The names of the kernels of the build that run here; none where it had no compiler. */
export const NATIVE_HERE = nativeKernels()
  .filter(({ isSupported }) => isSupported)
  .map(({ name }) => name);

const here = (name: string) => NATIVE_HERE.some(each => each === name);
/** Whether 16 lanes have to be made of vectors of 8: the processor has AVX2, and not AVX-512. */
export const MAKES_WIDE = here('avx2') && !here('avx512') && existsSync(WIDE);

/** 16 lanes as pairs of vectors of AVX2, compiled from the C of the AVX-512 kernel; it takes the compiler some seconds. */
export function makeWideKernel(): Kernel {
  const folder = mkdtempSync(join(tmpdir(), 'wide-kernel-'));
  const list = join(folder, 'kernels.c');
  writeFileSync(
    list,
    `#include "kernel.h"
extern const struct kernel kernel_avx512;
const struct kernel* const all_kernels[] = {&kernel_avx512};
const size_t kernel_count = 1;
`,
  );
  const library = join(folder, 'wide.node');
  const headers = ['kernel/native', 'node_modules/node-api-headers/include'].map(
    path => `-I${join(root, path)}`,
  );
  const exact = ['-ffp-contract=off', '-fno-strict-aliasing'];
  const options = ['-std=gnu11', '-O1', '-w', '-shared', '-fPIC', '-pthread', '-mavx2', '-DLANES=16'];
  execFileSync(
    process.env.CC ?? 'cc',
    [
      ...options,
      '-DANY_PROCESSOR',
      '-DNDEBUG',
      ...exact,
      ...headers,
      '-o',
      library,
      WIDE,
      list,
      join(root, 'kernel/native/module.c'),
      '-lm',
    ],
    { stdio: 'pipe' },
  );
  return openNativeKernel('avx512', library);
}
