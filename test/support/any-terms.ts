/**
 * Loans, positions and books with terms anywhere within the bounds of a request: thresholds far from 1, below 1 and next to
 * each other, a term of one step, a position with a mark far from its entry, prices that hardly move.
 */
import { type BookLending, LOAN_START, plainLending } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  PerpetualProduct,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { randomBook } from './random-books.ts';
import {
  Dice,
  type ModelKind,
  randomPerpetualPlan,
  randomPortfolio,
  randomScenarios,
} from './random-plans.ts';

/** M near `center`, L at or below it, N at or above it, R above L, each by some `spread` of its logarithm. */
function anyRatios(dice: Dice, center: number, spread: number) {
  const upTo = (most: number) => Math.exp(dice.between(0, most * spread));
  const marginCallRatio = center * Math.exp(dice.between(-spread, spread));
  const liquidationRatio = marginCallRatio / dice.pick([1, upTo(2)]);
  return {
    marginCallRatio,
    liquidationRatio,
    nominalRatio: marginCallRatio * dice.pick([1, upTo(1), upTo(3)]),
    recoveryRatio: liquidationRatio * (1e-6 + upTo(3)),
  };
}

/** Of some loans, collateral weights times thresholds of the assets, and the most that L can be; `ratio` is the least of the others. */
function anyThresholds(dice: Dice, collateralWeights: Float64Array, ratio: number, spread: number) {
  const ratios = collateralWeights.map(() => ratio * Math.exp(dice.between(0, 2 * spread)));
  return {
    liquidationWeights: collateralWeights.map((weight, i) => weight / ratios[i]),
    liquidationRatio: ratios.reduce(
      (most, each, i) => (collateralWeights[i] > 0 ? Math.max(most, each) : most),
      0,
    ),
  };
}

export function anyLoanPlan(seed: number, model: ModelKind, paths: number): SimulationPlan<LoanProduct> {
  const plan = plainLoanPlan(seed, model, paths);
  const dice = new Dice(8_000_000 + seed);
  return plan.scenarios.assets < 3 || dice.pick([true, false]) ? plan : withAssetThresholds(plan, dice);
}

/** The same loan with thresholds of liquidation by asset. */
export function withAssetThresholds<P extends SimulationPlan<LoanProduct | CappedLoanProduct>>(
  plan: P,
  dice: Dice,
): P {
  const { portfolio, liquidationRatio } = plan.product;
  const spread = dice.pick([0.02, 0.2]);
  const thresholds = anyThresholds(dice, portfolio.collateralWeights, liquidationRatio, spread);
  return { ...plan, product: { ...plan.product, ...thresholds } };
}

function plainLoanPlan(seed: number, model: ModelKind, paths: number): SimulationPlan<LoanProduct> {
  const dice = new Dice(4_000_000 + seed);
  const assets = dice.whole(1, 4);
  const steps = dice.pick([1, 2, 23, 24, 25, 100, 257]);
  return {
    seed: dice.whole(0, 2 ** 32 - 1),
    paths,
    scenarios: randomScenarios(dice, model, assets, steps, paths),
    product: {
      kind: 'loan',
      portfolio: randomPortfolio(dice, assets),
      ...anyRatios(dice, dice.pick([1, 1, 0.5, 2, 20, 0.1]), dice.pick([0.02, 0.1, 0.3])),
      topUpSteps: dice.pick([0, 0, 1, 2, 24, steps - 1, steps, 400]),
      steps,
    },
  };
}

export function anyCappedPlan(
  seed: number,
  model: ModelKind,
  paths: number,
): SimulationPlan<CappedLoanProduct> {
  const plan = anyLoanPlan(seed, model, paths);
  const dice = new Dice(5_000_000 + seed);
  const capacityPerStep = dice.pick([0, dice.between(0, 0.002), dice.between(0.002, 0.05), 0.3, 10]);
  return { ...plan, product: { ...plan.product, kind: 'capped-loan', capacityPerStep } };
}

