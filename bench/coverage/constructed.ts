/**
 * Intervals on samples that no request can bring about: windows of made-up histories, whose law is known, and the lowest ratio of
 * a loan.
 *
 * Takes: a number of seeds. Gives: how often the intervals held. Histories are hours of geometric Brownian motion, so that each window
 * has the law of a drawn path.
 */
import type { Engine } from '#src/core/engine.js';
import { minimumFigure } from '#src/core/figures/accuracy.js';
import { loanFigures, loanWindowFigures } from '#src/core/figures/loan.js';
import { exactTailFigures, tailWindowFigures } from '#src/core/figures/value-at-risk.js';
import type {
  GbmScenarios,
  HistoricalScenarios,
  LoanProduct,
  SimulationPlan,
  ValueAtRiskProduct,
} from '#src/core/plan/simulation-plan.js';
import { normalFromWord } from '#src/core/random/normal.js';
import { WordStream } from '#src/core/random/stream.js';
import { accuracyOverWindows } from '#src/question/accuracy/windows.js';
import { CoverageCount, type CoverageRow, numbersOf, rowsOf } from './figures.ts';

const LEVEL = 0.95;
const HOURS_PER_YEAR = 8760;
const VOLATILITY = 0.6;
/** Steps of a window, and windows: 30 of them do not overlap. */
const STEPS = 48;
const WINDOWS = 30 * STEPS;
const TRUTH_PATHS = 4_000_000;
const SEED_OF_TRUTH = 4_000_000_000;

const pair = { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) };
const gbm: GbmScenarios = {
  kind: 'gbm',
  assets: 2,
  annualVolatility: Float64Array.of(VOLATILITY, 0),
  factor: Float64Array.of(VOLATILITY, 0, 0, 0),
};
const loan: LoanProduct = {
  kind: 'loan',
  portfolio: pair,
  steps: STEPS,
  topUpSteps: 6,
  nominalRatio: 1.05,
  marginCallRatio: 1.035,
  liquidationRatio: 1.005,
  recoveryRatio: 1.045,
};
const tails: ValueAtRiskProduct = {
  kind: 'value-at-risk',
  portfolio: pair,
  collateralValue: 1500,
  loanValue: 1000,
  horizonYears: Float64Array.of(STEPS / HOURS_PER_YEAR),
  horizonSteps: Uint32Array.of(STEPS),
  quantiles: Float64Array.of(0.75, 0.9),
};

/** Hourly prices of one asset, and of one that does not move. */
function history(seed: number): HistoricalScenarios {
  const length = STEPS + WINDOWS;
  const prices = new Float64Array(length);
  const dt = 1 / HOURS_PER_YEAR;
  let x = 0;
  for (let t = 0; t < length; t++) {
    prices[t] = Math.exp(x);
    const word = new WordStream(seed, t, 0, 0).next();
    x += -(VOLATILITY * VOLATILITY * dt) / 2 + VOLATILITY * Math.sqrt(dt) * normalFromWord(word);
  }
  return { kind: 'historical', assets: 2, prices: [prices, new Float64Array(length).fill(1)], lead: STEPS };
}

/** A study of one kind of sample. */
export interface ConstructedCase {
  readonly name: string;
  readonly path: string;
  coverage(engine: Engine, seeds: number, onSeed?: (done: number) => void): Promise<CoverageRow[]>;
}

const asker = { caller: '', signal: new AbortController().signal };

const historicalLoan: ConstructedCase = {
  name: `HISTORICAL, ${WINDOWS} windows of ${STEPS} hours of made-up history`,
  path: '/loan_risk',
  async coverage(engine, seeds, onSeed) {
    const drawn: SimulationPlan<LoanProduct> = {
      seed: SEED_OF_TRUTH,
      paths: TRUTH_PATHS,
      scenarios: gbm,
      product: loan,
    };
    const truth = numbersOf({ ...loanFigures(await engine.run(drawn), { steps: STEPS }) });
    const count = new CoverageCount(truth);
    for (let seed = 0; seed < seeds; seed++) {
      const plan = { ...drawn, paths: WINDOWS, scenarios: history(seed) };
      const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
      const figures = loanWindowFigures(outcome, records, loan);
      count.add(rowsOf(await accuracyOverWindows(figures, WINDOWS, STEPS, LEVEL, asker)));
      onSeed?.(seed + 1);
    }
    return count.rows();
  },
};

const historicalTails: ConstructedCase = {
  name: historicalLoan.name,
  path: '/var',
  async coverage(engine, seeds, onSeed) {
    const drawn: SimulationPlan<ValueAtRiskProduct> = {
      seed: SEED_OF_TRUTH,
      paths: WINDOWS,
      scenarios: gbm,
      product: tails,
    };
    const truth = numbersOf(
      Object.fromEntries(
        Array.from(tails.quantiles, (q, i) => {
          const exact = Object.entries(exactTailFigures(drawn, 0, i));
          return [String(q), Object.fromEntries(exact.map(([name, { value }]) => [name, value]))];
        }),
      ),
    );
    const count = new CoverageCount(truth);
    for (let seed = 0; seed < seeds; seed++) {
      const plan = { ...drawn, scenarios: history(seed) };
      const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
      const figures = tailWindowFigures(tails, outcome, records, 0);
      const named = await accuracyOverWindows(figures, WINDOWS, STEPS, LEVEL, asker);
      // The loan does not move: its figures are constants.
      const rows = [...rowsOf(named)].filter(([name]) => !name.includes('Loan'));
      count.add(new Map(rows));
      onSeed?.(seed + 1);
    }
    return count.rows();
  },
};

/** WorstCaseCCR has no interval: what is judged is the share of all paths that lies below it. */
const lowestRatio: ConstructedCase = {
  name: 'GBM, one asset against USD, 2,000 paths: share of all paths below the lowest ratio',
  path: '/loan_risk',
  async coverage(engine, seeds, onSeed) {
    const PATHS = 2000;
    const plan = (seed: number, paths: number): SimulationPlan<LoanProduct> => ({
      seed,
      paths,
      scenarios: gbm,
      product: loan,
    });
    const { minimumRatio } = await engine.trace(plan(SEED_OF_TRUTH, 2 ** 20));
    const sorted = minimumRatio.toSorted();
    const count = new CoverageCount(new Map([['WorstCaseCCR', Number.NaN]]));
    const { mass_below: bound = Number.NaN } = minimumFigure(PATHS, LEVEL);
    for (let seed = 0; seed < seeds; seed++) {
      const { worstCcr } = await engine.run(plan(seed, PATHS));
      const lowest = worstCcr / loan.nominalRatio;
      const below = sorted.findIndex(ratio => ratio >= lowest) / sorted.length;
      count.count('WorstCaseCCR', 'tail-mass', true, below <= bound);
      onSeed?.(seed + 1);
    }
    return count.rows();
  },
};

export const CONSTRUCTED: readonly ConstructedCase[] = [historicalLoan, historicalTails, lowestRatio];
