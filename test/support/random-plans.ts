/**
 * Plans with random but reproducible parameters, over the shapes that matter: pairs and baskets, shared assets,
 * every scenario model, ratios near and far.
 */
import type {
  CappedLoanProduct,
  GarchScenarios,
  GbmScenarios,
  HistoricalScenarios,
  LoanProduct,
  PerpetualProduct,
  Portfolio,
  SimulationPlan,
  ValueAtRiskProduct,
} from '#src/core/plan/simulation-plan.js';
import { threefry4x32 } from '#src/core/random/threefry.js';

/** Uniform numbers of a case: the same case always gives the same numbers. */
export class Dice {
  private readonly seed: number;
  private at = 0;

  constructor(seed: number) {
    this.seed = seed;
  }

  /** In (low, high). */
  between(low: number, high: number): number {
    const [word] = threefry4x32([this.at++, 0, 0, 0], [this.seed, 1, 2, 3], 20);
    return low + ((high - low) * (word + 0.5)) / 2 ** 32;
  }

  /** A whole number in low..high. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  pick<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)];
  }
}

/** Lower-triangular factor of a random correlation matrix: rows of unit length. */
export function randomFactor(dice: Dice, n: number): Float64Array {
  const factor = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    const row = Array.from({ length: i + 1 }, (_, j) =>
      j === i ? dice.between(0.3, 1) : dice.between(-0.6, 0.8),
    );
    const length = Math.hypot(...row);
    for (let j = 0; j <= i; j++) factor[i * n + j] = row[j] / length;
  }
  return factor;
}

export function randomGbm(dice: Dice, n: number): GbmScenarios {
  const annualVolatility = Float64Array.from({ length: n }, () => dice.between(0.05, 1.6));
  const factor = randomFactor(dice, n).map((a, k) => a * annualVolatility[Math.floor(k / n)]);
  return { kind: 'gbm', assets: n, annualVolatility, factor };
}

export function randomGarch(dice: Dice, n: number): GarchScenarios {
  const alpha = Float64Array.from({ length: n }, () => dice.between(0, 0.3));
  const beta = alpha.map(a => dice.between(0, 0.98 - a));
  const daily = Float64Array.from({ length: n }, () => dice.between(0.0001, 0.006));
  return {
    kind: 'garch',
    assets: n,
    omega: daily.map((h, i) => h * (1 - alpha[i] - beta[i])),
    alpha,
    beta,
    firstVariance: daily.map(h => h * dice.between(0.3, 3)),
    factor: randomFactor(dice, n),
    volatilityScale: dice.between(0.5, 1.8),
  };
}

/** Series of a random walk; the windows are what matters. */
export function randomHistory(dice: Dice, n: number, lead: number, windows: number): HistoricalScenarios {
  const prices = Array.from({ length: n }, () => {
    let price = dice.between(0.1, 1000);
    return Float64Array.from({ length: lead + windows }, () => {
      price *= Math.exp(dice.between(-0.02, 0.02));
      return price;
    });
  });
  return { kind: 'historical', assets: n, prices, lead };
}

/** A pair of assets 0 and 1 either way round, or baskets over n assets that may share some. */
export function randomPortfolio(dice: Dice, n: number): Portfolio {
  const collateralWeights = new Float64Array(n);
  const loanWeights = new Float64Array(n);
  if (n <= 2) {
    const collateral = dice.whole(0, n - 1);
    collateralWeights[collateral] = 1;
    loanWeights[n - 1 - collateral] = 1;
  } else {
    for (let i = 0; i < n; i++) {
      const side = dice.whole(0, 2);
      if (side !== 1 || i === 0) collateralWeights[i] = dice.between(0.1, 1);
      if (side !== 0 || i === n - 1) loanWeights[i] = dice.between(0.1, 1);
    }
    normalise(collateralWeights);
    normalise(loanWeights);
  }
  return { collateralWeights, loanWeights };
}