/** Some are shocked at the start, and some of these called or liquidated by it. */
export function anyPositionPlan(
  seed: number,
  model: ModelKind,
  paths: number,
): SimulationPlan<PerpetualProduct> {
  const plan = randomPerpetualPlan(seed, model, paths);
  const dice = new Dice(6_000_000 + seed);
  const { product } = plan;
  const { contract, quantity, entryPrice } = product;
  const isLinear = contract === 'linear';
  const profitAt = (price: number) =>
    isLinear ? quantity * (price - entryPrice) : quantity * (1 / entryPrice - 1 / price);
  const price = entryPrice * Math.exp(dice.between(-0.5, 0.5));
  const maintenanceMarginRate = dice.pick([0.0001, 0.005, 0.05, 0.3]);
  const takerFeeRate = dice.pick([0, 0.0005, 0.02, 0.2]);
  const notional = Math.abs(isLinear ? quantity * price : quantity / price);
  const required = (maintenanceMarginRate + takerFeeRate) * notional;
  const above = dice.pick([0.01, dice.between(0, 2), dice.between(0, 30)]) * required;
  // A margin is above 0, whatever the profit is.
  const initialMargin = Math.max(required + above - profitAt(price), 0.01 * required);
  const startPrice = price * dice.pick([1, Math.exp(dice.between(-0.3, 0.3))]);
  return {
    ...plan,
    product: {
      ...product,
      startPrice,
      unrealizedPnl: profitAt(startPrice),
      initialMargin,
      maintenanceMarginRate,
      takerFeeRate,
      marginCallMultiple: dice.pick([1.25, 1.01, 3]),
      settlements: product.settlements.map((due, t) => dice.pick([due, 1, 0, 3 * (t % 2)])),
      ...(startPrice !== price && { equityBefore: initialMargin + profitAt(price) }),
      maintenanceAmount: dice.pick([0, 0.5, 1, dice.between(0, 3)]) * maintenanceMarginRate * notional,
    },
  };
}

/** Loans with one pair of baskets, few or one each, with terms of real loans or without. */
export function anyBook(seed: number, paths: number): SimulationPlan<BookProduct> {
  const { product, ...plan } = bookOfOneThreshold(seed, paths);
  const { assets } = plan.scenarios;
  const dice = new Dice(9_000_000 + seed);
  const isByAsset = product.lending !== undefined && assets > 2 && dice.pick([true, false]);
  return { ...plan, product: isByAsset ? withThresholds(dice, product, assets) : product };
}

/** A book of which half the loans have liquidation LTVs by asset. @param calm scale of their spread */
export function withThresholds(dice: Dice, product: BookProduct, assets: number, calm = 1): BookProduct {
  const { collateralWeights, liquidationRatio, basket, saleCost } = product;
  const { lending = plainLending(basket.length, saleCost) } = product;
  const byAsset = basket.map(() => dice.pick([0, 1]));
  const most = liquidationRatio.slice();
  const liquidationWeights = new Float64Array(collateralWeights.length);
  for (let b = 0; b < collateralWeights.length / assets; b++) {
    const loans = [...basket.keys()].filter(k => basket[k] === b && byAsset[k] === 1);
    if (loans.length === 0) continue;
    const row = collateralWeights.subarray(b * assets, (b + 1) * assets);
    const thresholds = anyThresholds(dice, row, liquidationRatio[loans[0]], calm * dice.pick([0.02, 0.2]));
    liquidationWeights.set(thresholds.liquidationWeights, b * assets);
    for (const k of loans) most[k] = thresholds.liquidationRatio;
  }
  // A sale restores more than any L of the loan.
  const saleRatio = lending.saleRatio.map((ratio, k) => (ratio > 0 ? Math.max(ratio, 1.01 * most[k]) : 0));
  return {
    ...product,
    liquidationWeights,
    liquidationRatio: most,
    lending: { ...lending, byAsset, saleRatio },
  };
}

