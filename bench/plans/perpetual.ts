/**
 * A perpetual position held for a week: long and linear, short and inverse.
 *
 * Without funding payments (the settlements are booked, at a rate of zero) equity depends on the price alone, so margin
 * call and liquidation are first passages of the price. The maintenance margin is so high that no hour overshoots it to
 * zero equity: a stopped martingale, whose mean at the end is the equity at the start.
 */

import type { PerpetualProduct } from '#src/core/plan/simulation-plan.js';
import { firstPassageExact } from '../../test/support/closed-forms/first-passage.ts';
import { meanWithError } from '../../test/support/mean-with-error.ts';
import { type BenchPlan, pooled } from '../bench-plan.ts';
import { type Comparison, compareShare } from '../judge.ts';

const ANNUAL_VOLATILITY = 0.6;
const STEPS = 168;
const HOURS_PER_YEAR = 8760;
const SETTLEMENT_HOURS = 8;
const ENTRY_PRICE = 100_000;
/** Share of the position's value at the start. */
const MARGIN = 0.15;
const MAINTENANCE_MARGIN_RATE = 0.05;
const MARGIN_CALL_MULTIPLE = 1.25;
/** Of the density recursion; single precision moves a level by less than 1e-6 of a price. */
const ALLOWANCE = 1e-5;
/** Single precision: the last place of a price. */
const EQUITY_ALLOWANCE = ENTRY_PRICE * 2 ** -23;

interface Contract {
  readonly kind: 'linear' | 'inverse';
  /** Long 1 BTC, or short 100,000 USD. */
  readonly quantity: number;
  readonly initialMargin: number;
  /** Price over entry price at which equity is `multiple` maintenance margins. */
  level(multiple: number): number;
}

const CONTRACTS: Readonly<Record<Contract['kind'], Contract>> = {
  // margin + (x - 1) = k x, in units of the entry price per BTC
  linear: {
    kind: 'linear',
    quantity: 1,
    initialMargin: MARGIN * ENTRY_PRICE,
    level: multiple => (1 - MARGIN) / (1 - multiple * MAINTENANCE_MARGIN_RATE),
  },
  // margin + 1 / x - 1 = k / x, in BTC
  inverse: {
    kind: 'inverse',
    quantity: -ENTRY_PRICE,
    initialMargin: MARGIN,
    level: multiple => (1 - multiple * MAINTENANCE_MARGIN_RATE) / (1 - MARGIN),
  },
};

/** The position of one kind of contract. */
export function perpetualPlan(kind: Contract['kind']): BenchPlan<PerpetualProduct> {
  const contract = CONTRACTS[kind];
  const known = {
    marginCalls: reaches(contract.level(MARGIN_CALL_MULTIPLE)),
    liquidations: reaches(contract.level(1)),
  };
  return {
    name: `perpetual-${kind}`,
    title: `Perpetual, ${kind === 'linear' ? 'linear and long' : 'inverse and short'}, 168 hourly steps`,
    paths: { quick: 4_000, cpu: 50_000, software: 5_000, gpu: 100_000 },
    plan: (paths, seed) => ({
      seed,
      paths,
      scenarios: {
        kind: 'gbm',
        assets: 1,
        annualVolatility: Float64Array.of(ANNUAL_VOLATILITY),
        factor: Float64Array.of(ANNUAL_VOLATILITY),
      },
      product: {
        kind: 'perpetual',
        contract: kind,
        quantity: contract.quantity,
        entryPrice: ENTRY_PRICE,
        startPrice: ENTRY_PRICE,
        initialMargin: contract.initialMargin,
        unrealizedPnl: 0,
        fundingRatePerInterval: 0,
        settlements: Uint32Array.from({ length: STEPS }, (_, i) => Number((i + 1) % SETTLEMENT_HOURS === 0)),
        debitsOnly: false,
        maintenanceMarginRate: MAINTENANCE_MARGIN_RATE,
        takerFeeRate: 0,
        marginCallMultiple: MARGIN_CALL_MULTIPLE,
        steps: STEPS,
      },
    }),
    async judge(runs) {
      const paths = pooled(runs, outcome => outcome.paths);
      const comparisons: Comparison[] = [
        compareShare(
          'PrMarginCall',
          pooled(runs, o => o.marginCalls),
          paths,
          known.marginCalls,
          ALLOWANCE,
        ),
        compareShare(
          'PrLiquidation',
          pooled(runs, o => o.liquidations),
          paths,
          known.liquidations,
          ALLOWANCE,
        ),
      ];
      // In coins the equity is no martingale: only its value in USD is, at a price that is not reported.
      if (kind === 'inverse') return comparisons;
      const { mean, standardError } = meanWithError(runs[0].outcome.finalEquity);
      return [
        ...comparisons,
        {
          figure: 'mean final equity',
          got: mean,
          known: contract.initialMargin,
          standardError,
          allowance: EQUITY_ALLOWANCE,
        },
      ];
    },
  };
}

/** Probability that the price, from 1, reaches `level` at one of the hours. */
function reaches(level: number): number {
  const drift = -(ANNUAL_VOLATILITY ** 2) / 2;
  // A rise above a level is a fall of the mirrored path below the mirrored level.
  const mirror = level > 1 ? -1 : 1;
  const path = { drift: mirror * drift, volatility: ANNUAL_VOLATILITY };
  return firstPassageExact(path, mirror * Math.log(level), STEPS / HOURS_PER_YEAR, STEPS);
}
