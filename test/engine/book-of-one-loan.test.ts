/** A book of one loan on every engine in single precision ends as that loan does alone, on the same paths. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '#src/core/engine.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { LoanProduct, Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { isNearlyRiskless } from '#src/core/plan/single-precision.js';
import { BOOK_COUNTS, type BookPlan, totalOf } from '../support/book-parity.ts';
import { SINGLE_ENGINES, type TestEngine } from '../support/engines.ts';
import { heavyTailed } from '../support/heavy-tails.ts';
import { Dice, randomGbm } from '../support/random-plans.ts';
import { sharedReference } from '../support/threads.ts';

const reference = sharedReference(2);

const TERM = 220;

interface LoneLoan {
  readonly name: string;
  readonly scenarios: Scenarios;
  readonly collateral: readonly number[];
  readonly debt: readonly number[];
  readonly paths?: number;
  readonly ratios?: Pick<
    LoanProduct,
    'nominalRatio' | 'marginCallRatio' | 'liquidationRatio' | 'recoveryRatio'
  >;
}

const RATIOS = { nominalRatio: 1.25, marginCallRatio: 1.2, liquidationRatio: 1.08, recoveryRatio: 1.24 };

/** The same loan alone and in a book, on the same paths. */
function both({ scenarios, collateral, debt, paths = 2000, ratios = RATIOS }: LoneLoan) {
  const portfolio = {
    collateralWeights: Float64Array.from(collateral),
    loanWeights: Float64Array.from(debt),
  };
  const common = { seed: 21, paths, scenarios };
  const alone: SimulationPlan<LoanProduct> = {
    ...common,
    product: { kind: 'loan', portfolio, steps: TERM, topUpSteps: 24, ...ratios },
  };
  const book: BookPlan = {
    ...common,
    product: {
      kind: 'book',
      steps: TERM,
      saleDelaySteps: 0,
      saleCost: 0.01,
      daySteps: 24,
      quantiles: Float64Array.of(0.95),
      ...portfolio,
      basket: Uint32Array.of(0),
      termSteps: Uint32Array.of(TERM),
      topUpSteps: Uint32Array.of(24),
      loanValue: Float64Array.of(1000),
      ...columnsOf(ratios),
    },
  };
  return { alone, book };
}

function columnsOf(ratios: NonNullable<LoneLoan['ratios']>) {
  return {
    nominalRatio: Float64Array.of(ratios.nominalRatio),
    marginCallRatio: Float64Array.of(ratios.marginCallRatio),
    liquidationRatio: Float64Array.of(ratios.liquidationRatio),
    recoveryRatio: Float64Array.of(ratios.recoveryRatio),
  };
}

const gbm = (assets: number) => randomGbm(new Dice(40 + assets), assets);
// Alone, a pair under GBM is one walk: the same path, other last digits.
const LOANS: readonly LoneLoan[] = [
  { name: 'a pair', scenarios: heavyTailed('student-t', 2, 11), collateral: [1, 0], debt: [0, 1] },
  {
    name: 'a pair the other way round',
    scenarios: heavyTailed('filtered-historical', 2, 11),
    collateral: [0, 1],
    debt: [1, 0],
  },
  {
    name: 'baskets',
    scenarios: heavyTailed('student-t', 3, 11),
    collateral: [0.6, 0.4, 0],
    debt: [0, 0.1, 0.9],
  },
  {
    name: 'baskets of five assets',
    scenarios: gbm(5),
    collateral: [0.2, 0.2, 0.3, 0.3, 0],
    debt: [0, 0, 0, 0, 1],
  },
  {
    name: 'baskets that share an asset, on many paths',
    scenarios: gbm(4),
    collateral: [0.5, 0.3, 0.2, 0],
    debt: [0, 0, 0.4, 0.6],
    paths: 20_000,
    ratios: { nominalRatio: 1.2, marginCallRatio: 1.1, liquidationRatio: 1.07, recoveryRatio: 1.15 },
  },
];

/** Most paths with another end, and the largest relative difference of the lowest CCR. */
const ROOM: Readonly<Record<TestEngine['name'], { readonly paths: number; readonly worst: number }>> = {
  reference: { paths: 0, worst: 0 },
  // It follows prices in a book and a ratio alone: rounding decides over a few paths in a million.
  simd: { paths: 1, worst: 1e-5 },
  gpu: { paths: 0, worst: 0 },
};

for (const engine of SINGLE_ENGINES) {
  describe(`A book of one loan on ${engine.name}`, { tags: engine.tags }, () => {
    const room = ROOM[engine.name];
    let single: Engine;
    beforeAll(async () => {
      single = await engine.open();
    });

    // The software driver would take a minute for many paths.
    for (const loan of LOANS.filter(({ paths }) => engine.name !== 'gpu' || paths === undefined))
      it(`ends on each path as that loan does: ${loan.name} under ${loan.scenarios.kind}`, async () => {
        const { alone, book } = both(loan);
        const [{ worstCcr, openSteps, loss, ...counts }, { loans, paths }] = [
          await single.run(alone),
          await single.run(book),
        ];
        expect(counts.liquidations + counts.closeouts).toBeGreaterThan(0);
        for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const) {
          if (loan.ratios !== undefined) expect(counts[name], name).toBeGreaterThan(100);
          expect(Math.abs(loans[name][0] - counts[name]), name).toBeLessThanOrEqual(room.paths);
        }
        const missed = Math.abs(loans.missedSteps[0] - (paths * TERM - openSteps));
        expect(missed).toBeLessThanOrEqual(room.paths * TERM);
        expect(Math.abs(loans.worstCcr[0] / worstCcr - 1)).toBeLessThanOrEqual(room.worst);
        // The sum of the loan alone is rounded to 2^-23.
        const unsold = Math.abs(loans.unsoldUnits[0] / 2 ** 32 - loss);
        expect(unsold).toBeLessThan(paths * 2 ** -23);
      });

    // The kernel leaves such baskets to the reference.
    if (engine.name !== 'gpu') return;

    it('has the paths of the reference for almost equal baskets', async () => {
      const share = 0.0004;
      const { alone, book } = both({
        name: 'almost equal baskets',
        scenarios: {
          kind: 'gbm',
          assets: 3,
          annualVolatility: Float64Array.of(0.6, 0.7, 0.9),
          factor: Float64Array.of(
            ...[0.6, 0, 0],
            ...[0.35, 0.7 * Math.sqrt(0.75), 0],
            ...[0.45, 0.27, 0.9 * Math.sqrt(0.66)],
          ),
        },
        collateral: [1 - share, share, 0],
        debt: [1, 0, 0],
      });
      expect(isNearlyRiskless(alone)).toBe(true);
      const tight = columnsOf({
        nominalRatio: 1.00001,
        marginCallRatio: 1,
        liquidationRatio: 0.99995,
        recoveryRatio: 1.00001,
      });
      const product: BookProduct = { ...book.product, ...tight };
      const plan = { ...book, paths: 5000, product };
      const [got, wanted] = [await single.trace(plan), await reference.trace(plan)];
      const differing = [...wanted.calledLoans.keys()].filter(p =>
        BOOK_COUNTS.some(name => got[name][p] !== wanted[name][p]),
      );
      // As for a loan alone (gpu-riskless.test.ts): 40 paths in a million.
      expect(differing.length, `paths ${differing}`).toBeLessThanOrEqual(1);
      expect(totalOf(wanted.forcedSales)).toBeGreaterThan(100);
      expect(totalOf(wanted.forcedSales)).toBeLessThan(4900);
    });
  });
}
