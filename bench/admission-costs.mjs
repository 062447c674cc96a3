/**
 * The costs that admission predicts by (src/server/admission/measured-costs.ts), taken from a report of the bench.
 *
 *   npm run --silent build && npx tsc -p bench/tsconfig.json && node bench/admission-costs.mjs [REPORT]
 *
 * REPORT is the name of a file in bench/results without its ending, by default the one that the costs are of. Take one of the
 * class of machine that is to be served: it needs the sections `plans` and `growth`. What a book costs beside a loan is in
 * bench/results/operations/books.json, an account in accounts.json beside it, what wider vectors gain in bench/results/operations/kernels.json. Work is weighed as src/core/plan/work.ts does.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'src/server/admission/measured-costs.ts';
const BOOKS = 'operations/books';
const KERNELS = 'operations/kernels';
const ACCOUNTS = 'operations/accounts';

/** Native kernels by their lanes; where one was not measured, it is taken to be as fast as the next narrower one. */
const WIDTHS = { 8: 'avx2', 16: 'avx512' };
/** Engines of the costs, and what a report calls one thread or device of them. */
const ENGINES = { reference: 'cpu-1', simd: 'wasm-1', gpu: 'gpu', 'software-gpu': 'gpu-software' };
/** Plans whose work is of a product; where there are several the dearest counts. */
const PLANS = {
  origination: ['origination-liquidation', 'origination-closeout'],
  'capped-loan': ['low-liquidity'],
  'value-at-risk': ['value-at-risk'],
  // No plan of its own: paths are followed outside the kernel, as the candidates of an origination are.
  'advance-rate': ['origination-liquidation'],
  perpetual: ['perpetual-linear', 'perpetual-inverse'],
};
/** Products that cost as another one. */
const LIKE = { 'advance-rate': 'origination' };
/** The plans of a loan under each model that takes longer than GBM; of the bootstrap the rows of hours, which take longest. */
const MODELS = {
  garch: 'garch',
  'student-t': 'student-t',
  'filtered-historical': 'filtered-historical',
  bootstrap: 'bootstrap-hours',
};
/** Steps of a path, and assets, of the loan that is the unit of the costs of books. */
const UNIT = { steps: 720, assets: 10 };
/** What a GPU is taken to be over the software driver, until a report has one. */
const GPU_OVER_SOFTWARE = 100;

/**
 * Nanoseconds per asset-step of two assets by engine and product, what models add to them, and factors by number of assets.
 *
 * @param report what the bench wrote
 * @param books what the bench of books wrote
 * @param workOf the weighed work of a plan of the bench by its name and number of paths; for a case of the books by the case
 */
export function costsOf(report, books, workOf, accounts = reportNamed(ACCOUNTS)) {
  const assets = [1, ...pointsOf(report, 'cpu-1').map(({ size }) => size)];
  for (const name of ['cpu-1', 'wasm-1', 'gpu-software'])
    if (pointsOf(report, name).length === 0)
      throw new Error(`The report has no growth of ${name} by assets.`);
  const factors = {};
  const nanoseconds = {};
  const models = {};
  for (const [engine, name] of Object.entries(ENGINES)) {
    const points = pointsOf(report, name);
    if (points.length === 0) continue;
    const paths = seriesOf(report, name).paths;
    const perAssetStep = ({ size, milliseconds }) => (milliseconds * 1e6) / (paths * 720 * size);
    const two = perAssetStep(points[0]);
    factors[engine] = [1, ...points.map(point => perAssetStep(point) / two)];
    const factorAt = count => {
      const factor = factors[engine][assets.indexOf(count)];
      if (factor === undefined) throw new Error(`The report has no growth of ${name} at ${count} assets.`);
      return factor;
    };
    /** Per asset-step of two assets; nothing of a plan that was not measured. */
    const costOf = plan => {
      const row = report.plans.find(
        each => each.plan === plan && each.engine === name && each.status === 'measured',
      );
      if (row === undefined) return [];
      const milliseconds = row.kernelMilliseconds ?? row.runMilliseconds;
      return [(milliseconds.median * 1e6) / workOf(plan, row.paths) / factorAt(row.assets)];
    };
    const ofProducts = Object.entries(PLANS).map(([product, plans]) => {
      const costs = plans.flatMap(costOf);
      return [product, costs.length === 0 ? undefined : Math.max(...costs)];
    });
    models[engine] = Object.fromEntries(
      Object.entries(MODELS).map(([model, plan]) => [
        model,
        Math.max(0, ...costOf(plan).map(cost => cost - two)),
      ]),
    );
    const units = accounts.units[engine];
    nanoseconds[engine] = {
      loan: two,
      ...Object.fromEntries(ofProducts),
      ...(units === undefined ? {} : { account: units * two }),
    };
  }
  models.gpu ??= guessedOnGpu(models['software-gpu']);
  const costs = completed(nanoseconds, factors);
  for (const engine of ['reference', 'simd'])
    costs.nanoseconds[engine].book = bookCost(engine, books, costs, assets, workOf);
  return { assets, models, ...costs };
}

