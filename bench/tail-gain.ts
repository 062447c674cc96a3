/**
 * What shifted paths gain for loans and books: how many plain paths one of them is worth, figure by figure.
 *
 *   node build/bench/tail-gain.js [seeds]
 *
 * The gain is `effective_scenarios` over the paths, the median of the seeds; that these errors are right is what the coverage study
 * judges. One thread of the SIMD kernel; plain and shifted paths take turns on the clock.
 */
import { spreadOver } from '#src/core/book/by-asset.js';
import type { AccuracyFigures, FigureAccuracy } from '#src/core/figures/accuracy.js';
import { weightedLoanFigures } from '#src/core/figures/loan.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { OutcomeOf } from '#src/core/plan/products.js';
import type { GbmScenarios, LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import type { WeightedMean } from '#src/core/stats/weighted.js';
import { openSimdThreads } from '#src/engine/threads/simd-engine.js';
import { openThreadPool } from '#src/engine/threads/thread-pool.js';
import { shiftedScenarios } from '#src/models/calibration/shifted-scenarios.js';
import { bookAccuracy } from '#src/question/book/accuracy.js';
import { report } from './operations/figures.ts';

const PATHS = 20_000;
const CORRELATION = 0.6;
const STEPS = 720;
const LEVEL = 0.95;
const seeds = Number(process.argv[2] ?? 20);
const engine = openSimdThreads(openThreadPool(1));

/** So many coins of 50 to 90 % a year, and a dollar behind them. */
function coins(n: number): GbmScenarios {
  const assets = n + 1;
  const sigma = Float64Array.from({ length: assets }, (_, i) => (i === n ? 0 : 0.5 + 0.1 * i));
  const factor = new Float64Array(assets * assets);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : CORRELATION;
      for (let k = 0; k < j; k++) sum -= factor[i * assets + k] * factor[j * assets + k];
      factor[i * assets + j] = i === j ? Math.sqrt(sum) : sum / factor[j * assets + j];
    }
  }
  return {
    kind: 'gbm',
    assets,
    annualVolatility: sigma,
    factor: factor.map((entry, at) => entry * sigma[Math.floor(at / assets)]),
  };
}

const inDollars = (n: number) => Float64Array.from({ length: n + 1 }, (_, i) => Number(i === n));

/** A loan of dollars against equal parts of `n` coins. */
function loanPlan(n: number, nominalRatio: number): SimulationPlan<LoanProduct> {
  return {
    seed: 0,
    paths: PATHS,
    scenarios: coins(n),
    product: {
      kind: 'loan',
      portfolio: {
        collateralWeights: Float64Array.from({ length: n + 1 }, (_, i) => (i === n ? 0 : 1 / n)),
        loanWeights: inDollars(n),
      },
      steps: STEPS,
      topUpSteps: 24,
      nominalRatio,
      marginCallRatio: 1.3,
      liquidationRatio: 1.15,
      recoveryRatio: 1.4,
    },
  };
}

/** Loans of dollars, each against one of three coins or all of them, of 30 days and of 7. */
function bookPlan(): SimulationPlan<BookProduct> {
  const n = 3;
  const loans = 24;
  const perLoan = (of: (k: number) => number) => Float64Array.from({ length: loans }, (_, k) => of(k));
  const whole = (of: (k: number) => number) => Uint32Array.from({ length: loans }, (_, k) => of(k));
  const rows = [0, 1, 2].map(coin => Array.from({ length: n + 1 }, (_, i) => Number(i === coin)));
  return {
    seed: 0,
    paths: PATHS,
    scenarios: coins(n),
    product: {
      kind: 'book',
      steps: STEPS + 24,
      saleDelaySteps: 24,
      saleCost: 0.02,
      daySteps: 24,
      quantiles: Float64Array.of(0.99, 0.999),
      collateralWeights: Float64Array.from([...rows, [1 / 3, 1 / 3, 1 / 3, 0]].flat()),
      loanWeights: Float64Array.from(Array.from({ length: 4 }, () => [...inDollars(n)]).flat()),
      basket: whole(k => k % 4),
      termSteps: whole(k => (k % 6 === 5 ? 168 : STEPS)),
      topUpSteps: whole(() => 24),
      loanValue: perLoan(k => 1000 * (1 + (k % 5))),
      nominalRatio: perLoan(k => (k % 6 === 5 ? 1.35 : 1.4 + 0.02 * k)),
      marginCallRatio: perLoan(() => 1.25),
      liquidationRatio: perLoan(() => 1.15),
      recoveryRatio: perLoan(() => 1.35),
    },
  };
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];
const processorSeconds = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};

interface Seen {
  readonly value: number;
  readonly gain: number;
}

