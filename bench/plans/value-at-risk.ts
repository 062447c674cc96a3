/**
 * Value at risk of one collateral against one loan asset after 1, 7 and 30 days, at two quantiles.
 *
 * Collateral and loan are lognormal, so their tails have closed forms; the net exposure's are integrals in one
 * dimension. The standard errors come from a sample of the paths themselves.
 */
import type { Engine, Tail as EngineTail, ValueAtRiskOutcome } from '#src/core/engine.js';
import type { SimulationPlan, ValueAtRiskProduct } from '#src/core/plan/simulation-plan.js';
import { lognormalTail } from '../../test/support/closed-forms/lognormal-tail.ts';
import { netExposureTail } from '../../test/support/closed-forms/net-exposure-tail.ts';
import { type BenchPlan, type FinishedRun, pooled } from '../bench-plan.ts';
import type { Comparison } from '../judge.ts';

const COLLATERAL = { value: 7_500, volatility: 0.8 };
const LOAN = { value: 5_000, volatility: 0.1 };
const CORRELATION = 0.3;
const HORIZON_DAYS = [1, 7, 30];
const DAYS_PER_YEAR = 365;
const QUANTILES = [0.95, 0.99];
const TRACED_PATHS = 65_536;
/** Closed forms and single precision, as a fraction of the values at the start. */
const ALLOWANCE = 1e-6;
/** The two figures of a tail. */
type Tail = Pick<EngineTail, 'quantile' | 'tailMean'>;

/** Half the width, in probability over 1 - q, of the interval that a density is estimated on. */
const DENSITY_HALF_WIDTH = 0.2;

const SIDES = ['collateral', 'loan', 'netExposure'] as const;
type Side = (typeof SIDES)[number];

export const valueAtRiskPlan: BenchPlan<ValueAtRiskProduct> = {
  name: 'value-at-risk',
  title: 'Value at risk, one asset against one, three horizons, two quantiles',
  paths: { quick: 20_000, cpu: 500_000, software: 50_000, gpu: 4_000_000 },
  plan: (paths, seed) => ({
    seed,
    paths,
    scenarios: {
      kind: 'gbm',
      assets: 2,
      annualVolatility: Float64Array.of(COLLATERAL.volatility, LOAN.volatility),
      factor: Float64Array.of(
        COLLATERAL.volatility,
        0,
        LOAN.volatility * CORRELATION,
        LOAN.volatility * Math.sqrt(1 - CORRELATION ** 2),
      ),
    },
    product: {
      kind: 'value-at-risk',
      portfolio: { collateralWeights: Float64Array.of(1, 0), loanWeights: Float64Array.of(0, 1) },
      collateralValue: COLLATERAL.value,
      loanValue: LOAN.value,
      horizonYears: Float64Array.from(HORIZON_DAYS, days => days / DAYS_PER_YEAR),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.from(QUANTILES),
    },
  }),
  async judge(runs, engine) {
    const sample = await sampleValues(runs[0].plan, engine);
    const paths = pooled(runs, outcome => outcome.paths);
    return HORIZON_DAYS.flatMap((days, k) =>
      SIDES.flatMap(side =>
        QUANTILES.flatMap((quantile, j) => {
          const known = closedForm(side, days / DAYS_PER_YEAR, quantile);
          const got = meanTail(runs, outcome => outcome.horizons[k][side][j]);
          return compareTails(
            `${side}, ${days} days, ${quantile}`,
            got,
            known,
            standardErrors(sample[k][side], known, quantile, paths),
          );
        }),
      ),
    );
  },
};

function closedForm(side: Side, years: number, quantile: number): Tail {
  if (side === 'collateral') return lognormalTail(COLLATERAL.value, COLLATERAL.volatility, years, quantile);
  if (side === 'loan') return lognormalTail(LOAN.value, LOAN.volatility, years, quantile);
  const exposure = {
    collateralValue: COLLATERAL.value,
    loanValue: LOAN.value,
    collateralVolatility: COLLATERAL.volatility,
    loanVolatility: LOAN.volatility,
    correlation: CORRELATION,
    years,
  };
  return netExposureTail(exposure, quantile);
}

/** Mean of a tail over the runs, which have the same number of paths each. */
function meanTail(
  runs: readonly FinishedRun<ValueAtRiskProduct>[],
  tail: (outcome: ValueAtRiskOutcome) => Tail,
): Tail {
  const mean = (figure: keyof Tail) => pooled(runs, outcome => tail(outcome)[figure]) / runs.length;
  return {
    quantile: mean('quantile'),
    tailMean: mean('tailMean'),
  };
}

function compareTails(what: string, got: Tail, known: Tail, standardError: Tail): Comparison[] {
  const allowance = ALLOWANCE * (COLLATERAL.value + LOAN.value);
  return (['quantile', 'tailMean'] as const).map(figure => ({
    figure: `${figure} of ${what}`,
    got: got[figure],
    known: known[figure],
    standardError: standardError[figure],
    allowance,
  }));
}

/** Values of a sample of paths by horizon, in rising order. */
async function sampleValues(
  plan: SimulationPlan<ValueAtRiskProduct>,
  engine: Engine,
): Promise<Readonly<Record<Side, Float64Array>>[]> {
  const records = await engine.trace({ ...plan, paths: TRACED_PATHS });
  return HORIZON_DAYS.map((_, k) => {
    const collateral = records[`collateral.${k}`].map(c => COLLATERAL.value * c);
    const loan = records[`loan.${k}`].map(l => LOAN.value * l);
    const netExposure = collateral.map((c, p) => c - loan[p]);
    return { collateral: collateral.sort(), loan: loan.sort(), netExposure: netExposure.sort() };
  });
}

/**
 * Of a quantile, sqrt(p (1 - p) / n) over the density there; of a tail mean, the deviation of the shortfall over
 * p sqrt(n), p = 1 - q. Both from the sample.
 */
function standardErrors(sample: Float64Array, known: Tail, quantile: number, paths: number): Tail {
  const p = 1 - quantile;
  const at = (share: number) => sample[Math.floor(share * sample.length)];
  const density =
    (2 * DENSITY_HALF_WIDTH * p) / (at(p * (1 + DENSITY_HALF_WIDTH)) - at(p * (1 - DENSITY_HALF_WIDTH)));
  const shortfall = sample.map(value => Math.max(0, known.quantile - value));
  const mean = shortfall.reduce((a, b) => a + b, 0) / sample.length;
  const variance = shortfall.reduce((a, b) => a + (b - mean) ** 2, 0) / sample.length;
  return {
    quantile: Math.sqrt((p * (1 - p)) / paths) / density,
    tailMean: Math.sqrt(variance / paths) / p,
  };
}
