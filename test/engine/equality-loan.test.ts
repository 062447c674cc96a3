/**
 * Loans whose ratio meets its thresholds exactly, against the rules, in every member of the outcome.
 *
 * Random paths never meet a threshold, so they do not distinguish `<` from `<=`. Here every price is a power of two and so are
 * most thresholds; both sides are exact, and no tolerance is needed.
 */

import { describe, expect, it } from 'vitest';
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL, FLAG_UNDERWATER } from '#src/core/engine.js';
import type {
  CappedLoanProduct,
  LoanProduct,
  Portfolio,
  SimulationPlan,
} from '#src/core/plan/simulation-plan.js';
import { cappedLoanOnPath } from '#src/core/rules/capped-loan.js';
import { type LoanTerms, loanOnPath } from '#src/core/rules/loan.js';
import { engineForTests, everyNth } from '../support/engines.ts';
import { EXACT_ENGINES, exactMarkets } from '../support/exact-engines.ts';
import {
  combinations,
  exactLoanMarket,
  exactLoanPath,
  walkingHistory,
  windowPrices,
} from '../support/exact-paths.ts';
import { sharedReference } from '../support/threads.ts';

interface Path {
  readonly collateral: number[];
  readonly loan: number[];
}

/** Terms whose thresholds of C/L are l, m and r; N is a power of two. */
interface Thresholds {
  readonly n: number;
  readonly l: number;
  readonly m: number;
  readonly r: number;
  readonly topUpSteps: number;
}

const termsOf = ({ n, l, m, r, topUpSteps }: Thresholds) => ({
  nominalRatio: n,
  liquidationRatio: n * l,
  marginCallRatio: n * m,
  recoveryRatio: n * r,
  topUpSteps,
});
const plainTerms = ({ n, l, m, r, topUpSteps }: Thresholds): LoanTerms => ({
  N: n,
  L: n * l,
  M: n * m,
  R: n * r,
  topUpSteps,
});

const flags = (end: { marginCall: boolean; liquidation: boolean; closeout: boolean; underwater: boolean }) =>
  (end.marginCall ? FLAG_MARGIN_CALL : 0) +
  (end.liquidation ? FLAG_LIQUIDATION : 0) +
  (end.closeout ? FLAG_CLOSEOUT : 0) +
  (end.underwater ? FLAG_UNDERWATER : 0);
const count = (all: readonly number[], flag: number) => all.filter(each => (each & flag) !== 0).length;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Outcome and records of loans on these paths, as the rules has them. */
function plainLoans(thresholds: Thresholds, paths: readonly Path[]) {
  const ends = paths.map(({ collateral, loan }) => loanOnPath(plainTerms(thresholds), collateral, loan));
  const last = paths.map(({ collateral, loan }) => (collateral.at(-1) ?? 0) / (loan.at(-1) ?? 0));
  const records = {
    minimumRatio: ends.map(({ worstCcr }) => worstCcr / thresholds.n),
    finalRatio: last,
    endStep: ends.map(({ endStep }) => endStep),
    flags: ends.map(flags),
  };
  const outcome = {
    kind: 'loan',
    paths: paths.length,
    marginCalls: count(records.flags, FLAG_MARGIN_CALL),
    liquidations: count(records.flags, FLAG_LIQUIDATION),
    closeouts: count(records.flags, FLAG_CLOSEOUT),
    underwater: count(records.flags, FLAG_UNDERWATER),
    openSteps: sum(records.endStep),
    loss: sum(ends.map(({ loss }) => loss)),
    closedStepSquares: sum(ends.map(({ endStep }, p) => (paths[p].collateral.length - 1 - endStep) ** 2)),
    earlyEnds: ends.filter(({ endStep }, p) => endStep < paths[p].collateral.length - 1).length,
    deadlineEnds: 0,
    losses: ends.filter(({ loss }) => loss > 0).length,
    lossSquares: sum(ends.map(({ loss }) => loss ** 2)),
    worstCcr: Math.min(...ends.map(({ worstCcr }) => worstCcr)),
  };
  return { outcome, records };
}

