/**
 * Kernel time against the workgroup size: what the default of a device should be.
 *
 * Takes: a device in the measuring process. Gives: one series per plan, every answer checked. A kernel whose workgroup
 * memory does not go so far runs with the largest size that does.
 */
import type { BenchEngine } from './engines.ts';
import { type Asked, ask } from './jobs.ts';
import { type Diligence, effort, sizeOf, summarise } from './measure-plans.ts';
import { planNamed } from './plans.ts';
import type { Spread } from './statistics.ts';

/** A plan on a device with one workgroup size after the other. */
export interface WorkgroupSeries {
  readonly plan: string;
  readonly engine: string;
  readonly paths: number;
  readonly points: readonly { readonly size: number; readonly kernelMilliseconds: Spread }[];
  /** What went wrong; the points before it are right. */
  readonly message?: string;
}

/** Light and heavy in registers, without and with workgroup memory of their own. */
const PLANS = ['w1', 'loan-five-assets', 'low-liquidity', 'perpetual-linear', 'book'];
const SIZES = [32, 64, 128, 256];

/** Measures every plan at every size, one after the other; the processes of the sizes take turns. A series again after every process. */
export async function* measureWorkgroups(
  engine: BenchEngine,
  diligence: Diligence,
  isWanted: (plan: string) => boolean,
): AsyncGenerator<WorkgroupSeries> {
  const plans = PLANS.filter(isWanted);
  // A quick one shows that it works.
  for (const plan of diligence.quick ? plans.slice(0, 1) : plans) yield* measurePlan(plan, engine, diligence);
}

async function* measurePlan(
  plan: string,
  engine: BenchEngine,
  diligence: Diligence,
): AsyncGenerator<WorkgroupSeries> {
  const paths = planNamed(plan).paths[sizeOf(engine, diligence)];
  const asked = SIZES.map(size => ({ size, answers: [] as Asked[] }));
  // A software device says nothing of a GPU: once shows that every size gives the right answer.
  const processes = engine.size === 'software' ? 1 : diligence.processes;
  for (let process = 0; process < processes; process++) {
    for (const { size, answers } of asked) {
      answers.push(
        await ask({
          kind: 'measure',
          engine: engine.name,
          workgroupSize: size,
          plan,
          effort: effort(paths, process, diligence),
        }),
      );
      yield { plan, engine: engine.name, paths, ...pointsOf(asked, paths) };
    }
  }
}

/** The sizes so far, up to the first that failed. */
function pointsOf(
  asked: readonly { readonly size: number; readonly answers: readonly Asked[] }[],
  paths: number,
) {
  const points: { size: number; kernelMilliseconds: Spread }[] = [];
  for (const { size, answers } of asked.filter(each => each.answers.length > 0)) {
    const row = summarise(answers, paths);
    if (row.status !== 'measured')
      return { points, message: row.status === 'unsupported' ? 'not supported' : row.message };
    if (row.kernelMilliseconds === undefined) return { points, message: 'no kernel clock' };
    points.push({ size, kernelMilliseconds: row.kernelMilliseconds });
  }
  return { points };
}
