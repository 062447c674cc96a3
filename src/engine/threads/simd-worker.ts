/** The worker thread of the SIMD engine. It keeps nothing between tasks but the compiled kernel. */
import { SIMD_GROUPS } from '../../core/simd/book.ts';
import type { Kernel } from '../../core/simd/kernel.ts';
import { runSimdRange, simdBookOf, simdHorizons } from '../../core/simd/products.ts';
import { openNativeKernel } from '../native/native-kernels.ts';
import { loadKernel } from '../wasm/read-kernel.ts';
import { type PathRunner, type Task, type TaskAnswers, workOn } from './tasks.ts';
import { kernelOfThread } from './thread-pool.ts';

let runner: PathRunner | undefined;

/** The paths of a kernel. */
function pathsBy(kernel: Kernel): PathRunner {
  return {
    run: (plan, range, records, tally) => runSimdRange(kernel, plan, range, records, tally),
    horizons: (plan, horizons) => simdHorizons(kernel, plan, horizons),
    book: (plan, book, draws) => simdBookOf(kernel, plan, book, draws),
    bookGroups: SIMD_GROUPS,
  };
}

/** The paths of this thread's instance of the kernel that its pool has. */
function runnerOfThread(): PathRunner {
  const name = kernelOfThread();
  runner ??= pathsBy(name === 'wasm' ? loadKernel() : openNativeKernel(name));
  return runner;
}

export default function work(task: Task): TaskAnswers[Task['kind']] {
  return workOn(task, runnerOfThread());
}