function bookOfOneThreshold(seed: number, paths: number): SimulationPlan<BookProduct> {
  const dice = new Dice(7_000_000 + seed);
  const loans = dice.whole(1, 40);
  const term = dice.pick([1, 2, 5, 6, 7, 23, 24, 25, 48, 97, 144, 145, 200, 400]);
  const plan = randomBook(seed, paths, {
    assets: dice.whole(1, 6),
    loans,
    baskets: Math.min(loans, dice.pick([1, 2, 4, loans, loans])),
    term,
    saleDelaySteps: dice.pick([0, 0, 1, 5, 24, 30, 100]),
  });
  const calm = dice.pick([1, 1, 0.2, 0.02]);
  const scaled = (values: Float64Array) => values.map(value => calm * value);
  const spread = 0.25 * calm;
  const center = dice.pick([1, 1, 1, 0.5, 1.5, 3]);
  const shared = dice.pick([undefined, anyRatios(dice, center, spread)]);
  const ratios = Array.from({ length: loans }, () => shared ?? anyRatios(dice, center, spread));
  const isOfOneTerm = dice.pick([true, false]);
  const doubles = (value: (k: number) => number) => Float64Array.from({ length: loans }, (_, k) => value(k));
  const words = (value: (k: number) => number) => Uint32Array.from({ length: loans }, (_, k) => value(k));
  const product: BookProduct = {
    ...plan.product,
    saleCost: dice.pick([0, 0.02, 0.5]),
    termSteps: words(k => (k === 0 || isOfOneTerm ? term : dice.whole(1, term))),
    topUpSteps: words(() => dice.pick([0, 0, 1, 2, 5, 24, 400])),
    nominalRatio: doubles(k => ratios[k].nominalRatio * dice.pick([1, Math.exp(dice.between(0, spread))])),
    marginCallRatio: doubles(k => ratios[k].marginCallRatio),
    liquidationRatio: doubles(k => ratios[k].liquidationRatio),
    recoveryRatio: doubles(k => ratios[k].recoveryRatio),
  };
  const { annualVolatility, factor, ...scenarios } = plan.scenarios;
  return {
    ...plan,
    scenarios: { ...scenarios, annualVolatility: scaled(annualVolatility), factor: scaled(factor) },
    product: dice.pick([true, true, true, false]) ? lent(dice, product, spread) : product,
  };
}

/** The same loans with terms of real loans: each term in all of them, in some or in none. */
function lent(dice: Dice, product: BookProduct, spread: number): BookProduct {
  const { marginCallRatio, liquidationRatio, recoveryRatio, topUpSteps } = product;
  const loans = product.loanValue.length;
  const doubles = (value: (k: number) => number) => Float64Array.from({ length: loans }, (_, k) => value(k));
  const words = (value: (k: number) => number) => Uint32Array.from({ length: loans }, (_, k) => value(k));
  const inSome = () => {
    const isUsed = dice.pick([true, false]);
    return () => isUsed && dice.pick([true, false]);
  };
  const [growing, costly, begun, answering, selling] = Array.from({ length: 5 }, inSome);
  const start = words(k => {
    if (!begun()) return LOAN_START.none;
    const begins = dice.pick([LOAN_START.open, LOAN_START.called, LOAN_START.liquidated]);
    const isLiquidated = begins === LOAN_START.called && liquidationRatio[k] === marginCallRatio[k];
    return isLiquidated ? LOAN_START.liquidated : begins;
  });
  const below = (high: number, low: number) => low * (high / low) ** dice.between(0, 0.999);
  const nominalRatio = doubles(k => {
    if (start[k] === LOAN_START.called) return below(marginCallRatio[k], liquidationRatio[k]);
    if (start[k] === LOAN_START.liquidated) return liquidationRatio[k] * dice.pick([0.999, 0.9, 0.5]);
    return product.nominalRatio[k];
  });
  const saleCost = doubles(() => (costly() ? dice.pick([0, 0.1, 0.5]) : product.saleCost));
  const restored = (k: number) =>
    Math.max(marginCallRatio[k], recoveryRatio[k], 1.001 / (1 - saleCost[k])) *
    Math.exp(dice.between(0.0001, 2 * spread));
  const lending: BookLending = {
    debtGrowth: doubles(() => (growing() ? dice.pick([1.05, 0.9, 1.3, 0.5]) : 1)),
    saleCost,
    start,
    startDeadline: words(k => Math.max(1, Math.round(topUpSteps[k] * dice.between(0, 1)))),
    startAnswer: words(k => (topUpSteps[k] === 0 ? 0 : dice.whole(0, 3))),
    answerShare: doubles(() => dice.pick([0, 0.3, 0.7, 1])),
    answerDelay: words(k => Math.max(1, Math.min(topUpSteps[k], dice.pick([1, 5, 24])))),
    answerRatio: doubles(k => (topUpSteps[k] > 0 && answering() ? restored(k) : 0)),
    nameHigh: words(k => k),
    nameLow: words(k => (k % 4 === 0 ? 9 : 3 * k)),
    oneDraw: words(k => Number(k % 4 === 0)),
    saleRatio: doubles(k => (selling() ? restored(k) : 0)),
    saleShare: doubles(() => dice.pick([1, 0.5, 0.2, 0.01])),
  };
  return { ...product, nominalRatio, lending };
}
