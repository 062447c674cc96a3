/** The engines of a worker: those of its CPU. */
import type { Logger } from '../log.ts';
import { openFastCpu } from './open-engine.ts';
import type { EngineKind, PartEngine } from './parts.ts';
import { cpuEngineOn } from './threads/cpu-engine.ts';
import { openThreadPool } from './threads/thread-pool.ts';

export interface PartEngines {
  readonly engines: ReadonlyMap<EngineKind, PartEngine>;
  close(): Promise<void>;
}

/** Opens what this host can do parts with. */
export async function openPartEngines(options: {
  readonly threads: number;
  readonly log: Logger;
}): Promise<PartEngines> {
  const { threads, log } = options;
  const pool = openThreadPool(threads);
  const cpu = cpuEngineOn(pool);
  const fastCpu = openFastCpu(pool, log);
  const engines = new Map<EngineKind, PartEngine>([['double', cpu]]);
  if (fastCpu !== undefined) engines.set('simd', fastCpu);
  return { engines, close: () => cpu.close() };
}