function normalise(weights: Float64Array): void {
  const sum = weights.reduce((a, b) => a + b, 0);
  for (let i = 0; i < weights.length; i++) weights[i] /= sum;
}

/** L < M <= N, R above L but not always above M. */
export function randomRatios(dice: Dice) {
  const liquidationRatio = dice.between(0.8, 1.5);
  const marginCallRatio = liquidationRatio + dice.between(0.02, 0.4);
  const nominalRatio = marginCallRatio + dice.pick([0, dice.between(0, 0.1), dice.between(0.1, 0.8)]);
  const recoveryRatio = liquidationRatio + dice.between(0.01, 0.9);
  return { nominalRatio, marginCallRatio, liquidationRatio, recoveryRatio };
}

export type ModelKind = 'gbm' | 'garch' | 'historical';

export function randomScenarios(dice: Dice, kind: ModelKind, n: number, steps: number, paths: number) {
  if (kind === 'gbm') return randomGbm(dice, n);
  if (kind === 'garch') return randomGarch(dice, n);
  return randomHistory(dice, n, steps, paths);
}

/** A loan of 1 to 12 days on 1 to 6 assets. */
export function randomLoanPlan(seed: number, kind: ModelKind, paths: number): SimulationPlan<LoanProduct> {
  const dice = new Dice(seed);
  const assets = dice.whole(1, 6);
  const steps = dice.whole(1, 300);
  return {
    seed: dice.whole(0, 2 ** 32 - 1),
    paths,
    scenarios: randomScenarios(dice, kind, assets, steps, paths),
    product: {
      kind: 'loan',
      portfolio: randomPortfolio(dice, assets),
      ...randomRatios(dice),
      topUpSteps: dice.pick([0, 1, dice.whole(1, 48), 400]),
      steps,
    },
  };
}

/** A loan under way: a debt that grows or shrinks, most of them called at the start or with answered calls. */
export function randomUnderWayPlan(
  seed: number,
  kind: ModelKind,
  paths: number,
): SimulationPlan<LoanProduct> {
  const plan = randomLoanPlan(seed, kind, paths);
  const dice = new Dice(seed + 2_000_000);
  const { product } = plan;
  const { marginCallRatio, liquidationRatio, recoveryRatio } = product;
  const topUpSteps = Math.max(1, product.topUpSteps);
  const begins = dice.pick(['as ever', 'open', 'called', 'called', 'liquidated'] as const);
  const isBelow = begins === 'called' || begins === 'liquidated';
  // Shocked baskets do not begin with the same value.
  const shock = begins === 'as ever' ? 1 : dice.pick([1, dice.between(0.9, 1.1)]);
  const startCcr =
    begins === 'liquidated' ? 0.9 * liquidationRatio : dice.between(liquidationRatio, marginCallRatio);
  const delaySteps = dice.whole(1, topUpSteps);
  return {
    ...plan,
    product: {
      ...product,
      portfolio: {
        ...product.portfolio,
        collateralWeights: product.portfolio.collateralWeights.map(weight => weight * shock),
      },
      nominalRatio: isBelow ? startCcr / shock : product.nominalRatio / Math.min(1, shock),
      topUpSteps,
      debtGrowth: dice.pick([1, dice.between(0.8, 1), dice.between(1, 1.5)]),
      ...(begins === 'as ever'
        ? {}
        : { start: { status: begins, deadlineStep: dice.whole(1, Math.max(1, topUpSteps)) } }),
      ...(dice.pick([true, true, false])
        ? {
            answers: {
              share: dice.pick([0, 0.3, 0.7, 1]),
              delaySteps,
              startStep: dice.pick([0, 1, delaySteps]),
              toRatio: Math.max(marginCallRatio + 0.01, recoveryRatio) * dice.pick([1, dice.between(1, 1.3)]),
              nameHigh: dice.whole(0, 2 ** 32 - 1),
              nameLow: dice.whole(0, 2 ** 32 - 1),
            },
          }
        : {}),
    },
  };
}

