/**
 * Measures one plan on one engine, in this process: answer first, then time.
 *
 * Takes: an open engine and how long to measure. Gives: times of three clocks, memory, event-loop delay. Throws
 * instead of giving a time whose answer is wrong. Must not know: other processes, the report.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import type { EngineDescription } from '#src/core/engine.js';
import type { Product } from '#src/core/plan/simulation-plan.js';
import type { BenchPlan, FinishedRun } from './bench-plan.ts';
import type { OpenEngine } from './engines.ts';
import { type Comparison, refuseWrongAnswers } from './judge.ts';
import type { KernelTime } from './kernel-clock.ts';
import { median } from './statistics.ts';

/** How much to measure. */
export interface Effort {
  readonly paths: number;
  /** Of the first run; each further run takes the next. */
  readonly seed: number;
  /** Runs that are not timed: a just-in-time compiler needs some. */
  readonly warmUpRuns: number;
  readonly leastRuns: number;
  readonly leastMilliseconds: number;
}

/** Beyond what an idle event loop shows, milliseconds. */
export interface LoopDelay {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** What one process found. */
export interface Measurement {
  readonly engine: EngineDescription;
  /** Milliseconds since the epoch at which the first answer was there. */
  readonly firstAnswerAt: number;
  /** Median of the timed runs, from call to answer. */
  readonly runMilliseconds: number;
  readonly timedRuns: number;
  /** Median over the timed runs of the time of all kernels, by the device's own clock. */
  readonly kernelMilliseconds?: number;
  /** Kernels of the last run. */
  readonly kernels?: readonly KernelTime[];
  readonly loopDelay: LoopDelay;
  /** Of this process, its threads included. */
  readonly peakMemoryBytes: number;
  readonly comparisons: readonly Comparison[];
}

const NANOSECONDS_PER_MILLISECOND = 1e6;
const BYTES_PER_KIBIBYTE = 1024;
const LOOP_RESOLUTION_MILLISECONDS = 1;

/**
 * Runs a plan with growing seeds, judges all answers together, and gives the times.
 *
 * @throws WrongAnswer where the answers are not what is known
 */
export async function measure<P extends Product>(
  { engine, clock }: OpenEngine,
  bench: BenchPlan<P>,
  effort: Effort,
): Promise<Measurement> {
  const runs: FinishedRun<P>[] = [];
  const runMilliseconds: number[] = [];
  const kernelMilliseconds: number[] = [];
  let kernels: readonly KernelTime[] = [];
  const run = async () => {
    const plan = bench.plan(effort.paths, effort.seed + runs.length);
    const start = performance.now();
    const outcome = await engine.run(plan);
    const milliseconds = performance.now() - start;
    runs.push({ plan, outcome });
    kernels = (await clock?.take()) ?? [];
    return milliseconds;
  };

  await run();
  const firstAnswerAt = performance.timeOrigin + performance.now();
  for (let i = 0; i < effort.warmUpRuns; i++) await run();
  const monitor = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MILLISECONDS });
  monitor.enable();
  const start = performance.now();
  while (runMilliseconds.length < effort.leastRuns || performance.now() - start < effort.leastMilliseconds) {
    runMilliseconds.push(await run());
    kernelMilliseconds.push(kernels.reduce((sum, { milliseconds }) => sum + milliseconds, 0));
  }
  monitor.disable();
  const peakMemoryBytes = process.resourceUsage().maxRSS * BYTES_PER_KIBIBYTE;

  const comparisons = await bench.judge(runs, engine);
  refuseWrongAnswers(bench.name, comparisons);
  return {
    engine: engine.description,
    firstAnswerAt,
    runMilliseconds: median(runMilliseconds),
    timedRuns: runMilliseconds.length,
    ...(clock === undefined ? {} : { kernelMilliseconds: median(kernelMilliseconds), kernels }),
    loopDelay: loopDelay(monitor),
    peakMemoryBytes,
    comparisons,
  };
}

/** The monitor notes the time between two ticks of a timer: what lies beyond its interval is delay. */
function loopDelay(monitor: IntervalHistogram): LoopDelay {
  const beyond = (nanoseconds: number) =>
    Math.max(0, nanoseconds / NANOSECONDS_PER_MILLISECOND - LOOP_RESOLUTION_MILLISECONDS);
  return {
    p50: beyond(monitor.percentile(50)),
    p99: beyond(monitor.percentile(99)),
    max: beyond(monitor.max),
  };
}
