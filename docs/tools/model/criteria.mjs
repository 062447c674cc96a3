/**
 * The twelve acceptance criteria of a methodology, each computed from results.
 *
 * Takes: results. Gives: for each criterion and methodology what was found, and a verdict. A criterion without a result is not measured: it
 * does not pass.
 */
import { BASE, FIGURES } from './measured.mjs';

/** @typedef {{ readonly result: string, readonly verdict: 'passes' | 'fails' | 'not measured' }} Judgement */

const NOT_MEASURED = { result: '', verdict: 'not measured' };
const judged = (isGood, result) => ({ result, verdict: isGood ? 'passes' : 'fails' });
const percent = (share, digits = 2) => `${(100 * share).toFixed(digits)} %`;
const LEAST_COVERAGE = 0.935;
const LEAST_P = 0.01;
const MOST_T = 1.96;
const DECILES = 18;
const MOST_DIFFERENCE = 1e-5;
const MOST_ENGINE_ERRORS = 0.5;
const MOST_LOOKBACK_FACTOR = 1.5;

/** The row with the least value of a column over all positions at a level. */
function least(backtests, name, level, valueFor) {
  const rows = backtests
    .filter(row => row.name === name && row.level === level)
    .map(row => ({ row, value: valueFor(row.values) }))
    .filter(({ value }) => value !== undefined)
    .sort((a, b) => a.value - b.value);
  return rows[0];
}

const byLeastP = (level, column) => (results, name) => {
  const found = least(results.backtests, name, level, values => values[column]);
  if (found === undefined) return NOT_MEASURED;
  return judged(found.value >= LEAST_P, `p ${found.value} (${found.row.position})`);
};

const byCoverage = isExact => (results, name) => {
  const rows = results.coverage
    .filter(({ methodology }) => methodology === name)
    .flatMap(({ rows: found }) => found)
    .filter(({ exact, told }) => exact === isExact && told > 0);
  if (rows.length === 0) return NOT_MEASURED;
  const lowest = Math.min(...rows.map(({ held, told }) => held / told));
  return judged(lowest >= LEAST_COVERAGE, `${percent(lowest)} of ${rows.length} figures`);
};

