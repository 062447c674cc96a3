/** Pictures of plans: what the charts draw is what the reference engine computes. */
import { describe, expect, it } from 'vitest';
import type { LoanProduct } from '#src/core/plan/simulation-plan.js';
import { runRange } from '#src/core/reference/products.js';
import {
  FAN_LEVELS,
  histogramOf,
  type LoanPicture,
  pictureOf,
  truncated,
} from '../../console/src/compute/picture.ts';
import { randomCappedPlan, randomLoanPlan, randomPerpetualPlan } from '../support/random-plans.ts';

const PATHS = 300;

describe.each(['gbm', 'garch', 'historical'] as const)('the picture of a loan under %s', kind => {
  const plan = randomLoanPlan(11, kind, PATHS);
  const picture = pictureOf(plan, PATHS) as LoanPicture;
  const whole = runRange(plan, { first: 0, count: PATHS });

  it('ends with the shares of the whole run', () => {
    expect(picture.events.steps.at(-1)).toBe(plan.product.steps);
    expect(picture.events.called.at(-1)).toBe(whole.marginCalls / PATHS);
    expect(picture.events.liquidated.at(-1)).toBe(whole.liquidations / PATHS);
    expect(picture.events.closedOut.at(-1)).toBe(whole.closeouts / PATHS);
  });

  it('has at every day the shares of the loan followed to that day alone', () => {
    const { steps, called, liquidated, closedOut } = picture.events;
    for (const [i, step] of steps.entries()) {
      if (step === 0) continue;
      const outcome = runRange(truncated(plan, step), { first: 0, count: PATHS });
      expect([called[i], liquidated[i], closedOut[i]], `step ${step}`).toEqual(
        [outcome.marginCalls, outcome.liquidations, outcome.closeouts].map(count => count / PATHS),
      );
    }
  });

  it('never takes a share back', () => {
    const { called, liquidated, closedOut } = picture.events;
    for (const shares of [called, liquidated, closedOut])
      for (let i = 1; i < shares.length; i++) expect(shares[i]).toBeGreaterThanOrEqual(shares[i - 1]);
  });

  it('starts every path and quantile at the nominal ratio, and keeps the quantiles in order', () => {
    const { quantiles, paths } = picture.fan;
    for (const series of [...quantiles, ...paths]) expect(series[0]).toBe(plan.product.nominalRatio);
    for (let level = 1; level < FAN_LEVELS.length; level++)
      for (const [i, value] of quantiles[level].entries())
        expect(value).toBeGreaterThanOrEqual(quantiles[level - 1][i]);
  });

  it('counts every path once', () => {
    expect(picture.lowest.counts.reduce((sum, count) => sum + count, 0)).toBe(PATHS);
  });
});

describe('the picture of a loan with terms of its own', () => {
  const { product, ...plan } = randomLoanPlan(12, 'gbm', PATHS);
  const nominalRatio = (product.liquidationRatio + product.marginCallRatio) / 2;
  const TERMS: readonly [string, Partial<LoanProduct>][] = [
    ['interest', { debtGrowth: 1.3 }],
    ['a call that is open at the start', { nominalRatio, start: { status: 'called', deadlineStep: 5 } }],
    ['both', { nominalRatio, debtGrowth: 1.3, start: { status: 'called', deadlineStep: 5 } }],
    [
      'a fall below L at the start',
      { nominalRatio: 0.99 * product.liquidationRatio, start: { status: 'liquidated', deadlineStep: 1 } },
    ],
  ];

  it.each(TERMS)('has at every day the shares of a loan with %s followed to that day', (_, terms) => {
    const loan = { ...plan, product: { ...product, ...terms } };
    const picture = pictureOf(loan, PATHS) as LoanPicture;
    const { steps, called, liquidated, closedOut } = picture.events;
    for (const [i, step] of steps.entries()) {
      if (step === 0) continue;
      const outcome = runRange(truncated(loan, step), { first: 0, count: PATHS });
      expect([called[i], liquidated[i], closedOut[i]], `step ${step}`).toEqual(
        [outcome.marginCalls, outcome.liquidations, outcome.closeouts].map(count => count / PATHS),
      );
    }
    const plain = pictureOf({ ...plan, product }, PATHS) as LoanPicture;
    expect(called.at(-1)).toBeGreaterThan(plain.events.called.at(-1) ?? 1);
  });

  it('has a fan whose debt grows', () => {
    const lowest = (debtGrowth: number) => {
      const picture = pictureOf({ ...plan, product: { ...product, debtGrowth } }, PATHS) as LoanPicture;
      return picture.fan.paths.map(path => path.at(-1) ?? Number.NaN);
    };
    const [grown, plain] = [lowest(1.3), lowest(1)];
    for (const [i, ratio] of grown.entries()) expect(ratio).toBeCloseTo(plain[i] / 1.3, 12);
  });
});

describe('the picture of a capped loan', () => {
  const plan = randomCappedPlan(5, 'gbm', PATHS);

  it('ends with what the whole run sold', () => {
    const picture = pictureOf(plan, PATHS);
    if (picture.kind !== 'capped-loan') throw new Error(picture.kind);
    const whole = runRange(plan, { first: 0, count: PATHS });
    expect(picture.sales.sold.at(-1)).toBe(whole.soldAmount / PATHS);
    expect(picture.sales.sellers.at(-1)).toBe(whole.sellers / PATHS);
  });

  it('has in its fan and at every day the interest of the debt', () => {
    const grown = { ...plan, product: { ...plan.product, debtGrowth: 1.3 } };
    const picture = pictureOf(grown, PATHS);
    const plain = pictureOf(plan, PATHS);
    if (picture.kind !== 'capped-loan' || plain.kind !== 'capped-loan') throw new Error(picture.kind);
    for (const [i, path] of picture.fan.paths.entries())
      expect(path.at(-1)).toBeCloseTo(Number(plain.fan.paths[i].at(-1)) / 1.3, 12);
    // A day's figure has the interest up to that day and no more.
    const middle = picture.sales.steps.length >> 1;
    const debt = truncated(grown, picture.sales.steps[middle]).product.debtGrowth;
    expect(Math.log(debt ?? 1) / Math.log(1.3)).toBeCloseTo(
      picture.sales.steps[middle] / plan.product.steps,
      12,
    );
  });
});

describe('the picture of a perpetual', () => {
  const plan = randomPerpetualPlan(3, 'gbm', PATHS);

  it('starts at the mark price of the plan', () => {
    const picture = pictureOf(plan, PATHS);
    if (picture.kind !== 'perpetual') throw new Error(picture.kind);
    expect(picture.fan.quantiles.every(([first]) => first === plan.product.startPrice)).toBe(true);
    expect(picture.finalEquity.counts.reduce((sum, count) => sum + count, 0)).toBe(PATHS);
  });
});

describe('a histogram', () => {
  it('keeps outliers in its outer bins', () => {
    const { counts, from } = histogramOf([...Array.from({ length: 1000 }, (_, i) => i / 1000), 1e9], 10);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(1001);
    expect(from[9]).toBeLessThan(1);
  });

  it('holds values that are all the same', () => {
    expect(histogramOf([2, 2, 2], 4).counts.reduce((sum, count) => sum + count, 0)).toBe(3);
  });
});
