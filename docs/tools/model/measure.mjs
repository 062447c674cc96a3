/**
 * Measures what the document of the models shows and no other program has measured: the answers of one loan under every methodology
 * with one input changed at a time, on the sample market with fixed seeds, the same loan on other engines, and fits beside those of
 * other programs.
 *
 * Takes: the program in dist, fixtures. Gives: bench/results/models.json. On the reference, so every machine writes the same digits.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openRisk } from '../../../dist/library.js';
import { fitDegreesOfFreedom } from '../../../dist/models/calibration/degrees-of-freedom.js';
import { fitGarch } from '../../../dist/models/calibration/garch-fit.js';
import { fitGeneralisedPareto } from '../../../dist/models/calibration/generalised-pareto.js';
import { METHODOLOGIES } from '../../../dist/models/methodology/methodologies.js';
import { FIGURES, LOAN, RESULTS, VARIANTS } from './measured.mjs';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
/** What GARCH needs, which serves loans with capped sales only: the whole volume of two markets, so that the cap rarely binds. */
const VOLUMES = {
  volume_lookback: 30,
  markets: [
    ['BTC', 'USDT', 'binance'],
    ['ETH', 'USDT', 'binance'],
  ],
  participation_ratio: 1,
};

export const pathOf = name =>
  METHODOLOGIES[name].questions.includes('loan') ? '/loan_risk' : '/loan_risk_low_liquidity';

/**
 * Figures with their standard errors, or the reason of a refusal.
 * @param {{ ask: (path: any, request: any, options: any) => Promise<any> }} risk
 * @param {string} name
 * @param {Record<string, unknown>} change
 * @param {'cpu' | 'auto'} compute
 */
export async function askedOf(risk, name, change, compute = 'cpu') {
  const { seed = 0, ...members } = change;
  const path = pathOf(name);
  const params = { ...LOAN, ...(path === '/loan_risk' ? {} : VOLUMES), ...members };
  const include = ['accuracy'];
  try {
    const { Output, Accuracy } = await risk.ask(path, { type: name, params }, { seed, compute, include });
    const pick = valueFor => Object.fromEntries(FIGURES.map(figure => [figure, valueFor(figure)]));
    return {
      figures: pick(figure => Output[figure]),
      errors: pick(figure => Accuracy.figures[figure].standard_error),
    };
  } catch (error) {
    if (error.problem === undefined) throw error;
    return { refused: error.problem.errors.map(({ message }) => message).join(' ') };
  }
}

async function sensitivities() {
  const risk = await openRisk({ market: 'sample', compute: 'cpu', cpuThreads: 2 });
  const alone = await openRisk({ market: 'sample', compute: 'cpu', cpuThreads: 1 });
  const results = {};
  for (const name of Object.keys(METHODOLOGIES)) {
    const rows = {};
    for (const [words, change] of Object.entries(VARIANTS)) rows[words] = await askedOf(risk, name, change);
    results[name] = {
      path: pathOf(name),
      rows,
      oneThread: (await askedOf(alone, name, {})).figures,
      simd: (await askedOf(risk, name, {}, 'auto')).figures,
    };
  }
  await Promise.all([risk.close(), alone.close()]);
  return results;
}

const fixture = name => JSON.parse(readFileSync(join(ROOT, `test/fixtures/model/${name}.json`), 'utf8'));
const relative = (value, other) => Math.abs(value / other - 1);

/** The largest relative difference of estimates to those of another program. */
function benchmarks(known) {
  const studentT = fixture('student-t').cases.map(({ returns, nu }) => {
    const symbols = returns.map((_, i) => `A${i}`);
    const series = returns.map(each => Float64Array.from(each));
    return relative(fitDegreesOfFreedom(symbols, series).degreesOfFreedom, nu);
  });
  const pareto = fixture('pareto').fits.map(({ excesses, scale }) =>
    relative(fitGeneralisedPareto(Float64Array.from(excesses)).scale, scale),
  );
  return [
    {
      methodologies: ['STUDENT_T'],
      what: 'degrees of freedom of drawn samples',
      program: 'SciPy',
      cases: studentT.length,
      difference: Math.max(...studentT),
    },
    {
      methodologies: ['FHS_EVT'],
      what: 'scale of the generalised Pareto distribution',
      program: 'SciPy',
      cases: pareto.length,
      difference: Math.max(...pareto),
    },
    ...garchBenchmark(known),
  ];
}

/** GARCH on the series of Bollerslev and Ghysels, where the data folder has it; else what was measured before. */
function garchBenchmark(known) {
  const folder = resolve(process.env.RISK_SHARED_DATA ?? join(ROOT, '../shared/data'));
  const file = join(folder, 'benchmark/dem_gbp_returns.csv');
  if (!existsSync(file)) return known.filter(({ methodologies }) => methodologies.includes('GARCH'));
  const [head, ...lines] = readFileSync(file, 'utf8').trim().split('\n');
  const column = head.trim().split(',').indexOf('return_pct');
  const fit = fitGarch(
    Float64Array.from(lines, line => Number(line.split(',')[column])),
    'DEM/GBP',
  );
  const published = {
    mu: -0.0061904083799,
    omega: 0.0107613978518,
    alpha: 0.15313406182,
    beta: 0.80597367031,
  };
  const differences = Object.entries(published).map(([name, value]) => relative(fit[name], value));
  return [
    {
      methodologies: ['GARCH', 'FHS', 'FHS_EVT'],
      what: 'coefficients of GARCH(1,1) on DEM/GBP',
      program: 'Bollerslev and Ghysels 1996, digits of McCullough and Renfro 1998',
      cases: differences.length,
      difference: Math.max(...differences),
    },
  ];
}

export async function measure() {
  const file = join(ROOT, RESULTS);
  const known = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).benchmarks : [];
  const results = { loan: LOAN, sensitivities: await sensitivities(), benchmarks: benchmarks(known) };
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
