/** Names of what a fleet keeps in its store, and of its queues. */
import type { EngineKind } from '../engine/parts.ts';

/** The list of workers that are alive. */
export const WORKERS = 'workers';
export const workerName = (id: string) => `worker:${id}`;
export const planName = (hash: string) => `plan:${hash}`;
/** Kept alive by the front end of a run; workers drop the parts of a run without one. */
export const leaseName = (run: string) => `lease:${run}`;
export const partName = (job: string) => `part:${job}`;
export const replyName = (job: string) => `reply:${job}`;

/** The queue of the parts for an engine: versions do not mix, since their figures may differ. */
export const partQueue = (engine: EngineKind, version: string) => `parts-${engine}-${version}`;
