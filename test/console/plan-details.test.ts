/** What charts show of a plan beside its distribution is what the reference engine computes. */
import { describe, expect, it } from 'vitest';
import { loanDistribution, positionDistribution } from '#src/core/figures/distribution.js';
import { equityAtStart } from '#src/core/plan/product/account.js';
import { runRange } from '#src/core/reference/products.js';
import { endedAt, planDetails } from '../../console/src/compute/plan-details.ts';
import { fanOf } from '../../console/src/ui/distributions.ts';
import { accountPlan } from '../support/check-accounts.ts';
import { randomCappedPlan, randomLoanPlan, randomPerpetualPlan } from '../support/random-plans.ts';

const PATHS = 300;
const DAILY = { daySteps: 24 } as const;

describe.each(['gbm', 'garch', 'historical'] as const)('single paths of a loan under %s', kind => {
  const plan = randomLoanPlan(11, kind, PATHS);
  const { paths, stepsPerPath } = planDetails(plan);

  it('start at the nominal ratio', () => {
    expect(stepsPerPath).toBe(plan.product.steps);
    expect(paths.length).toBe(6);
    for (const path of paths) expect(path[0]).toBe(plan.product.nominalRatio);
  });

  it('are the first paths of the fan at the times of the fan', () => {
    const { distribution } = runRange({ ...plan, distribution: DAILY }, { first: 0, count: 1 });
    const { Fan } = loanDistribution(distribution as Float64Array, 1, plan.product.steps, DAILY);
    const fan = fanOf(Fan, plan.product.nominalRatio, 1, paths);
    expect(paths[0].length).toBe(fan.days.length);
    // The quantiles of one path lie in its bins.
    for (const [i, value] of paths[0].entries()) {
      expect(Math.abs(Number(fan.quantiles[0][i]) / value - 1)).toBeLessThan(Fan.resolution);
      expect(Math.abs(Number(fan.quantiles.at(-1)?.[i]) / value - 1)).toBeLessThan(Fan.resolution);
    }
  });
});

it('single paths of a loan have its interest', () => {
  const { product, ...plan } = randomLoanPlan(12, 'gbm', PATHS);
  const ends = (debtGrowth: number) =>
    planDetails({ ...plan, product: { ...product, debtGrowth } }).paths.map(path => Number(path.at(-1)));
  const [grown, plain] = [ends(1.3), ends(1)];
  for (const [i, ratio] of grown.entries()) expect(ratio).toBeCloseTo(plain[i] / 1.3, 12);
});

describe('sales of a capped loan', () => {
  const plan = randomCappedPlan(5, 'gbm', PATHS);

  it('end with the sales of the whole run', () => {
    const { sales, paths } = planDetails(plan);
    const whole = runRange(plan, { first: 0, count: PATHS });
    expect(paths).toEqual([]);
    expect(sales?.days[0]).toBe(0);
    expect(sales?.days.at(-1)).toBe(plan.product.steps / 24);
    expect(sales?.sold.at(-1)).toBe(whole.soldAmount / PATHS);
    expect(sales?.sellers.at(-1)).toBe(whole.sellers / PATHS);
  });

  it('never fall', () => {
    const { sold = [], sellers = [] } = planDetails(plan).sales ?? {};
    for (const shares of [sold, sellers])
      for (let i = 1; i < shares.length; i++) expect(shares[i]).toBeGreaterThanOrEqual(shares[i - 1]);
  });

  it('have at every day the interest of the debt up to that day', () => {
    const grown = { ...plan, product: { ...plan.product, debtGrowth: 1.3 } };
    const middle = plan.product.steps >> 1;
    const debt = endedAt(grown, middle).product.debtGrowth;
    expect(Math.log(debt ?? 1) / Math.log(1.3)).toBeCloseTo(middle / plan.product.steps, 12);
  });
});

describe('single paths of a perpetual', () => {
  const plan = randomPerpetualPlan(3, 'gbm', PATHS);
  const { paths, startPrice } = planDetails(plan);

  it('start at the mark price of the plan', () => {
    expect(startPrice).toBe(plan.product.startPrice);
    for (const path of paths) expect(path[0]).toBe(startPrice);
  });

  it('are the first paths of the fan', () => {
    const outcome = runRange({ ...plan, distribution: DAILY }, { first: 0, count: 1 });
    const { Fan } = positionDistribution(outcome, plan.product, DAILY);
    if (Fan === undefined) throw new Error('no fan');
    const fan = fanOf(Fan, plan.product.startPrice, plan.product.startPrice);
    for (const [i, value] of paths[0].entries())
      expect(Math.abs(Number(fan.quantiles[0][i]) / value - 1)).toBeLessThan(Fan.resolution);
  });
});

describe('the paths of an account', () => {
  const plan = accountPlan('A1', 200, 5, 1);
  const { paths, median } = planDetails(plan);

  it('start at its equity', () => {
    expect(paths.length).toBe(6);
    for (const path of paths) expect(path[0]).toBe(equityAtStart(plan.product));
  });

  it('have one in the middle of those that end', () => {
    const { liquidations } = runRange(plan, { first: 0, count: plan.paths });
    expect(median).toMatchObject({ isEnd: true, ended: liquidations, paths: plan.paths });
    const { hour, days, prices, equity } = median!;
    expect(prices).toHaveLength(plan.scenarios.assets);
    expect(days.at(-1)).toBe(plan.product.steps / 24);
    // Every hour of a week has a point; after the end the account keeps what is left.
    expect(equity[hour - 1]).not.toBe(equity[hour]);
    expect(new Set(equity.slice(hour)).size).toBe(1);
  });
});
