/**
 * Liquidation and margin call of positions without funding on every engine against first passage: the price that ends a position is
 * then constant, below the mark for a long and above it for a short, linear and inverse alike.
 */
import { describe, expect, it } from 'vitest';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { firstPassageExact } from '../support/closed-forms/first-passage.ts';
import { liquidationPrice, marginOfLiquidationPrice } from '../support/closed-forms/liquidation-price.ts';
import { ENGINES, engineCases, engineForTests } from '../support/engines.ts';
import { gbmOfOne } from '../support/gbm.ts';
import { Dice } from '../support/random-plans.ts';
import { shareStandardError, ZScores } from '../support/standard-errors.ts';

/** Contract, side, and the first seed of the kind's parameter sets. */
const KINDS = [
  ['linear', 1, 1000],
  ['linear', -1, 2000],
  ['inverse', 1, 3000],
  ['inverse', -1, 4000],
] as const;
type Kind = (typeof KINDS)[number];
const nameOf = (kinds: readonly Kind[]) => kinds.map(([contract, side]) => `${contract} ${side}`).join(', ');
/** The kinds that are judged together, and their parameter sets and paths. */
interface Judged {
  readonly groups: readonly (readonly Kind[])[];
  readonly setsPerKind: number;
  readonly paths: number;
}
const EACH_KIND: Judged = { groups: KINDS.map(kind => [kind]), setsPerKind: 20, paths: 10_000 };
/**
 * The software driver of the GPU does a hundredth of the work of the other engines in a second, and passes over the paths up
 * to five times: all kinds together, of as many sets as z needs.
 */
const TOGETHER: Judged = { groups: [KINDS], setsPerKind: 6, paths: 1500 };
const MARGIN_CALL_MULTIPLE = 1.25;

/** A position whose liquidation price lies 0.1 to 1.6 standard deviations of the term away, entered at another price. */
function randomPosition(seed: number, contract: 'linear' | 'inverse', side: 1 | -1, paths: number) {
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
    paths,
    scenarios: gbmOfOne(sigma),
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

for (const { engine } of engineCases(ENGINES, 'perpetual', ['gbm'])) {
  describe(`a position without funding on ${engine.name}`, { tags: engine.tags }, () => {
    const { groups, setsPerKind, paths } = engine.name === 'gpu' ? TOGETHER : EACH_KIND;
    const tested = engineForTests(engine);

    for (const [group, kinds] of groups.entries()) {
      const name = nameOf(kinds);
      // The short suite tests one kind on the SIMD kernel, which is compared with the reference, too.
      const isQuick = engine.name !== 'reference' && group === groups.length - 1;
      const tags = isQuick ? engine.tags : ['slow'];
      it(`is liquidated as often as by the first passage: ${name}`, { tags }, async () => {
        const liquidations = new ZScores(`PrLiquidation ${name}`);
        const calls = new ZScores(`PrMarginCall ${name}`);
        for (const [contract, side, firstSeed] of kinds) {
          for (let seed = firstSeed; seed < firstSeed + setsPerKind; seed++) {
            const { plan, sigma } = randomPosition(seed, contract, side, paths);
            const { product } = plan;
            const outcome = await tested.run(plan);
            const compare = (scores: ZScores, count: number, rate: number) => {
              const price = liquidationPrice(product, rate) as number;
              const truth = passage(plan, sigma, price);
              const told = JSON.stringify({ seed, sigma, price, ...product, settlements: undefined });
              scores.add(count / paths, truth, shareStandardError(truth, paths), told);
            };
            compare(liquidations, outcome.liquidations, product.maintenanceMarginRate);
            compare(calls, outcome.marginCalls, MARGIN_CALL_MULTIPLE * product.maintenanceMarginRate);
          }
        }
        liquidations.judge();
        calls.judge();
      });
    }

    it('is never liquidated where its margin covers any loss', async () => {
      // A linear long cannot lose more than its entry value, an inverse short no more than its own in coins.
      for (const [contract, side] of [
        ['linear', 1],
        ['inverse', -1],
      ] as const) {
        const { plan } = randomPosition(7, contract, side, 2000);
        const { quantity, entryPrice, steps } = plan.product;
        const entryValue =
          contract === 'linear' ? Math.abs(quantity) * entryPrice : Math.abs(quantity) / entryPrice;
        const product = { ...plan.product, initialMargin: entryValue };
        expect(liquidationPrice(product, 0.005)).toBeUndefined();
        // Single precision has an error of 6e-8 of the first price: a price must not fall below 1e-4 of it.
        const wild = Float64Array.of(engine.name === 'reference' ? 30 : 3);
        const scenarios = { kind: 'gbm', assets: 1, annualVolatility: wild, factor: wild } as const;
        const outcome = await tested.run({ ...plan, product, scenarios });
        // Equity is the price itself: only rounding, at 1e-13 of the entry price, could end the position.
        expect(outcome.liquidations, `${contract} over ${steps} hours`).toBe(0);
      }
    });
  });
}
