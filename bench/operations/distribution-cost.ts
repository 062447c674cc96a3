/**
 * What `?include=distribution` costs: the work of a run with it over that of the same run without.
 *
 *   node build/bench/operations/distribution-cost.js [processes] [plan]
 *
 * One thread, in CPU time of the process, so that other load on the machine does not count: the work of the thread, and what it costs to
 * send its counts and to add them up. Every process takes one plan, size and engine and runs it with and without in turns (with, without, without, with);
 * its figure is the median ratio of neighbours. Processes of all plans take turns; the figure of a plan is the median over its processes.
 */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { BenchPlan } from '../bench-plan.ts';
import { engineNamed } from '../engines.ts';
import { planNamed } from '../plans.ts';
import { median } from '../statistics.ts';
import { report } from './figures.ts';

const PLANS = [
  'w1',
  'loan-five-assets',
  'garch',
  'low-liquidity',
  'perpetual-linear',
  'value-at-risk',
  'one-horizon',
] as const;
const ENGINES = ['cpu-1', 'wasm-1'] as const;
/** Paths of a small question, and of one of the bench. */
const SMALL = 10_000;
/** Runs of a process: at least so many pairs, and for at least so long. */
const LEAST_PAIRS = 12;
const LEAST_MS = 4000;
const WARM_UP_PAIRS = 4;
/** What a distribution may cost. */
const MOST = 1.1;

interface Job {
  readonly plan: (typeof PLANS)[number];
  readonly paths: number;
  readonly engine: (typeof ENGINES)[number];
}
interface Timing {
  readonly ratio: number;
  readonly withMs: number;
  readonly withoutMs: number;
}

/** The question of value at risk that has the least work beside its distribution: one asset, its first horizon. */
function oneHorizon(paths: number, seed: number): SimulationPlan {
  const plan = planNamed('value-at-risk').plan(paths, seed);
  if (plan.product.kind !== 'value-at-risk') throw new Error('not a plan of value at risk');
  const { horizonYears } = plan.product;
  return { ...plan, product: { ...plan.product, horizonYears: horizonYears.slice(0, 1) } };
}

const planOf = ({ plan, paths }: Job, seed: number): SimulationPlan =>
  plan === 'one-horizon' ? oneHorizon(paths, seed) : planNamed(plan).plan(paths, seed);

/** CPU time of all threads of this process. */
const milliseconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function timeIn(job: Job): Promise<Timing> {
  const { engine } = await engineNamed(job.engine).open();
  const time = async (seed: number, counted: boolean) => {
    const plain = planOf(job, seed);
    const plan: SimulationPlan = counted ? { ...plain, distribution: { daySteps: 24 } } : plain;
    const start = milliseconds();
    await engine.run(plan);
    return milliseconds() - start;
  };
  const ratios: number[] = [];
  const times = { counted: [] as number[], plain: [] as number[] };
  let spent = 0;
  for (let pair = -WARM_UP_PAIRS; pair < LEAST_PAIRS || spent < LEAST_MS; pair++) {
    const first = pair % 2 === 0;
    const a = await time(2 * pair + 100, first);
    const b = await time(2 * pair + 100, !first);
    if (pair < 0) continue;
    const [counted, plain] = first ? [a, b] : [b, a];
    ratios.push(counted / plain);
    times.counted.push(counted);
    times.plain.push(plain);
    spent += a + b;
  }
  await engine.close();
  return { ratio: median(ratios), withMs: median(times.counted), withoutMs: median(times.plain) };
}

function measured(job: Job): Timing {
  const script = fileURLToPath(import.meta.url);
  return JSON.parse(
    execFileSync(process.execPath, [script, '--job', JSON.stringify(job)], { encoding: 'utf8' }),
  ) as Timing;
}

/** Paths of one run of the bench. */
const usualPaths = (plan: Job['plan']): number => {
  const bench: BenchPlan = planNamed(plan === 'one-horizon' ? 'value-at-risk' : plan);
  return bench.paths.cpu;
};

function main(processes: number, only: string | undefined): void {
  const jobs = PLANS.filter(plan => only === undefined || plan === only).flatMap(plan =>
    [SMALL, usualPaths(plan)].flatMap(paths => ENGINES.map((engine): Job => ({ plan, paths, engine }))),
  );
  const timings = jobs.map((): Timing[] => []);
  for (let round = 0; round < processes; round++)
    jobs.forEach((job, i) => {
      timings[i].push(measured(job));
      console.error(`${round + 1}: ${JSON.stringify(job)} ${timings[i].at(-1)?.ratio.toFixed(3)}`);
    });
  const rows = jobs.map((job, i) => {
    const of = (figure: keyof Timing) => median(timings[i].map(each => each[figure]));
    return { ...job, ratio: of('ratio'), withoutMs: of('withoutMs'), withMs: of('withMs') };
  });
  report(
    'distribution-cost',
    `node build/bench/operations/distribution-cost.js ${processes}`,
    { processes, rows },
    Object.fromEntries(
      rows.map(({ plan, paths, engine, ratio }) => [`${plan}, ${paths} paths, ${engine}`, ratio <= MOST]),
    ),
  );
}

const [first, second] = process.argv.slice(2);
if (first === '--job') process.stdout.write(JSON.stringify(await timeIn(JSON.parse(second) as Job)));
else main(Number(first ?? 5), second);