/** What a GPU takes by the software driver's costs, while it has no report. */
const guessedOnGpu = costs =>
  Object.fromEntries(Object.entries(costs).map(([name, cost]) => [name, cost && cost / GPU_OVER_SOFTWARE]));

/**
 * The geometric mean over the cases: what is in a book moves its cost by a factor either way.
 *
 * A case is measured in units of a loan on the same paths and in the same process, so that the report may be of another hour.
 */
function bookCost(engine, { cases }, { nanoseconds, factors }, assets, workOf) {
  const factorAt = each => interpolated(factors[each], assets, UNIT.assets);
  const unit = nanoseconds.reference.loan * factorAt('reference') * UNIT.steps * UNIT.assets;
  const logs = cases.map(each => Math.log((each.units[engine].median * unit) / workOf(each, 1)));
  return Math.exp(logs.reduce((sum, log) => sum + log, 0) / logs.length) / factorAt(engine);
}

/** Linear between the numbers of assets that were measured, as src/server/admission/costs.ts has it. */
function interpolated(factors, assets, count) {
  const above = assets.findIndex(measured => measured >= count);
  const share = (count - assets[above - 1]) / (assets[above] - assets[above - 1]);
  return factors[above - 1] + share * (factors[above] - factors[above - 1]);
}

/** What an engine does not run, the reference runs; a GPU without a report is guessed, and its books are taken for loans. */
function completed(nanoseconds, factors) {
  const { reference, 'software-gpu': software } = nanoseconds;
  if (nanoseconds.gpu === undefined) {
    nanoseconds.gpu = guessedOnGpu(software);
    factors.gpu = factors['software-gpu'];
  }
  const filled = Object.keys(ENGINES).map(engine => {
    const own = nanoseconds[engine];
    const row = Object.fromEntries(
      Object.keys(reference).map(product => [product, own[product] ?? reference[product]]),
    );
    return [engine, { ...row, book: row.loan }];
  });
  return { nanoseconds: Object.fromEntries(filled), factors };
}

const seriesOf = ({ growth }, engine) =>
  growth.find(each => each.engine === engine && each.axis === 'assets');
const pointsOf = (report, engine) => seriesOf(report, engine)?.points ?? [];

/** The least gain over the plans of each product, by the lanes of the kernel. */
function gainsOf({ rows }) {
  const gains = {};
  let narrower;
  for (const [lanes, kernel] of Object.entries(WIDTHS)) {
    const measured = rows.filter(row => row.gains[kernel] !== undefined);
    gains[lanes] =
      measured.length === 0
        ? narrower
        : Object.fromEntries(
            Object.keys({ loan: 0, ...PLANS, account: 0, book: 0 }).map(product => [
              product,
              // An account with drawn funding is followed outside the kernel, which draws its prices alone.
              product === 'account'
                ? 1
                : Math.min(
                    ...measured
                      .filter(row => row.product === (LIKE[product] ?? product))
                      .map(row => row.gains[kernel].median),
                  ),
            ]),
          );
    narrower = gains[lanes];
  }
  return gains;
}

/** What the bench of kernels wrote. */
const kernelsReport = () => reportNamed(KERNELS);

