/**
 * What accounts of perpetuals take: bench/results/operations/accounts.json.
 *
 *   npm run --silent prebench && node build/bench/operations/accounts.js
 *
 * In units of an asset-step of a loan of two assets in the same process, by account; four positions against four isolated ones; five positions
 * with touches against W1, and against NumPy (bench/peers/account_numpy.py). Checks come first: the chance of a forced close of each account is
 * that of test/support/check-accounts.ts within four standard errors, and the figures of five positions are those of NumPy.
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { AccountOutcome } from '#src/core/engine.js';
import { type AccountProduct, equityAtStart } from '#src/core/plan/product/account.js';
import { settlementsPerStep } from '#src/core/plan/product/perpetual.js';
import type { GbmScenarios, PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { weighedWork } from '#src/core/plan/work.js';
import { runRange } from '#src/core/reference/products.js';
import { runSimdRange } from '#src/core/simd/products.js';
import { nativeKernels, openNativeKernel } from '#src/engine/native/native-kernels.js';
import { loadKernel } from '#src/engine/wasm/read-kernel.js';
import {
  ACCOUNTS,
  type AccountName,
  accountPlan,
  FORCED_CLOSES,
  venue,
} from '../../test/support/check-accounts.ts';
import { planText } from '../plan-text.ts';
import { planNamed } from '../plans.ts';

const PATHS = 4000;
const REPEATS = 3;
const SEED = 3;
const ROOT = new URL('../../../', import.meta.url);
const FEE_RATE = 0.0005;
const MAINTENANCE = 0.02;
const HOURS = 168;

interface Engine {
  /** Paths of a comparison: some tenths of a second. */
  readonly paths: number;
  readonly run: (plan: SimulationPlan) => unknown;
}

const simd = (kernel: ReturnType<typeof loadKernel>) => (plan: SimulationPlan) =>
  runSimdRange(kernel, plan, { first: 0, count: plan.paths });
const widest = nativeKernels()
  .filter(({ isSupported }) => isSupported)
  .at(-1);
const ENGINES: Readonly<Record<string, Engine>> = {
  reference: { paths: 2000, run: plan => runRange(plan, { first: 0, count: plan.paths }) },
  simd: { paths: 8000, run: simd(loadKernel()) },
  ...(widest && { [widest.name]: { paths: 40_000, run: simd(openNativeKernel(widest.name)) } }),
};

/** Milliseconds of the processor: work of others lengthens them less than those of a clock. */
function milliseconds(run: () => unknown): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Milliseconds of the fastest of some runs of each, in turn. */
function fastest(...runs: readonly (() => unknown)[]): number[] {
  const best = runs.map(() => Number.POSITIVE_INFINITY);
  for (let repeat = 0; repeat < REPEATS; repeat++)
    runs.forEach((run, k) => {
      best[k] = Math.min(best[k], milliseconds(run));
    });
  return best;
}

/** A hedged account of so many linear positions, one an asset, at ten times its equity. */
function positions(count: number, paths: number, bridgeVariance: number): SimulationPlan<AccountProduct> {
  const A5 = accountPlan('A5', paths, SEED, bridgeVariance);
  const volatility = Float64Array.from({ length: count }, (_, i) => 0.55 + 0.1 * i);
  return {
    ...A5,
    scenarios: marketOf(volatility),
    product: {
      ...A5.product,
      venue: venue({ strict: false, close: { rule: 'all' }, feeRate: FEE_RATE }),
      currencies: [{ asset: count, price: 1, balance: 1000, haircut: 0, debtMarkup: 0 }],
      rows: Array.from({ length: count }, (_, asset) => ({
        ...{ asset, currency: 0, inverse: false, coin: false },
        quantity: ((asset % 2 === 0 ? 1 : -1) * 100) / count,
        ...{ entryPrice: 100, markPrice: 100, assetPrice: 100 },
        tiers: [
          { from: 0, rate: MAINTENANCE, deduction: 0 },
          { from: 5000, rate: 2 * MAINTENANCE, deduction: 5000 * MAINTENANCE },
        ],
        ...{ fundingRate: 0.0001, fundingIntervalHours: 8 },
      })),
      ...{ slippage: 0.0005, slippageGrowth: 0, steps: HOURS },
    },
  };
}

/** Correlation 0.6 of all pairs. */
function marketOf(volatility: Float64Array): GbmScenarios {
  const n = volatility.length;
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      let sum = i === j ? 1 : 0.6;
      for (let k = 0; k < j; k++) sum -= factor[i * n + k] * factor[j * n + k];
      factor[i * n + j] = i === j ? Math.sqrt(sum) : sum / factor[j * n + j];
    }
  return {
    kind: 'gbm',
    assets: n,
    annualVolatility: volatility,
    factor: factor.map((loading, k) => loading * volatility[Math.floor(k / n)]),
  };
}