/** The same of loans whose sale is capped. */
function plainCappedLoans(thresholds: Thresholds, capacity: number, paths: readonly Path[]) {
  const ends = paths.map(({ collateral, loan }) =>
    cappedLoanOnPath(plainTerms(thresholds), capacity, collateral, loan),
  );
  const records = {
    worstCcr: ends.map(({ worstCcr }) => worstCcr),
    soldAmount: ends.map(({ sold }) => sold),
    callAmount: ends.map(({ callAmounts }) => sum(callAmounts)),
    flags: ends.map(flags),
  };
  const outcome = {
    kind: 'capped-loan',
    paths: paths.length,
    marginCalls: count(records.flags, FLAG_MARGIN_CALL),
    liquidations: count(records.flags, FLAG_LIQUIDATION),
    closeouts: count(records.flags, FLAG_CLOSEOUT),
    underwater: count(records.flags, FLAG_UNDERWATER),
    calls: sum(ends.map(({ callAmounts }) => callAmounts.length)),
    callAmount: sum(records.callAmount),
    sellers: records.soldAmount.filter(sold => sold > 0).length,
    soldAmount: sum(records.soldAmount),
    callSquares: sum(ends.map(({ callAmounts }) => callAmounts.length ** 2)),
    callAmountSquares: sum(records.callAmount.map(amount => amount ** 2)),
    callProducts: sum(ends.map(({ callAmounts }, p) => callAmounts.length * records.callAmount[p])),
    soldAmountSquares: sum(records.soldAmount.map(amount => amount ** 2)),
    repaid: ends.filter(({ repaid }) => repaid).length,
    recalled: ends.filter(({ callAmounts }) => callAmounts.length > 1).length,
    unfinished: 0,
    worstCcr: Math.min(...records.worstCcr),
  };
  return { outcome, records };
}

const arrays = (records: Readonly<Record<string, Iterable<number>>>) =>
  Object.fromEntries(Object.entries(records).map(([name, values]) => [name, [...values]]));

const SHAPES = ['still', 'falling', 'rising'] as const;
type LoanShape = (typeof SHAPES)[number];
/** Thresholds at and between the powers of two that a path of this shape takes. */
const LEVELS: Readonly<Record<LoanShape, readonly number[]>> = {
  still: [0.5, 1, 2],
  falling: [0.125, 0.1875, 0.25, 0.5, 1],
  rising: [1, 2, 3, 4, 8],
};
const CAPACITIES = [0, 0.125, 0.25, 1, 16];
/** Whole groups of four steps, which engines may pass over, and a rest. */
const STEPS = 10;
const SALE_STEPS = 6;
/** Above every ratio of a path: a call that is never cured. */
const BEYOND = 4096;
/** More than a packet of the WebAssembly kernel, and no multiple of it. */
const PATHS = 5;

function thresholdsOf(shape: LoanShape): Thresholds[] {
  const levels = LEVELS[shape];
  return combinations<Thresholds>({
    n: shape === 'still' ? [0.5, 1, 2] : [0.5, 4],
    l: levels,
    m: levels,
    r: [...levels, BEYOND],
    // The last closes out a call of the first hour in the last hour of the second group.
    topUpSteps: [0, 3, 7],
  }).filter(({ l, m }) => l < m);
}

