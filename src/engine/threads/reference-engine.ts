/** The reference: paths of the processor in double precision, of every product under every model. */
import { CpuEngine, type CpuEngineKind, type ThreadEngine } from './cpu-engine.ts';
import { openThreadPool, type ThreadPool } from './thread-pool.ts';

export interface ReferenceEngineOptions {
  /** Worker threads, 1 or more. */
  readonly threads: number;
}

const REFERENCE: CpuEngineKind = {
  worker: new URL('./reference-worker.js', import.meta.url),
  workPerRange: 2 ** 23,
  device: pool => pool.device,
  supports: () => true,
  requireRuns() {},
};

/** Opens the reference on its own threads, for tests and benches; the engines of a server share their threads. */
export function openReferenceEngine(options: ReferenceEngineOptions): ThreadEngine {
  return referenceEngineOn(openThreadPool(options.threads));
}

/** The reference on threads that it may share with others; `close` closes the threads, too. */
export function referenceEngineOn(pool: ThreadPool): ThreadEngine {
  return new CpuEngine(pool, REFERENCE);
}
