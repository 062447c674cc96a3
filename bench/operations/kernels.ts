/**
 * What each width of the SIMD kernel gains: every plan of the bench and books of 1,000 loans, by all kernels that this machine runs.
 *
 *   node build/bench/operations/kernels.js [rounds]
 *
 * One thread, in processor time of the process, so that other load does not count. All kernels take turns in every round; a gain is the median over
 * the rounds of WebAssembly's time over the kernel's. What TypeScript does of a plan is in all times. Two minutes.
 */
import { followPaths, pathsOf } from '#src/core/book/book-follower.js';
import { emptySums } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import type { Kernel } from '#src/core/simd/kernel.js';
import { kernelPaths, runSimdRange, simdChunksOf } from '#src/core/simd/products.js';
import { nativeKernels, openNativeKernel } from '#src/engine/native/native-kernels.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import { PLANS } from '../plans.ts';
import { spread } from '../statistics.ts';
import { bookPlan } from './book-plans.ts';
import { report } from './figures.ts';

const rounds = Number(process.argv[2] ?? 11);
const PATHS = 4096;
const HORIZON_PATHS = 65_536;
const BOOK_PATHS = 256;
const BOOK_LOANS = 1000;
const WARM_UPS = 2;

type Run = (kernel: Kernel) => void;

function runOf(plan: SimulationPlan): Run {
  const { product } = plan;
  if (product.kind === 'value-at-risk')
    return kernel => {
      const horizons = kernelPaths(kernel).horizons(
        { ...plan, product } as SimulationPlan<ValueAtRiskProduct>,
        product.horizonYears.length,
      );
      for (let path = 0; path < plan.paths; path++) horizons.simulate(path);
    };
  if (product.kind === 'book') return bookRun({ ...plan, product } as SimulationPlan<BookProduct>);
  const chunks = simdChunksOf(plan);
  return kernel => {
    for (const chunk of chunks) runSimdRange(kernel, plan, chunk);
  };
}

function bookRun(plan: SimulationPlan<BookProduct>): Run {
  const book = prepareBook(plan.product, plan.scenarios.assets);
  return kernel => {
    const sums = emptySums(plan.product.loanValue.length, book.groupTerm.length);
    followPaths(
      kernelPaths(kernel).book(plan, book),
      sums,
      pathsOf({ first: 0, count: plan.paths }),
      () => {},
    );
  };
}

const books = (['a', 'b'] as const).flatMap(baskets =>
  (['calm', 'stress'] as const).map(mood => {
    const size = { baskets, loans: BOOK_LOANS, mood, referenceGoal: 0 };
    return { name: `book-${baskets}-${mood}`, plan: bookPlan(size, BOOK_PATHS) as SimulationPlan };
  }),
);
// The books below are those that are compared.
const plans = PLANS.filter(({ name }) => name !== 'book').map(({ name, plan }) => ({
  name,
  plan: plan(name === 'value-at-risk' ? HORIZON_PATHS : PATHS, 0),
}));

const natives = nativeKernels().filter(({ isSupported }) => isSupported);
const kernels: readonly (readonly [string, Kernel])[] = [
  ['wasm', loadKernel()],
  ...natives.map(({ name }) => [name, openNativeKernel(name)] as const),
];

function milliseconds(run: Run, kernel: Kernel): number {
  const before = process.cpuUsage();
  run(kernel);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

const rows = [...plans, ...books].map(({ name, plan }) => {
  const run = runOf(plan);
  for (let i = 0; i < WARM_UPS; i++) for (const [, kernel] of kernels) run(kernel);
  const times = Array.from({ length: rounds }, () => kernels.map(([, kernel]) => milliseconds(run, kernel)));
  const row = {
    plan: name,
    product: plan.product.kind,
    milliseconds: Object.fromEntries(
      kernels.map(([kernel], k) => [kernel, spread(times.map(round => round[k]))]),
    ),
    gains: Object.fromEntries(
      kernels.slice(1).map(([kernel], k) => [kernel, spread(times.map(round => round[0] / round[k + 1]))]),
    ),
  };
  process.stderr.write(
    `${name}: ${Object.entries(row.gains)
      .map(([kernel, { median }]) => `${kernel} ${median.toFixed(2)}`)
      .join(', ')}\n`,
  );
  return row;
});

report(
  'kernels',
  `node build/bench/operations/kernels.js ${rounds}`,
  { lanes: Object.fromEntries(kernels.map(([name, { lanes }]) => [name, lanes])), rows },
  {},
);