describe.each(EXACT_ENGINES)('loans that meet their thresholds exactly, on $name', exact => {
  const engine = engineForTests(exact);

  for (const { shape, view, tags } of exactMarkets(exact, SHAPES))
    it(`end by their terms, ${shape} as a ${view}`, { tags }, async () => {
      const { scenarios, portfolio } = exactLoanMarket(shape, view);
      const paths = Array<Path>(PATHS).fill(exactLoanPath(shape, STEPS));
      const check = async (thresholds: Thresholds) => {
        const product: LoanProduct = { kind: 'loan', portfolio, steps: STEPS, ...termsOf(thresholds) };
        const plan: SimulationPlan<LoanProduct> = { seed: 1, paths: PATHS, scenarios, product };
        const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
        const plain = plainLoans(thresholds, paths);
        const inputs = JSON.stringify({ shape, view, ...thresholds });
        expect({ ...outcome }, inputs).toEqual(plain.outcome);
        expect(arrays(records), inputs).toEqual(plain.records);
      };
      // Asked for together, runs on a GPU share submissions.
      await Promise.all(thresholdsOf(shape).map(check));
    });

  const sales = exactMarkets(exact, SHAPES).flatMap(({ shape, view, tags }) => {
    // A call of so much has a square of more digits than single precision.
    const cases = thresholdsOf(shape)
      .filter(({ r }) => r !== BEYOND)
      .flatMap(thresholds => CAPACITIES.map(capacity => ({ thresholds, capacity })));
    // As no member has seven values, each pair of values of two members is among every seventh case.
    const parts =
      exact.name === 'gpu' ? [{ part: 'for all cases', tags: ['slow'], some: cases }] : everyNth(7, cases);
    return parts.map(each => ({ shape, view, ...each, tags: [...new Set([...tags, ...each.tags])] }));
  });
  for (const { shape, view, part, tags, some } of sales)
    it(`sell by their terms, ${shape} as a ${view}, ${part}`, { tags }, async () => {
      const { scenarios, portfolio } = exactLoanMarket(shape, view);
      const paths = Array<Path>(PATHS).fill(exactLoanPath(shape, SALE_STEPS));
      const check = async (thresholds: Thresholds, capacityPerStep: number) => {
        const product: CappedLoanProduct = {
          kind: 'capped-loan',
          portfolio,
          steps: SALE_STEPS,
          capacityPerStep,
          ...termsOf(thresholds),
        };
        const plan: SimulationPlan<CappedLoanProduct> = { seed: 1, paths: PATHS, scenarios, product };
        const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
        const plain = plainCappedLoans(thresholds, capacityPerStep, paths);
        const inputs = JSON.stringify({ shape, view, capacityPerStep, ...thresholds });
        if (exact.name === 'gpu' && view === 'pair' && plain.outcome.soldAmount > 0) {
          // It keeps the lowest coverage as log2(C/L), of some units: single precision has 2^-22 of it there.
          for (const worst of [outcome.worstCcr, ...records.worstCcr])
            expect(Math.abs(worst / plain.outcome.worstCcr - 1), inputs).toBeLessThan(2 ** -22);
          const { worstCcr } = plain.outcome;
          expect({ ...outcome, worstCcr }, inputs).toEqual(plain.outcome);
          const { worstCcr: perPath } = plain.records;
          expect(arrays({ ...records, worstCcr: perPath }), inputs).toEqual(plain.records);
        } else {
          expect({ ...outcome }, inputs).toEqual(plain.outcome);
          expect(arrays(records), inputs).toEqual(plain.records);
        }
      };
      await Promise.all(some.map(({ thresholds, capacity }) => check(thresholds, capacity)));
    });
});

describe('loans on windows of history in powers of two, on the reference', () => {
  const WINDOWS = 150;
  const portfolio: Portfolio = {
    collateralWeights: Float64Array.of(1, 0),
    loanWeights: Float64Array.of(0, 1),
  };
  const engine = sharedReference(1);
  const cases = combinations<Thresholds>({
    n: [0.5, 1, 4],
    l: [0.125, 0.25, 0.375],
    m: [0.25, 0.5, 1, 2],
    r: [0.25, 0.5, 0.75, 1, 4],
    topUpSteps: [0, 1, 3],
  }).filter(({ l, m }) => l < m);
  const scenarios = walkingHistory(7, 2, 9, WINDOWS);
  const paths = Array.from({ length: WINDOWS }, (_, p) => ({
    collateral: windowPrices(scenarios, 0, p),
    loan: windowPrices(scenarios, 1, p),
  }));
  const base = { seed: 0, paths: WINDOWS, scenarios };

  for (const { part, tags, some } of everyNth(4, cases))
    it(`end by their terms ${part}`, { tags }, async () => {
      for (const thresholds of some) {
        const product: LoanProduct = { kind: 'loan', portfolio, steps: 9, ...termsOf(thresholds) };
        const plan = { ...base, product };
        const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
        const plain = plainLoans(thresholds, paths);
        expect({ ...outcome }, JSON.stringify(thresholds)).toEqual(plain.outcome);
        expect(arrays(records), JSON.stringify(thresholds)).toEqual(plain.records);
      }
    });

  for (const capacityPerStep of CAPACITIES) {
    const quick = capacityPerStep === 0.25;
    for (const { part, tags, some } of everyNth(4, cases))
      it(`sell by their terms, at most ${capacityPerStep} of the loan in an hour, ${part}`, {
        tags: quick ? tags : ['slow'],
      }, async () => {
        for (const thresholds of some) {
          const product: CappedLoanProduct = {
            kind: 'capped-loan',
            portfolio,
            steps: 9,
            capacityPerStep,
            ...termsOf(thresholds),
          };
          const plan = { ...base, product };
          const [outcome, records] = await Promise.all([engine.run(plan), engine.trace(plan)]);
          const plain = plainCappedLoans(thresholds, capacityPerStep, paths);
          expect({ ...outcome }, JSON.stringify(thresholds)).toEqual(plain.outcome);
          expect(arrays(records), JSON.stringify(thresholds)).toEqual(plain.records);
        }
      });
  }
});