/** The same loan with a capped sale of 0 to about one loan per day. */
export function randomCappedPlan(
  seed: number,
  kind: ModelKind,
  paths: number,
): SimulationPlan<CappedLoanProduct> {
  const plan = randomLoanPlan(seed, kind, paths);
  const dice = new Dice(seed + 1_000_000);
  const capacityPerStep = dice.pick([0, dice.between(0, 0.002), dice.between(0.002, 0.05), 10]);
  return { ...plan, product: { ...plan.product, kind: 'capped-loan', capacityPerStep } };
}

/** The same loan under way with a capped sale. */
export function randomCappedUnderWayPlan(
  seed: number,
  kind: ModelKind,
  paths: number,
): SimulationPlan<CappedLoanProduct> {
  const plan = randomUnderWayPlan(seed, kind, paths);
  const dice = new Dice(seed + 3_000_000);
  const capacityPerStep = dice.pick([0, dice.between(0, 0.002), dice.between(0.002, 0.05), 10]);
  return { ...plan, product: { ...plan.product, kind: 'capped-loan', capacityPerStep } };
}

/** Positions long and short, linear and inverse, that are not liquidated at the start. */
export function randomPerpetualPlan(
  seed: number,
  kind: ModelKind,
  paths: number,
): SimulationPlan<PerpetualProduct> {
  const dice = new Dice(seed);
  const steps = dice.whole(3, 400);
  const contract = dice.pick(['linear', 'inverse'] as const);
  const entryPrice = dice.between(0.01, 60000);
  const notional = dice.between(100, 1e6);
  const sign = dice.pick([-1, 1]);
  const quantity = sign * (contract === 'linear' ? notional / entryPrice : notional);
  const margin = (contract === 'linear' ? notional : notional / entryPrice) / dice.between(1.2, 40);
  return {
    seed: dice.whole(0, 2 ** 32 - 1),
    paths,
    scenarios: randomScenarios(dice, kind, 1, steps, paths),
    product: {
      kind: 'perpetual',
      contract,
      quantity,
      entryPrice,
      startPrice: entryPrice,
      initialMargin: margin,
      unrealizedPnl: 0,
      fundingRatePerInterval: dice.between(-0.002, 0.002),
      settlements: Uint32Array.from({ length: steps }, (_, t) => (t % 8 === 7 ? dice.pick([1, 1, 2]) : 0)),
      debitsOnly: dice.pick([true, false]),
      maintenanceMarginRate: 0.005,
      takerFeeRate: dice.pick([0, 0.0005, 0.02]),
      marginCallMultiple: 1.25,
      steps,
      // Of one of two seeds, so that the others have the terms of before.
      ...(seed % 2 === 1 && { keepsRemainder: true }),
    },
  };
}

/** One to nine horizons of up to a year in all, one to five quantiles, a loan below and above its collateral. */
export function randomValueAtRiskPlan(seed: number, paths: number): SimulationPlan<ValueAtRiskProduct> {
  const dice = new Dice(seed);
  const assets = dice.whole(1, 6);
  const collateralValue = dice.between(1e3, 1e7);
  let years = 0;
  return {
    seed: dice.whole(0, 2 ** 32 - 1),
    paths,
    scenarios: randomGbm(dice, assets),
    product: {
      kind: 'value-at-risk',
      portfolio: randomPortfolio(dice, assets),
      collateralValue,
      loanValue: collateralValue * dice.between(0.3, 1.2),
      horizonYears: Float64Array.from({ length: dice.whole(1, 9) }, () => {
        years += dice.between(0.0005, 0.1);
        return years;
      }),
      horizonSteps: new Uint32Array(0),
      quantiles: Float64Array.from({ length: dice.whole(1, 5) }, () => dice.between(0.01, 0.999)).sort(),
    },
  };
}
