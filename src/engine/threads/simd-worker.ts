/** The worker thread of the SIMD engine. Its only state is the compiled kernel. */
import type { PathMaker } from '../../core/run-paths.ts';
import { kernelPaths } from '../../core/simd/products.ts';
import { openNativeKernel } from '../native/native-kernels.ts';
import { loadKernel } from '../wasm/read-kernel.ts';
import { type Task, type Worked, workOn } from './tasks.ts';
import { kernelOfThread } from './thread-pool.ts';

let paths: PathMaker | undefined;

/** The paths of the kernel of this thread. */
function pathsOfThread(): PathMaker {
  const name = kernelOfThread();
  paths ??= kernelPaths(name === 'wasm' ? loadKernel() : openNativeKernel(name));
  return paths;
}

export default function work(task: Task): Worked {
  return workOn(task, pathsOfThread());
}
