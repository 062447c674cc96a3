/**
 * Jobs for measuring processes: what is asked, what comes back, and how it is asked.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { EngineDescription } from '#src/core/engine.js';
import { type BenchEngine, engineNamed } from './engines.ts';
import type { Effort, Measurement } from './measure.ts';
import type { ColdKernel } from './measure-kernels.ts';
import type { Axis } from './plans.ts';

/** One question to one process. */
export type Job =
  | { readonly kind: 'describe'; readonly engine: string }
  /** The first run of every usual kernel, of `most` at most. */
  | { readonly kind: 'kernels'; readonly engine: string; readonly most: number }
  | {
      readonly kind: 'measure';
      readonly engine: string;
      readonly plan: string;
      readonly workgroupSize?: number;
      readonly effort: Effort;
    }
  | {
      readonly kind: 'measure';
      readonly engine: string;
      readonly axis: Axis;
      readonly size: number;
      readonly effort: Effort;
    };

/** What an adapter says of itself. */
export interface AdapterText {
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
}

/** What the process found. */
export type ChildAnswer =
  | {
      readonly kind: 'described';
      readonly description: EngineDescription;
      readonly adapter?: AdapterText;
      readonly features?: readonly string[];
      readonly limits?: Readonly<Record<string, number>>;
    }
  | {
      readonly kind: 'measured';
      readonly steps: number;
      readonly assets: number;
      readonly measurement: Measurement;
    }
  | { readonly kind: 'kernels'; readonly kernels: readonly ColdKernel[] }
  /** The engine does not run such a plan. */
  | { readonly kind: 'unsupported' }
  /** The answer is not what is known. */
  | { readonly kind: 'wrong'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

/** A process that has not answered by then has hung. A GPU needs some seconds: a kernel that hangs costs a first session a minute. */
const LONGEST_MILLISECONDS = { gpu: 60_000, other: 300_000 };

const entry = fileURLToPath(new URL('./child.js', import.meta.url));

/** An answer and the moment, in milliseconds since the epoch, at which its process was asked for. */
export interface Asked {
  readonly askedAt: number;
  readonly answer: ChildAnswer;
}

/** Starts a process, puts a job to it and waits for its end. */
export async function ask(job: Job): Promise<Asked> {
  const engine: BenchEngine = engineNamed(job.engine);
  let environment: Readonly<Record<string, string>>;
  try {
    environment = await engine.environment();
  } catch (error) {
    return { askedAt: Date.now(), answer: { kind: 'failed', message: (error as Error).message } };
  }
  const askedAt = Date.now();
  const child = fork(entry, [JSON.stringify(job)], {
    env: { ...process.env, ...environment },
    serialization: 'advanced',
    // Drivers write to standard output; the report is on it.
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const timer = setTimeout(
    () => child.kill('SIGKILL'),
    LONGEST_MILLISECONDS[engine.size === 'gpu' ? 'gpu' : 'other'],
  );
  let answer: ChildAnswer | undefined;
  child.on('message', message => {
    answer = message as ChildAnswer;
  });
  // A message can still be on its way when the process has ended, but not once the channel is closed.
  const [[code, signal]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  clearTimeout(timer);
  const message = `The measuring process ended with ${signal ?? `code ${code}`}.`;
  return { askedAt, answer: answer ?? { kind: 'failed', message } };
}
