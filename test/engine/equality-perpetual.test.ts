/**
 * Perpetual positions whose equity meets its margins exactly, against the rules, in every member.
 *
 * Prices, margins and rates are powers of two and sums of few, so that both sides are exact. A margin call and a
 * liquidation come at equality (methodology part 7), which random prices never meet.
 */

import { describe, expect, it } from 'vitest';
import { FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '#src/core/engine.js';
import type { PerpetualProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { positionOnPath } from '#src/core/rules/perpetual.js';
import { everyNth, SINGLE_ENGINES } from '../support/engines.ts';
import {
  combinations,
  exactLoanPath,
  HALVING_VOLATILITY,
  noiselessGbm,
  walkingHistory,
  windowPrices,
} from '../support/exact-paths.ts';
import { sharedReference } from '../support/threads.ts';

interface Position {
  readonly contract: 'linear' | 'inverse';
  readonly quantity: number;
  readonly initialMargin: number;
  readonly unrealizedPnl: number;
  readonly maintenanceMarginRate: number;
  readonly maintenanceAmount?: number;
  readonly takerFeeRate: number;
  readonly marginCallMultiple: number;
  readonly fundingRatePerInterval: number;
  readonly debitsOnly: boolean;
}

const productOf = (position: Position, steps: number): PerpetualProduct => ({
  kind: 'perpetual',
  entryPrice: 1,
  startPrice: 1,
  settlements: Uint32Array.from({ length: steps }, (_, t) => [0, 1, 0, 2][t % 4]),
  steps,
  ...position,
});

/** Outcome and flags of positions on these relative prices, as the rules has them. */
function plainPositions(product: PerpetualProduct, paths: readonly number[][]) {
  const ends = paths.map(prices => positionOnPath(product, prices));
  const flags = ends.map(
    ({ marginCall, liquidation }) =>
      (marginCall ? FLAG_MARGIN_CALL : 0) + (liquidation ? FLAG_LIQUIDATION : 0),
  );
  return {
    flags,
    outcome: {
      kind: 'perpetual',
      paths: paths.length,
      marginCalls: ends.filter(({ marginCall }) => marginCall).length,
      liquidations: ends.filter(({ liquidation }) => liquidation).length,
      finalEquity: ends.map(({ finalEquity }) => finalEquity),
      accumulatedFunding: ends.map(({ accumulatedFunding }) => accumulatedFunding),
      maxEquityDrawdown: ends.map(({ maxEquityDrawdown }) => maxEquityDrawdown),
      medianLeverage: ends.map(({ medianLeverage }) => medianLeverage),
    },
  };
}

const listed = (outcome: object) =>
  Object.fromEntries(
    Object.entries(outcome).map(([name, value]) => [
      name,
      ArrayBuffer.isView(value) ? [...(value as Float64Array)] : value,
    ]),
  ) as Record<string, unknown> & { medianLeverage: number[] };

/** Zero may come with either sign. */
const unsigned = (outcome: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(outcome).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.map(x => x + 0) : value,
    ]),
  );

const CONTRACTS = ['linear', 'inverse'] as const;
/** Two positions of five have an amount, of which every rate of margin and fee makes an exact part. */
const someWithAmount = (all: readonly Position[]) =>
  all.map((each, i) => (i % 5 < 2 ? { ...each, maintenanceAmount: 15 / 128 } : each));
/** As no member has eleven values, each pair of values of two members is among every eleventh position. */
const inElevenths = (all: readonly Position[]) => everyNth(11, all);

const FUNDING = { fundingRatePerInterval: [0, 0.0625, -0.0625], debitsOnly: [false, true] };

