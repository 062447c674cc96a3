/**
 * Liquidation and margin call of positions without funding against first passage: the price that ends a position is
 * then constant, below the mark for a long and above it for a short, linear and inverse alike.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openCpuEngine } from '#src/engine/threads/cpu-engine.js';
import { firstPassageExact } from '../../support/closed-forms/first-passage.ts';
import { liquidationPrice, marginOfLiquidationPrice } from '../../support/closed-forms/liquidation-price.ts';
import { Dice } from '../support/random-plans.ts';
import { shareStandardError, ZScores } from '../support/standard-errors.ts';

const engine = openCpuEngine({ threads: 2 });
afterAll(() => engine.close());

/** Contract, side, and the first seed of the kind's parameter sets. */
const KINDS = [
  ['linear', 1, 1000],
  ['linear', -1, 2000],
  ['inverse', 1, 3000],
  ['inverse', -1, 4000],
] as const;
const SETS_PER_KIND = 20;
const PATHS = 10_000;
const MARGIN_CALL_MULTIPLE = 1.25;

/** A position whose liquidation price lies 0.1 to 1.6 standard deviations of the term away, entered at another price. */
function randomPosition(seed: number, contract: 'linear' | 'inverse', side: 1 | -1) {
  const dice = new Dice(seed);
  const sigma = dice.between(0.3, 1.6);
  const steps = dice.whole(12, 250);
  const rate = dice.between(0.002, 0.012);
  const startPrice = dice.between(0.01, 60_000);
  const entryPrice = startPrice * Math.exp(dice.between(-0.05, 0.05));
  const notional = dice.between(100, 1e6);
  const quantity = side * (contract === 'linear' ? notional / startPrice : notional);
  // The margin call comes about a quarter of the rate earlier and must not be there from the start.
  const distance = dice.between(0.1, 1.6) * sigma * Math.sqrt(steps / 8760) + 0.3 * rate;
  const price = startPrice * Math.exp(-side * distance);
  const position = { contract, quantity, entryPrice };
  const initialMargin = marginOfLiquidationPrice(position, price, rate);
  const pnl =
    contract === 'linear'
      ? quantity * (startPrice - entryPrice)
      : quantity * (1 / entryPrice - 1 / startPrice);
  const plan: SimulationPlan<PerpetualProduct> = {
    seed,
    paths: PATHS,
    scenarios: {
      kind: 'gbm',
      assets: 1,
      annualVolatility: Float64Array.of(sigma),
      factor: Float64Array.of(sigma),
    },
    product: {
      kind: 'perpetual',
      ...position,
      initialMargin,
      startPrice,
      unrealizedPnl: pnl,
      fundingRatePerInterval: 0,
      settlements: new Uint32Array(steps),
      debitsOnly: false,
      maintenanceMarginRate: rate,
      takerFeeRate: 0,
      marginCallMultiple: MARGIN_CALL_MULTIPLE,
      steps,
    },
  };
  return { plan, sigma };
}

/** Probability that the price reaches `price` at some hour: below it for a long, above it for a short. */
function passage(plan: SimulationPlan<PerpetualProduct>, sigma: number, price: number): number {
  const { quantity, startPrice, steps } = plan.product;
  const side = Math.sign(quantity);
  // ln P has drift -sigma^2 / 2; a short watches -ln P.
  const motion = { drift: (-side * sigma * sigma) / 2, volatility: sigma };
  return firstPassageExact(motion, side * Math.log(price / startPrice), steps / 8760, steps);
}

describe('a position without funding', () => {
  it.each(KINDS)(
    'is liquidated as often as first passage says (%s, side %i)',
    async (contract, side, firstSeed) => {
      const liquidations = new ZScores(`PrLiquidation ${contract} ${side}`);
      const calls = new ZScores(`PrMarginCall ${contract} ${side}`);
      for (let seed = firstSeed; seed < firstSeed + SETS_PER_KIND; seed++) {
        const { plan, sigma } = randomPosition(seed, contract, side);
        const { product } = plan;
        const outcome = await engine.run(plan);
        const compare = (scores: ZScores, count: number, rate: number) => {
          const price = liquidationPrice(product, rate) as number;
          const truth = passage(plan, sigma, price);
          const told = JSON.stringify({ seed, sigma, price, ...product, settlements: undefined });
          scores.add(count / PATHS, truth, shareStandardError(truth, PATHS), told);
        };
        compare(liquidations, outcome.liquidations, product.maintenanceMarginRate);
        compare(calls, outcome.marginCalls, MARGIN_CALL_MULTIPLE * product.maintenanceMarginRate);
      }
      liquidations.judge();
      calls.judge();
    },
  );

  it('is never liquidated where its margin covers any loss', async () => {
    // A linear long cannot lose more than its entry value, an inverse short no more than its own in coins.
    for (const [contract, side] of [
      ['linear', 1],
      ['inverse', -1],
    ] as const) {
      const { plan } = randomPosition(7, contract, side);
      const { quantity, entryPrice, steps } = plan.product;
      const entryValue =
        contract === 'linear' ? Math.abs(quantity) * entryPrice : Math.abs(quantity) / entryPrice;
      const product = { ...plan.product, initialMargin: entryValue };
      expect(liquidationPrice(product, 0.005)).toBeUndefined();
      const wild = Float64Array.of(30);
      const scenarios = { kind: 'gbm', assets: 1, annualVolatility: wild, factor: wild } as const;
      const outcome = await engine.run({ ...plan, product, scenarios, paths: 2000 });
      // Equity is the price itself: only rounding, at 1e-13 of the entry price, could end the position.
      expect(outcome.liquidations, `${contract} over ${steps} hours`).toBe(0);
    }
  });
});