/** Asks with every seed; returns the median and the gain of each figure, and the time of both kinds of paths. */
async function study<P extends LoanProduct | BookProduct>(
  plan: SimulationPlan<P>,
  exposed: { readonly collateral: Float64Array; readonly debt: Float64Array },
  figuresOf: (plan: SimulationPlan<P>, outcome: OutcomeOf<P>) => Promise<ReadonlyMap<string, Seen>>,
) {
  const seen = new Map<string, Seen[]>();
  const seconds = { random: [] as number[], tail: [] as number[] };
  for (let seed = 0; seed < seeds; seed++) {
    const scenarios = shiftedScenarios(plan.scenarios as GbmScenarios, exposed, plan.product.steps, seed);
    let begin = processorSeconds();
    await engine.run({ ...plan, seed });
    seconds.random.push(processorSeconds() - begin);
    begin = processorSeconds();
    const outcome = await engine.run({ ...plan, seed, scenarios });
    seconds.tail.push(processorSeconds() - begin);
    for (const [name, each] of await figuresOf({ ...plan, seed, scenarios }, outcome))
      if (Number.isFinite(each.gain)) seen.set(name, [...(seen.get(name) ?? []), each]);
  }
  const figures = [...seen].map(([name, all]) => ({
    figure: name,
    value: median(all.map(({ value }) => value)),
    gain: median(all.map(({ gain }) => gain)),
  }));
  return { slower: median(seconds.tail) / median(seconds.random), figures };
}

interface LoanRow {
  readonly coins: number;
  readonly nominalRatio: number;
  readonly slower: number;
  readonly figures: readonly (Seen & { readonly figure: string })[];
}

const loans: LoanRow[] = [];
for (const [assets, ratio] of [
  [1, 1.5],
  [1, 1.9],
  [1, 2.2],
  [5, 1.5],
  [5, 1.9],
] as const) {
  const plan = loanPlan(assets, ratio);
  const { collateralWeights, loanWeights } = plan.product.portfolio;
  const found = await study(
    plan,
    { collateral: collateralWeights, debt: loanWeights },
    async (each, outcome) => {
      const figures: Record<string, WeightedMean> = weightedLoanFigures(outcome, each.product) ?? {};
      return new Map(
        Object.entries(figures).map(([name, { mean, effective = Number.NaN }]) => [
          name,
          { value: mean, gain: effective / PATHS },
        ]),
      );
    },
  );
  loans.push({ coins: assets, nominalRatio: ratio, ...found });
  console.error(`${assets} coins, N ${ratio}`);
}

const isFigure = (value: FigureAccuracy | AccuracyFigures): value is FigureAccuracy =>
  typeof value.method === 'string';
/** Figures by their places, joined by " / ". */
function flat(figures: AccuracyFigures, prefix = ''): [string, FigureAccuracy][] {
  return Object.entries(figures).flatMap(([name, value]): [string, FigureAccuracy][] =>
    isFigure(value) ? [[prefix + name, value]] : flat(value, `${prefix}${name} / `),
  );
}

const book = bookPlan();
const { product } = book;
const asker = { signal: new AbortController().signal, caller: '' };
const bookFound = await study(
  book,
  {
    collateral: spreadOver(
      product,
      product.collateralWeights,
      4,
      k => product.nominalRatio[k] * product.loanValue[k],
    ),
    debt: spreadOver(product, product.loanWeights, 4, k => product.loanValue[k]),
  },
  async (plan, outcome) => {
    const ids = Array.from(product.loanValue, (_, k) => `loan ${k}`);
    const { Book, Loans } = await bookAccuracy(plan, outcome, ids, LEVEL, asker);
    const gains = flat({
      Book,
      'loan 3, 30 days': (Loans as AccuracyFigures)['loan 3'],
      'loan 11, 7 days': (Loans as AccuracyFigures)['loan 11'],
    });
    return new Map(
      gains.map(([name, { low, high, effective_scenarios }]) => [
        name,
        { value: (Number(low) + Number(high)) / 2, gain: Number(effective_scenarios ?? Number.NaN) / PATHS },
      ]),
    );
  },
);
await engine.close();

const gainOf = (n: number, ratio: number, figure: string) =>
  loans
    .find(row => row.coins === n && row.nominalRatio === ratio)
    ?.figures.find(each => each.figure === figure)?.gain ?? 0;

report(
  'tail-gain',
  'node build/bench/tail-gain.js',
  { paths: PATHS, seeds, steps: STEPS, correlation: CORRELATION, loans, book: bookFound },
  {
    'a state of some 1e-4 of five coins is as sure as with 100 times the paths':
      gainOf(5, 1.9, 'PrUnderwater') > 100,
    'no figure of a loan is less sure than with half the paths': loans.every(row =>
      row.figures.every(({ gain }) => gain > 0.45),
    ),
  },
);