describe('positions that meet their margins exactly', () => {
  const STEPS = 6;
  const PATHS = 5;
  /** Equity begins at 1, the unit of the GPU. */
  const POSITIONS = someWithAmount(
    combinations<Position>({
      contract: CONTRACTS,
      quantity: [1, -1, 0.5, -0.25],
      initialMargin: [1],
      unrealizedPnl: [0],
      maintenanceMarginRate: [0.25, 0.5, 1],
      takerFeeRate: [0, 0.25],
      marginCallMultiple: [2, 4],
      ...FUNDING,
    }),
  );
  const reference = sharedReference(1);

  for (const { name, open, shape, part, tags, some } of SINGLE_ENGINES.flatMap(engine => [
    ...inElevenths(POSITIONS).map(each => ({ ...engine, shape: 'falling' as const, ...each })),
    { ...engine, shape: 'still' as const, part: 'for all cases', tags: ['slow'], some: POSITIONS },
  ]))
    it(`end by their terms at prices that are ${shape}, on ${name}, ${part}`, { tags }, async () => {
      const engine = await open(1);
      const isQuick = name === 'gpu' && tags.length === 0;
      const scenarios = noiselessGbm([shape === 'still' ? 0 : HALVING_VOLATILITY]);
      const paths = Array<number[]>(PATHS).fill(exactLoanPath(shape, STEPS).collateral);
      const check = async (position: Position) => {
        const product = productOf(position, STEPS);
        const plan: SimulationPlan<PerpetualProduct> = { seed: 1, paths: PATHS, scenarios, product };
        // The records have a kernel of their own, which takes the software driver a second to compile: the full suite has them.
        const [run, records] = await Promise.all([
          engine.run(plan),
          isQuick ? undefined : engine.trace(plan),
        ]);
        const outcome = listed(run);
        const plain = plainPositions(product, paths);
        const inputs = JSON.stringify({ shape, ...position });
        // The median is narrowed down to 1.2e-4 of its value on the GPU (shaders/product/leverage_median.wgsl).
        outcome.medianLeverage.forEach((median, p) => {
          const exact = plain.outcome.medianLeverage[p];
          expect(Math.abs(median / exact - 1), `${inputs}: ${median}, not ${exact}`).toBeLessThan(1.3e-4);
        });
        const { medianLeverage } = plain.outcome;
        expect(unsigned({ ...outcome, medianLeverage }), inputs).toEqual(unsigned(plain.outcome));
        if (records !== undefined) expect([...records.flags], inputs).toEqual(plain.flags);
      };
      // Asked for together, they share submissions: the software driver takes its time for each.
      await Promise.all(some.map(check));
    });

  for (const { part, tags, some } of inElevenths(POSITIONS))
    it(`end by their terms at a constant price, on the reference, ${part}`, { tags }, async () => {
      const paths = Array<number[]>(PATHS).fill(exactLoanPath('still', STEPS).collateral);
      for (const position of some) {
        const product = productOf(position, STEPS);
        const plan = { seed: 1, paths: PATHS, scenarios: noiselessGbm([0]), product };
        const [outcome, records] = await Promise.all([reference.run(plan), reference.trace(plan)]);
        const plain = plainPositions(product, paths);
        expect(unsigned(listed(outcome)), JSON.stringify(position)).toEqual(unsigned(plain.outcome));
        expect([...records.flags], JSON.stringify(position)).toEqual(plain.flags);
      }
    });
});

describe('positions on windows of history in powers of two, on the reference', () => {
  const STEPS = 9;
  const WINDOWS = 150;
  const scenarios = walkingHistory(11, 1, STEPS, WINDOWS);
  const paths = Array.from({ length: WINDOWS }, (_, p) => windowPrices(scenarios, 0, p));

  const engine = sharedReference(1);

  for (const contract of CONTRACTS)
    for (const equityBefore of [undefined, 0.5, 2]) {
      const all = someWithAmount(
        combinations<Position>({
          contract: [contract],
          quantity: [1, -1, 2, -0.25],
          initialMargin: [0.5, 1],
          unrealizedPnl: [0, 0.25],
          // Liquidated at the start with a shock, and called with another.
          maintenanceMarginRate: [0.125, 0.5, 1],
          takerFeeRate: [0, 0.125],
          marginCallMultiple: [1.25, 2],
          ...FUNDING,
        }),
      );
      for (const { part, tags, some } of inElevenths(all))
        it(`end by their terms: ${contract}, equity before a shock ${equityBefore}, ${part}`, {
          tags,
        }, async () => {
          for (const position of some) {
            const product = { ...productOf(position, STEPS), ...(equityBefore && { equityBefore }) };
            const plan = { seed: 0, paths: WINDOWS, scenarios, product };
            const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
            const plain = plainPositions(product, paths);
            expect(unsigned(listed(outcome)), JSON.stringify({ ...position, equityBefore })).toEqual(
              unsigned(plain.outcome),
            );
            expect([...records.flags], JSON.stringify({ ...position, equityBefore })).toEqual(plain.flags);
          }
        });
    }
});
