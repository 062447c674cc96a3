/**
 * Measures plans on engines, several processes each.
 *
 * Takes: which plans and engines. Gives: one row per plan and engine with medians over processes. The processes of the
 * engines take turns, so that a slow minute of the machine hits all of them alike.
 */
import type { BenchPlan, SizeClass } from './bench-plan.ts';
import type { BenchEngine } from './engines.ts';
import { type Asked, ask, type ChildAnswer } from './jobs.ts';
import { type Comparison, LARGEST_Z } from './judge.ts';
import type { KernelTime } from './kernel-clock.ts';
import type { Effort, LoopDelay, Measurement } from './measure.ts';
import { median, type Spread, spread } from './statistics.ts';

/** A row of the report: a plan on an engine. */
export type PlanRow = {
  readonly plan: string;
  readonly engine: string;
  readonly paths: number;
} & (
  | MeasuredRow
  | { readonly status: 'unsupported' }
  | { readonly status: 'wrong' | 'failed'; readonly message: string }
);

export interface MeasuredRow {
  readonly status: 'measured';
  readonly steps: number;
  readonly assets: number;
  readonly processes: number;
  /** From call to answer, transfers included; over processes. */
  readonly runMilliseconds: Spread;
  /** By the device's own clock. */
  readonly kernelMilliseconds?: Spread;
  readonly kernels?: readonly KernelTime[];
  /** From asking for a new process to its first answer. */
  readonly coldMilliseconds: Spread;
  /** paths x steps per second of run time. */
  readonly pathStepsPerSecond: number;
  readonly pathStepsPerKernelSecond?: number;
  readonly loopDelay: LoopDelay;
  readonly peakMemoryBytes: number;
  /** Figures that were compared with what is known, and the furthest in standard errors. */
  readonly checkedFigures: number;
  readonly largestZ: number;
}

export interface Diligence {
  readonly processes: number;
  readonly quick: boolean;
}

/** Distance between the seeds of two processes; a process takes one per run. */
const SEEDS_PER_PROCESS = 10_000;

/** How long one process measures. */
export function effort(paths: number, process: number, { quick }: Diligence): Effort {
  return {
    paths,
    seed: 1 + process * SEEDS_PER_PROCESS,
    warmUpRuns: quick ? 1 : 3,
    leastRuns: quick ? 2 : 5,
    leastMilliseconds: quick ? 0 : 1000,
  };
}

/** The size that suits an engine. */
export function sizeOf({ size }: BenchEngine, { quick }: Diligence): SizeClass {
  return quick ? 'quick' : size;
}

/** Measures one plan on several engines. */
export async function measurePlan(
  bench: BenchPlan,
  engines: readonly BenchEngine[],
  diligence: Diligence,
): Promise<PlanRow[]> {
  const asked = new Map<BenchEngine, Asked[]>(engines.map(engine => [engine, []]));
  for (let process = 0; process < diligence.processes; process++) {
    for (const [engine, answers] of asked) {
      if (answers.some(({ answer }) => answer.kind !== 'measured')) continue;
      const paths = bench.paths[sizeOf(engine, diligence)];
      answers.push(
        await ask({
          kind: 'measure',
          engine: engine.name,
          plan: bench.name,
          effort: effort(paths, process, diligence),
        }),
      );
    }
  }
  return [...asked].map(([engine, answers]) => ({
    plan: bench.name,
    engine: engine.name,
    paths: bench.paths[sizeOf(engine, diligence)],
    ...summarise(answers, bench.paths[sizeOf(engine, diligence)]),
  }));
}

/** Medians over processes, or what went wrong in the first that failed: one wrong answer spoils the row. */
export function summarise(answers: readonly Asked[], paths: number) {
  const odd = answers.map(({ answer }) => answer).find(answer => answer.kind !== 'measured');
  if (odd !== undefined) return failure(odd);
  const measured = answers.flatMap(({ askedAt, answer }) =>
    answer.kind === 'measured' ? [{ ...answer, askedAt }] : [],
  );
  const { steps, assets } = measured[0];
  const all = measured.map(({ measurement }) => measurement);
  const runMilliseconds = spread(all.map(each => each.runMilliseconds));
  const kernels = all.flatMap(each => each.kernelMilliseconds ?? []);
  const pathSteps = (milliseconds: number) => (paths * steps * 1000) / milliseconds;
  return {
    status: 'measured',
    steps,
    assets,
    processes: measured.length,
    runMilliseconds,
    coldMilliseconds: spread(measured.map(each => each.measurement.firstAnswerAt - each.askedAt)),
    pathStepsPerSecond: pathSteps(runMilliseconds.median),
    ...(kernels.length === 0
      ? {}
      : {
          kernelMilliseconds: spread(kernels),
          kernels: all[0].kernels ?? [],
          pathStepsPerKernelSecond: pathSteps(median(kernels)),
        }),
    loopDelay: medianDelay(all),
    peakMemoryBytes: median(all.map(each => each.peakMemoryBytes)),
    checkedFigures: all[0].comparisons.length,
    largestZ: Math.max(...all.flatMap(each => each.comparisons.map(distance))),
  } as const satisfies MeasuredRow;
}

function failure(answer: Exclude<ChildAnswer, { kind: 'measured' }>) {
  if (answer.kind === 'unsupported') return { status: 'unsupported' } as const;
  if (answer.kind === 'described' || answer.kind === 'kernels')
    throw new Error(`A measuring process answered ${answer.kind} instead.`);
  return { status: answer.kind, message: answer.message } as const;
}

function medianDelay(all: readonly Measurement[]): LoopDelay {
  const of = (figure: keyof LoopDelay) => median(all.map(({ loopDelay }) => loopDelay[figure]));
  return { p50: of('p50'), p99: of('p99'), max: of('max') };
}

/** In standard errors, after the allowance. */
function distance({ got, known, standardError, allowance }: Comparison): number {
  const beyond = Math.max(0, Math.abs(got - known) - allowance);
  if (beyond === 0) return 0;
  return standardError > 0 ? beyond / standardError : LARGEST_Z;
}