/** Columns of the back-tests as docs/backtests.md names them. */
export const CRITERIA = [
  {
    title: 'Figures with a known law',
    measure:
      'lowest coverage of the intervals at 95 %, over seeds, where the true value is known in closed form',
    bound: `at least ${percent(LEAST_COVERAGE, 1)}`,
    judge: byCoverage(true),
  },
  {
    title: 'Intervals of simulated figures',
    measure: 'the same for all other figures, against a run of many paths',
    bound: `at least ${percent(LEAST_COVERAGE, 1)}`,
    judge: byCoverage(false),
  },
  {
    title: 'Exceedances of value at risk',
    measure: 'test of number and independence (Christoffersen), a day at 99 %: lowest p of all positions',
    bound: `p at least ${LEAST_P}`,
    judge: byLeastP('99 %', 'Both p'),
  },
  {
    title: 'Size of the shortfall',
    measure: 'Z2 (Acerbi and Szekely), a day at 97.5 %: lowest p of all positions',
    bound: `p at least ${LEAST_P}`,
    judge: byLeastP('97.5 %', 'Z2 p'),
  },
  {
    title: 'Shortfall by regression',
    measure: 'strict test (Bayer and Dimitriadis), a day at 97.5 %: lowest p of all positions',
    bound: `p at least ${LEAST_P}`,
    judge: byLeastP('97.5 %', 'ESR strict p'),
  },
  {
    title: 'Score against GBM',
    measure:
      'FZ0 score of the pair of value at risk and shortfall, 97.5 %: highest t of the difference to GBM',
    bound: `t at most ${MOST_T}`,
    judge(results, name) {
      const found = least(results.backtests, name, '97.5 %', values => {
        const t = values['t against GBM'];
        return t === undefined ? undefined : -t;
      });
      if (found === undefined) return NOT_MEASURED;
      return judged(-found.value <= MOST_T, `t ${(-found.value).toFixed(2)} (${found.row.position})`);
    },
  },
  {
    title: 'Skill on real loans',
    measure:
      'Brier score of margin calls and of underwater loans of 30 days over that of the mean: the highest ratio',
    bound: 'below 1',
    judge(results, name) {
      const ratios = results.loanOutcomes
        .filter(({ byName }) => name in byName)
        .map(({ byName, brierOfMean }) => byName[name].brier / brierOfMean);
      if (ratios.length === 0) return NOT_MEASURED;
      const most = Math.max(...ratios);
      return judged(most < 1, most.toFixed(2));
    },
  },
  {
    title: 'Calibration on real loans',
    measure: 'deciles of these forecasts within two standard errors of what happened',
    bound: `at least ${DECILES} of 20`,
    judge(results, name) {
      const deciles = results.loanOutcomes.flatMap(({ byName }) => byName[name]?.deciles ?? []);
      if (deciles.length === 0) return NOT_MEASURED;
      // Shares are written to a tenth of a per cent.
      const good = deciles.filter(
        ({ predicted, happened, error }) => Math.abs(predicted - happened) <= 2 * error + 0.1,
      );
      return judged(good.length >= DECILES, `${good.length} of ${deciles.length}`);
    },
  },
  {
    title: 'Estimates of other programs',
    measure: 'largest relative difference of fitted parameters to a published or separate fit',
    bound: `at most ${MOST_DIFFERENCE}`,
    judge(results, name) {
      const found = results.measured.benchmarks.filter(({ methodologies }) => methodologies.includes(name));
      if (found.length === 0) return NOT_MEASURED;
      const most = Math.max(...found.map(({ difference }) => difference));
      return judged(most <= MOST_DIFFERENCE, most.toExponential(1));
    },
  },
  {
    title: 'Equal answers',
    measure:
      'the loan of the sensitivities: digits on one thread and on two; largest difference of the SIMD engine in standard errors',
    bound: `equal; at most ${MOST_ENGINE_ERRORS}`,
    judge(results, name) {
      const { rows, oneThread, simd } = results.measured.sensitivities[name] ?? {};
      if (rows === undefined) return NOT_MEASURED;
      const { figures, errors } = rows[BASE];
      const isEqual = FIGURES.every(figure => figures[figure] === oneThread[figure]);
      const distances = FIGURES.filter(figure => errors[figure] > 0).map(
        figure => Math.abs(simd[figure] - figures[figure]) / errors[figure],
      );
      // Windows of history have intervals without a standard error for some figures.
      const most = Math.max(0, ...distances);
      return judged(
        isEqual && most <= MOST_ENGINE_ERRORS,
        `${isEqual ? 'equal' : 'different'}; ${most.toFixed(2)}`,
      );
    },
  },
  {
    title: 'Stability of the window',
    measure: 'PrLiquidation of that loan with a lookback of 180 days over that with 365, or the inverse',
    bound: `at most ${MOST_LOOKBACK_FACTOR}`,
    judge(results, name) {
      const { rows } = results.measured.sensitivities[name] ?? {};
      const [base, other] = [rows?.[BASE], rows?.['lookback of 180 days']].map(
        row => row?.figures?.PrLiquidation,
      );
      if (base === undefined || other === undefined || base * other === 0) return NOT_MEASURED;
      const factor = Math.max(base / other, other / base);
      return judged(factor <= MOST_LOOKBACK_FACTOR, factor.toFixed(2));
    },
  },
  {
    title: 'Answers of a hardware GPU',
    measure: 'tests of agreement with the reference on a GPU that is hardware (bench/results/first.json)',
    bound: 'all pass',
    judge({ gpu }) {
      const tests = gpu.rows.find(({ part }) => part === 'agreement');
      if (tests === undefined || tests.missing === 'not run') return NOT_MEASURED;
      return judged(tests.missing === undefined, `${gpu.device}: ${tests.found ?? tests.missing}`);
    },
  },
];

/** @typedef {ReturnType<typeof import('./results.mjs').readResults>} Results */

/**
 * The judgement of each criterion.
 * @param {Results} results
 * @param {string} name of a methodology
 * @returns {readonly Judgement[]}
 */
export const judgementsOf = (results, name) => CRITERIA.map(({ judge }) => judge(results, name));
