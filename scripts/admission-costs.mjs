/**
 * The costs that admission predicts by (src/admission/measured-costs.ts), taken from a report of the bench.
 *
 *   npm run --silent build && npx tsc -p tsconfig.bench.json && node scripts/admission-costs.mjs REPORT
 *
 * REPORT is the name of a file in bench/results without its ending. Take one of the class of machine that is to be served:
 * it needs the sections `plans` and `growth`. Work is weighed as src/core/plan/work.ts does.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'src/admission/measured-costs.ts';

/** Engines of the costs, and what a report calls one thread or device of them. */
const ENGINES = { double: 'cpu-1', simd: 'wasm-1', gpu: 'gpu', 'software-gpu': 'gpu-software' };
/** Plans whose work is of a product; where there are several the dearest counts. */
const PLANS = {
  origination: ['origination-liquidation', 'origination-closeout'],
  'capped-loan': ['low-liquidity'],
  'value-at-risk': ['value-at-risk'],
  perpetual: ['perpetual-linear', 'perpetual-inverse'],
};
/** What a GPU is taken to be over the software driver, until a report has one. */
const GPU_OVER_SOFTWARE = 100;

/**
 * Nanoseconds per asset-step of two assets by engine and product, and factors by number of assets.
 *
 * @param report what the bench wrote
 * @param workOf the weighed work of a plan of the bench by its name and number of paths
 */
export function costsOf(report, workOf) {
  const assets = [1, ...pointsOf(report, 'cpu-1').map(({ size }) => size)];
  for (const name of ['cpu-1', 'wasm-1', 'gpu-software'])
    if (pointsOf(report, name).length === 0)
      throw new Error(`The report has no growth of ${name} by assets.`);
  const factors = {};
  const nanoseconds = {};
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
    const ofProducts = Object.entries(PLANS).map(([product, plans]) => {
      const costs = plans.flatMap(plan => {
        const row = report.plans.find(
          each => each.plan === plan && each.engine === name && each.status === 'measured',
        );
        if (row === undefined) return [];
        const milliseconds = row.kernelMilliseconds ?? row.runMilliseconds;
        return [(milliseconds.median * 1e6) / workOf(plan, row.paths) / factorAt(row.assets)];
      });
      return [product, costs.length === 0 ? undefined : Math.max(...costs)];
    });
    nanoseconds[engine] = { loan: two, ...Object.fromEntries(ofProducts) };
  }
  return { assets, ...completed(nanoseconds, factors) };
}

/** What an engine does not run, the reference runs, books too where there is no GPU; a GPU without a report is guessed. */
function completed(nanoseconds, factors) {
  const { double, 'software-gpu': software } = nanoseconds;
  if (nanoseconds.gpu === undefined) {
    const guess = ([product, cost]) => [product, cost && cost / GPU_OVER_SOFTWARE];
    nanoseconds.gpu = Object.fromEntries(Object.entries(software).map(guess));
    factors.gpu = factors['software-gpu'];
  }
  const filled = Object.keys(ENGINES).map(engine => {
    const own = nanoseconds[engine];
    const row = Object.fromEntries(
      Object.keys(double).map(product => [product, own[product] ?? double[product]]),
    );
    return [engine, { ...row, book: engine.endsWith('gpu') ? row.loan : double.loan }];
  });
  return { nanoseconds: Object.fromEntries(filled), factors };
}

const seriesOf = ({ growth }, engine) =>
  growth.find(each => each.engine === engine && each.axis === 'assets');
const pointsOf = (report, engine) => seriesOf(report, engine)?.points ?? [];

/** The text of the module for a report. */
export function costsModule(name, report, workOf) {
  const { assets, nanoseconds, factors } = costsOf(report, workOf);
  const key = word => (/^\w+$/.test(word) ? word : `'${word}'`);
  const row = values =>
    Object.entries(values)
      .map(([product, cost]) => `    ${key(product)}: ${Number(cost.toPrecision(3))},`)
      .join('\n');
  const tables = Object.entries(nanoseconds).map(
    ([engine, values]) => `  ${key(engine)}: {\n${row(values)}\n  },`,
  );
  const lists = Object.keys(ENGINES).map(
    engine => `  ${key(engine)}: [${factors[engine].map(factor => Number(factor.toFixed(2))).join(', ')}],`,
  );
  return `/**
 * Costs of work by engine. Written by scripts/admission-costs.mjs; not to be edited.
 *
 * Source: bench/results/${name}.json, one thread or device. A GPU is ${report.growth.some(each => each.engine === 'gpu') ? 'measured' : `guessed, at ${GPU_OVER_SOFTWARE} times the software driver`}.
 */

/** The report that the costs are of. */
export const REPORT = '${name}';

/** Nanoseconds per asset-step of two assets, as src/core/plan/work.ts counts them. */
export const NANOSECONDS = {
${tables.join('\n')}
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
 * A report of bench/results, as far as costs are taken from it.
 *
 * @returns {{ readonly growth: readonly {
 *   readonly engine: string; readonly axis: string; readonly paths: number;
 *   readonly points: readonly { readonly size: number; readonly milliseconds: number }[];
 * }[] }}
 */
export function reportNamed(name) {
  return JSON.parse(readFileSync(resolve(root, 'bench/results', `${name}.json`), 'utf8'));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [name] = process.argv.slice(2);
  if (name === undefined) throw new Error('node scripts/admission-costs.mjs REPORT');
  const { planNamed } = await import('../build/bench/plans.js');
  const { weighedWork } = await import('../dist/core/plan/work.js');
  const workOf = (plan, paths) => weighedWork(planNamed(plan).plan(paths, 0));
  writeFileSync(resolve(root, FILE), costsModule(name, reportNamed(name), workOf));
  process.stdout.write(`${FILE} is of ${name}.\n`);
}
