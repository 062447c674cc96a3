/** Names of a fleet's store entries, engines and queues. */

import { createHash } from 'node:crypto';
import type { EngineKind } from '../core/engine.ts';
import type { PartEngine } from '../engine/parts.ts';

/** The list of workers that are alive. */
export const WORKERS = 'workers';
/** Written periodically by every server, to find out whether the store takes writes. */
export const WRITE_TRIAL = 'write-trial';
export const workerName = (id: string) => `worker:${id}`;
export const planName = (hash: string) => `plan:${hash}`;
/** The lease of a run, which its server renews; workers drop the parts of a run without one. */
export const leaseName = (run: string) => `lease:${run}`;
/** The number of threads by which the parts of a run are cut. */
export const threadsName = (run: string, engine: string) => `threads:${run}:${engine}`;
export const partName = (job: string) => `part:${job}`;
export const replyName = (job: string) => `reply:${job}`;

/** An engine as workers announce it: its kind, and the device where figures depend on it, since drivers round differently. */
export function engineName(kind: EngineKind, { figuresOf }: Pick<PartEngine, 'figuresOf'>): string {
  if (figuresOf === undefined) return kind;
  return `${kind}-${createHash('sha256').update(figuresOf).digest('hex').slice(0, 12)}`;
}

/**
 * The beginning of the names of parts: the same only for the same parts of the same plan, engine and version. Another server may cut
 * the plan of a run otherwise (cut-threads.ts): answers to other parts must not count for its parts.
 *
 * @param packed the parts as bytes, in their order
 */
export function partsName(run: string, ofRun: readonly string[], packed: readonly Uint8Array[]): string {
  const hash = createHash('sha256').update(JSON.stringify(ofRun));
  for (const bytes of packed) hash.update(createHash('sha256').update(bytes).digest());
  // The id of a job must not contain a colon.
  return `${run}.${hash.digest('hex').slice(0, 12)}`;
}

/** The queue of the parts for an engine: versions do not mix, since their figures may differ. */
export const partQueue = (engine: string, version: string) => `parts-${engine}-${version}`;
