/**
 * What a book costs: in units of one loan on the same paths, beside NumPy, and over the workers of a fleet.
 *
 * `node build/bench/operations/books.js [rounds] [scale]`: answers are judged first, and a wrong one has no figure. One thread; every round
 * runs the unit, both engines and the unit again, and a ratio is the median over the rounds. Four minutes; a scale of 0.1, to try whether
 * it works, takes a tenth of the paths.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Engine } from '#src/core/engine.js';
import { BOOK_COLUMNS, type BookOutcome, type BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { describeMachine } from '../machine.ts';
import { planText } from '../plan-text.ts';
import { projectFile } from '../project.ts';
import { spread } from '../statistics.ts';
import { bookFleet } from './book-fleet.ts';
import { BOOK_CASES, type BookCase, bookPlan, unitPlan } from './book-plans.ts';
import { report } from './figures.ts';

const rounds = Number(process.argv[2] ?? 5);
const scale = Number(process.argv[3] ?? 1);
const PATHS = 1000;
/** Loan-paths of NumPy, some seconds; it holds as many at a time as fit its caches. */
const NUMPY_LOAN_PATHS = 320_000;
const NUMPY_AT_ONCE = 160_000;
/** Standard errors by which a mean of other draws may differ. */
const MAX_DEVIATIONS = 5;

interface NumpyAnswer {
  readonly impl: string;
  readonly paths: number;
  readonly seconds: number;
  readonly figures: Readonly<Record<string, { readonly mean: number; readonly standardError: number }>>;
}

type BookPlan = SimulationPlan<BookProduct>;

const say = (line: string) => process.stderr.write(`${line}\n`);

async function seconds(engine: Engine, plan: SimulationPlan): Promise<number> {
  const begin = performance.now();
  await engine.run(plan);
  return (performance.now() - begin) / 1000;
}

async function byNumpy(plan: BookPlan): Promise<NumpyAnswer> {
  const loans = plan.product.loanValue.length;
  const paths = Math.max(4, Math.round((scale * NUMPY_LOAN_PATHS) / loans));
  const chunk = Math.max(4, Math.min(paths, Math.round(NUMPY_AT_ONCE / loans)));
  const child = spawn('python3', [projectFile('bench/peers/book_numpy.py'), `${paths}`, `${chunk}`], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(planText(plan));
  let text = '';
  child.stdout.on('data', data => {
    text += data;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`NumPy ended with code ${code}`);
  return JSON.parse(text) as NumpyAnswer;
}

/** What is wrong with the answers of a case, by figure. */
function faults(reference: BookOutcome, simd: BookOutcome, numpy: NumpyAnswer, loans: number): string[] {
  const found: string[] = [];
  for (const name of BOOK_COLUMNS) {
    const column = reference.columns[name];
    const mean = column.reduce((sum, x) => sum + x, 0) / column.length;
    const deviation = Math.sqrt(column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / column.length);
    const { mean: other, standardError } = numpy.figures[name];
    // One of few paths may be a crash that the others have not seen, on either side.
    const error = Math.max(
      deviation * Math.sqrt(1 / column.length + 1 / numpy.paths),
      Math.hypot(deviation / Math.sqrt(column.length), standardError),
    );
    if (Math.abs(mean - other) > MAX_DEVIATIONS * error)
      found.push(`NumPy has a mean ${name} of ${other}, not ${mean}`);
    const scale = /loans|sales/i.test(name) ? loans : reference.summaries.sold.mean;
    const difference = Math.abs(simd.summaries[name].mean - mean);
    if (difference > 1e-5 * Math.max(mean, scale))
      found.push(`SIMD has a mean ${name} of ${simd.summaries[name].mean}, not ${mean}`);
  }
  return found;
}

const reference = openReferenceEngine({ threads: 1 });
const simd = openSimdThreads(openThreadPool(1));

async function measure(each: BookCase) {
  const name = `${each.baskets}, ${each.loans} loans, ${each.mood}`;
  say(name);
  const paths = Math.round(scale * PATHS);
  const plan = bookPlan(each, paths);
  const unit = unitPlan(paths);
  const numpy = await byNumpy(plan);
  // The first runs warm the engines up, too.
  const answers = { reference: await reference.run(plan), simd: await simd.run(plan) };
  const wrong = faults(answers.reference, answers.simd, numpy, each.loans);
  const share = answers.reference.summaries.calledLoans.mean / each.loans;
  for (const fault of wrong) say(fault);
  if (wrong.length > 0) return { ...each, name, paths, called: share, wrong };
  const ratios: { reference: number; simd: number; numpy: number; unit: number }[] = [];
  for (let round = 0; round < rounds; round++) {
    const before = await seconds(reference, unit);
    const ofReference = await seconds(reference, plan);
    const ofSimd = await seconds(simd, plan);
    const one = (before + (await seconds(reference, unit))) / 2;
    ratios.push({
      reference: ofReference / one,
      simd: ofSimd / one,
      numpy: (numpy.seconds / numpy.paths) * (paths / one),
      unit: one / paths,
    });
  }
  const over = (key: keyof (typeof ratios)[number]) => spread(ratios.map(ratio => ratio[key]));
  return {
    ...each,
    name,
    paths,
    called: share,
    wrong,
    units: { reference: over('reference'), simd: over('simd'), numpy: over('numpy').median },
    unitMicrosecondsPerPath: over('unit').median * 1e6,
    numpy: numpy.impl,
  };
}

await reference.run(unitPlan(2000));
const cases: Awaited<ReturnType<typeof measure>>[] = [];
for (const each of BOOK_CASES) cases.push(await measure(each));
await Promise.all([reference.close(), simd.close()]);
say('fleet');
const fleet = await bookFleet(Math.round(4000 * scale));
report(
  'books',
  'npm run bench:books',
  {
    date: new Date().toISOString().slice(0, 10),
    machine: describeMachine(),
    rounds,
    scale,
    cases,
    fleet,
  },
  {
    'every answer is right': cases.every(({ wrong }) => wrong.length === 0) && fleet.every(row => row.same),
  },
);
process.exit();
