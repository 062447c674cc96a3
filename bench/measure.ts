/**
 * Measures one plan on one engine, in this process: answer first, then time.
 *
 * Takes: an open engine and how long to measure. Gives: times of three clocks, memory, event-loop delay. Throws
 * instead of giving a time whose answer is wrong. Must not know: other processes, the report.
 */
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import type { EngineDescription } from '#src/core/engine.js';
import type { Product } from '#src/core/plan/simulation-plan.js';
import type { BenchPlan, FinishedRun } from './bench-plan.ts';
import type { OpenEngine } from './engines.ts';
import { type Comparison, refuseWrongAnswers, WrongAnswer } from './judge.ts';
import type { KernelTime } from './kernel-clock.ts';
import { median } from './statistics.ts';

/** How much to measure. */
export interface Effort {
  readonly paths: number;
  /** Of the first run; each further run takes the next, and the first one again after `leastRuns` timed runs. */
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
 * Runs a plan with several seeds, judges their answers together, and gives the times.
 *
 * What is judged does not depend on the speed of the machine: every run beyond those that `effort` asks for repeats one
 * of their seeds and must give its answer again.
 *
 * @throws WrongAnswer where the answers are not what is known, or a seed gave two
 */
export async function measure<P extends Product>(
  { engine, clock }: OpenEngine,
  bench: BenchPlan<P>,
  effort: Effort,
): Promise<Measurement> {
  const seeds = 1 + effort.warmUpRuns + effort.leastRuns;
  const judged: FinishedRun<P>[] = [];
  let runs = 0;
  const runMilliseconds: number[] = [];
  const kernelMilliseconds: number[] = [];
  let kernels: readonly KernelTime[] = [];
  const run = async () => {
    const at = runs++ % seeds;
    const plan = bench.plan(effort.paths, effort.seed + at);
    const start = performance.now();
    const outcome = await engine.run(plan);
    const milliseconds = performance.now() - start;
    kernels = (await clock?.take()) ?? [];
    const earlier = judged[at];
    if (earlier === undefined) judged.push({ plan, outcome });
    else if (!isDeepStrictEqual(outcome, earlier.outcome))
      throw new WrongAnswer(`${bench.name}: seed ${plan.seed} gave two answers.`);
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

  const comparisons = await bench.judge(judged, engine);
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