/** A position of an account by itself, with a part of the collateral. */
function isolated(
  { product, scenarios, ...rest }: SimulationPlan<AccountProduct>,
  i: number,
): SimulationPlan {
  const { quantity, entryPrice, markPrice, fundingRate, fundingIntervalHours } = product.rows[i];
  if (scenarios.kind !== 'gbm') throw new RangeError(scenarios.kind);
  const position: PerpetualProduct = {
    kind: 'perpetual',
    contract: 'linear',
    ...{ quantity, entryPrice, startPrice: markPrice, unrealizedPnl: 0 },
    initialMargin: product.currencies[0].balance / product.rows.length,
    fundingRatePerInterval: fundingRate,
    settlements: settlementsPerStep(product.steps, fundingIntervalHours),
    debitsOnly: false,
    maintenanceMarginRate: MAINTENANCE,
    takerFeeRate: FEE_RATE,
    marginCallMultiple: 1.25,
    steps: product.steps,
  };
  return { ...rest, scenarios: marketOf(scenarios.annualVolatility.slice(i, i + 1)), product: position };
}

/** The rate of NumPy, once its figures are those of the reference. */
function numpy(): number {
  const plan = positions(5, 20_000, 1);
  const said = execFileSync(
    process.env.PYTHON ?? 'python3',
    [new URL('bench/peers/account_numpy.py', ROOT).pathname, String(plan.paths), '3', '2000'],
    { input: planText(plan), encoding: 'utf8' },
  );
  const line = JSON.parse(said) as {
    readonly P: number;
    readonly fastest_s: number;
    readonly paths_pooled: number;
    readonly figures: Readonly<Record<string, number>>;
  };
  const own = (widest ? ENGINES[widest.name] : ENGINES.simd).run({
    ...plan,
    paths: 40_000,
  }) as AccountOutcome;
  const start = equityAtStart(plan.product);
  const columns = {
    gain: own.finalEquity.map(equity => equity - start),
    accumulatedFunding: own.accumulatedFunding,
    maxEquityDrawdown: own.maxEquityDrawdown,
    medianLeverage: own.medianLeverage,
  };
  const check = (name: string, mean: number, variance: number) => {
    const error = Math.sqrt(variance * (1 / own.paths + 1 / line.paths_pooled));
    if (Math.abs(mean - line.figures[name]) > 4 * error)
      throw new Error(`${name}: ${mean}, NumPy has ${line.figures[name]}, standard error ${error}`);
  };
  for (const name of ['marginCalls', 'liquidations'] as const) {
    const share = own[name] / own.paths;
    check(name, share, share * (1 - share));
  }
  for (const [name, column] of Object.entries(columns)) {
    const mean = column.reduce((sum, x) => sum + x, 0) / own.paths;
    check(name, mean, column.reduce((sum, x) => sum + (x - mean) ** 2, 0) / own.paths);
  }
  return (1e6 * line.fastest_s) / line.P;
}

const units: Record<string, number> = {};
const rows: object[] = [];
const comparisons: Record<string, number | string>[] = [];
const microseconds = (time: number, paths: number) => Number(((1000 * time) / paths).toPrecision(3));
const ratio = (value: number) => Number(value.toPrecision(3));
const ofNumpy = numpy();

for (const [engine, { run, paths }] of Object.entries(ENGINES)) {
  const loan = planNamed('w1').plan(2000, SEED);
  const [ofLoan] = fastest(() => run(loan));
  const perLoanStep = ofLoan / weighedWork(loan);
  const costs: number[] = [];
  for (const name of Object.keys(ACCOUNTS) as AccountName[]) {
    const hourly = accountPlan(name, PATHS, SEED, 0);
    const outcome = run(hourly) as AccountOutcome;
    const share = FORCED_CLOSES[name];
    const error = Math.sqrt((share * (1 - share)) / PATHS);
    if (Math.abs(outcome.forcedCloses / PATHS - share) > 4 * error)
      throw new Error(`${name} on ${engine}: a share of ${outcome.forcedCloses / PATHS}, not ${share}`);
    for (const bridge of [0, 1]) {
      const plan = accountPlan(name, PATHS, SEED, bridge);
      const [ofAccount] = fastest(() => run(plan));
      const cost = ofAccount / weighedWork(plan) / perLoanStep;
      costs.push(cost);
      rows.push({
        engine,
        account: name,
        bridge,
        microsecondsPerPath: microseconds(ofAccount, PATHS),
        units: ratio(cost),
      });
    }
  }
  units[engine] = ratio(Math.exp(costs.reduce((sum, cost) => sum + Math.log(cost), 0) / costs.length));

  const four = positions(4, paths, 0);
  const apart = four.product.rows.map((_, i) => isolated(four, i));
  const five = positions(5, paths, 1);
  const w1 = planNamed('w1').plan(paths, SEED);
  const [together, separate, bridged, ofW1] = fastest(
    () => run(four),
    () => apart.map(run),
    () => run(five),
    () => run(w1),
  );
  comparisons.push({
    engine,
    fourPositions: microseconds(together, paths),
    fourIsolated: microseconds(separate, paths),
    overIsolated: ratio(together / separate),
    fivePositions: microseconds(bridged, paths),
    w1: microseconds(ofW1, paths),
    overW1: ratio(bridged / ofW1),
    numpy: ratio(ofNumpy),
    numpyOver: ratio(ofNumpy / ((1000 * bridged) / paths)),
  });
}
const file = new URL('bench/results/operations/accounts.json', ROOT);
writeFileSync(file, `${JSON.stringify({ units, comparisons, rows }, undefined, 2)}\n`);
console.log(JSON.stringify({ units, comparisons }, undefined, 1));