/** The engines in their usual order. */
const inOrder = costs => Object.fromEntries(Object.keys(ENGINES).map(engine => [engine, costs[engine]]));

/** The text of the module for a report. */
export function costsModule(name, report, books, workOf, kernels = kernelsReport()) {
  const { assets, nanoseconds, models, factors } = costsOf(report, books, workOf);
  const key = word => (/^\w+$/.test(word) ? word : `'${word}'`);
  const row = values =>
    Object.entries(values)
      .map(([product, cost]) => `    ${key(product)}: ${Number(cost.toPrecision(3))},`)
      .join('\n');
  const tablesOf = costs =>
    Object.entries(costs)
      .map(([engine, values]) => `  ${key(engine)}: {\n${row(values)}\n  },`)
      .join('\n');
  const lists = Object.keys(ENGINES).map(
    engine => `  ${key(engine)}: [${factors[engine].map(factor => Number(factor.toFixed(2))).join(', ')}],`,
  );
  return `/**
 * Costs of work by engine. Written by bench/admission-costs.mjs; not to be edited.
 *
 * Source: bench/results/${name}.json, one thread or device, and of books bench/results/${BOOKS}.json. A GPU is ${report.growth.some(each => each.engine === 'gpu') ? 'measured' : `guessed, at ${GPU_OVER_SOFTWARE} times the software driver`}.
 */

/** The report that the costs are of. */
export const REPORT = '${name}';

/** Nanoseconds per asset-step of two assets, as src/core/plan/work.ts counts them. */
export const NANOSECONDS = {
${tablesOf(nanoseconds)}
} as const;

/** What an asset-step takes longer than under GBM: a loan's on two assets. */
export const MODEL_NANOSECONDS = {
${tablesOf(inOrder(models))}
} as const;

/** How many times as fast as WebAssembly a kernel of 8 and of 16 lanes is: bench/results/${KERNELS}.json. */
export const SIMD_GAINS = {
${tablesOf(gainsOf(kernels))}
} as const;

/** Numbers of assets that were measured. */
export const ASSETS = [${assets.join(', ')}] as const;

/** How much longer an asset-step takes with so many assets: draws are correlated by a triangle of products. */
export const FACTORS = {
${lists.join('\n')}
} as const;
`;
}

/**
 * What the bench of books wrote, as far as costs are taken from it.
 *
 * @returns {{ readonly cases: readonly {
 *   readonly baskets: 'a' | 'b'; readonly loans: number; readonly mood: 'calm' | 'stress'; readonly referenceGoal: number;
 *   readonly units: { readonly reference: { readonly median: number }; readonly simd: { readonly median: number } };
 * }[] }}
 */
export const booksReport = () => reportNamed(BOOKS);

/**
 * A report of bench/results, as far as costs are taken from it.
 *
 * @returns {{ readonly plans: readonly {
 *   readonly plan: string; readonly engine: string; readonly paths: number;
 *   readonly runMilliseconds?: { readonly median: number }; readonly kernelMilliseconds?: { readonly median: number };
 * }[]; readonly growth: readonly {
 *   readonly engine: string; readonly axis: string; readonly paths: number;
 *   readonly points: readonly { readonly size: number; readonly milliseconds: number }[];
 * }[] }}
 */
export function reportNamed(name) {
  return JSON.parse(readFileSync(resolve(root, 'bench/results', `${name}.json`), 'utf8'));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { REPORT } = await import('../dist/server/admission/measured-costs.js');
  const [name = REPORT] = process.argv.slice(2);
  const { planNamed } = await import('../build/bench/plans.js');
  const { bookPlan } = await import('../build/bench/operations/book-plans.js');
  const { weighedWork } = await import('../dist/core/plan/work.js');
  const workOf = (plan, paths) =>
    weighedWork(typeof plan === 'string' ? planNamed(plan).plan(paths, 0) : bookPlan(plan, paths));
  writeFileSync(resolve(root, FILE), costsModule(name, reportNamed(name), booksReport(), workOf));
  process.stdout.write(`${FILE} is of ${name}.\n`);
}
