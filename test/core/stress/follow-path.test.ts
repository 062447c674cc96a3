/** One path of a book again: its loans against the rules, and its figures against the path of the run on every engine. */
import { describe, expect, it } from 'vitest';
import type { PathRecords } from '#src/core/engine.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { pricesOfPath } from '#src/core/reference/models.js';
import { bookOnPath } from '#src/core/rules/book.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { followPath as follow, MAX_EVENTS, MAX_FOLLOWED_LOANS } from '#src/core/stress/follow-path.js';
import { withThresholds } from '../../support/any-terms.ts';
import { LENDING_BOOKS, tenBaskets, tenBasketsOfHistory } from '../../support/book-cases.ts';
import { type BookPlan, expectSameBookPaths, totalOf } from '../../support/book-parity.ts';
import { ENGINES, engineForTests } from '../../support/engines.ts';
import { HEAVY_TAILS, heavyTailed } from '../../support/heavy-tails.ts';
import { randomBook } from '../../support/random-books.ts';
import { randomLendingBook } from '../../support/random-lending.ts';
import { Dice, randomGarch } from '../../support/random-plans.ts';
import { shiftedBook } from '../../support/shifted-books.ts';

const followPath = (plan: SimulationPlan<BookProduct>, path: number) =>
  follow(plan, path, pricesOfPath(plan, path, plan.product.steps));

function bookOfThresholds(): SimulationPlan<BookProduct> {
  const plan = randomLendingBook(4, 3, { assets: 3, loans: 60, baskets: 20, term: 40 });
  return { ...plan, product: withThresholds(new Dice(4), plan.product, 3) };
}

describe('A path of a book again', () => {
  it.each<readonly [string, SimulationPlan<BookProduct>]>([
    ['drawn paths', tenBaskets(8)],
    ['windows of history', tenBasketsOfHistory(8)],
    ['shifted paths', shiftedBook(3, 8, 24, 6)],
    ['thresholds by asset', bookOfThresholds()],
    ...LENDING_BOOKS.map(([name, plan]) => [name, { ...plan, paths: 3 }] as const),
  ])('has the sales, answers and losses that the rules give: %s', (_, plan) => {
    const { product, seed } = plan;
    let events = 0;
    for (let p = 0; p < plan.paths; p++) {
      const followed = followPath(plan, p);
      const plain = bookOnPath(product, seed, p, pricesOnPath(plan, p, product.steps));
      const own = new Map(followed.loans.map(each => [each.loan, each]));
      expect(followed.moreLoans).toBe(0);
      plain.loans.forEach((loan, k) => {
        const value = product.loanValue[k];
        const got = own.get(k);
        const told = `loan ${k} of path ${p}`;
        expect(Boolean(got?.called), told).toBe(loan.marginCall);
        expect(Boolean(got?.liquidated), told).toBe(loan.liquidation);
        expect(Boolean(got?.closedOut), told).toBe(loan.closeout);
        expect(Math.abs((got?.loss ?? 0) - loan.loss * value), told).toBeLessThan(1e-9 * value);
        const of = (kind: string) =>
          (got?.events ?? []).filter(each => each.kind === kind).map(({ step, amount }) => [step, amount]);
        const wanted = (list: readonly { readonly step: number; readonly usd: number }[]) =>
          list.map(({ step, usd }) => [step, expect.closeTo(usd * value, 4)]);
        if (got === undefined || got.moreEvents === 0) {
          expect(of('sale'), told).toEqual(wanted(loan.sales));
          expect(of('top-up'), told).toEqual(wanted(loan.topUps));
        }
        events += got?.events.length ?? 0;
      });
      expect(followed.peakDay).toBeCloseTo(plain.peakDay, 3);
      expect(totalOf(followed.sold)).toBeCloseTo(plain.sold, 3);
      expect(totalOf(followed.toppedUp)).toBeCloseTo(plain.toppedUp, 3);
    }
    expect(events).toBeGreaterThan(0);
  });

  it('tells of each loan what happened in the order of the rules', () => {
    const plan = randomLendingBook(4, 1, { assets: 3, loans: 60, baskets: 20, term: 40 });
    const { loans, calls, orders, loss } = followPath(plan, 0);
    for (const { events, moreEvents } of loans) {
      expect(moreEvents).toBe(0);
      let [isCalled, isOrdered] = [false, false];
      for (const { kind, ccr } of events) {
        expect(ccr).toBeGreaterThan(0);
        if (kind === 'cure' || kind === 'top-up' || kind === 'closeout') expect(isCalled).toBe(true);
        if (kind === 'sale') expect(isOrdered).toBe(true);
        isCalled = kind === 'call' || (isCalled && kind === 'sale');
        isOrdered = kind === 'liquidation' || kind === 'closeout';
      }
    }
    const all = loans.flatMap(({ events }) => events);
    const number = (kind: string) => all.filter(each => each.kind === kind).length;
    expect(totalOf(calls)).toBe(number('call'));
    expect(totalOf(orders)).toBe(number('liquidation') + number('closeout'));
    expect(totalOf(loss)).toBeCloseTo(
      loans.reduce((sum, each) => sum + each.loss, 0),
      3,
    );
  });

  it('names the loans with the largest losses of a long list, and the first events of each', () => {
    const plan = randomBook(9, 4, { assets: 2, loans: 150, baskets: 4, term: 400 });
    const { product } = plan;
    // Each is called at the first fall, and again after each cure.
    const called = { marginCallRatio: product.nominalRatio, recoveryRatio: product.nominalRatio };
    const { loans, moreLoans } = followPath({ ...plan, product: { ...product, ...called } }, 1);
    expect(loans.length + moreLoans).toBeGreaterThan(MAX_FOLLOWED_LOANS);
    expect(loans).toHaveLength(MAX_FOLLOWED_LOANS);
    const losses = loans.map(each => each.loss);
    expect(losses).toEqual(losses.toSorted((a, b) => b - a));
    for (const { events, moreEvents } of loans)
      expect(events.length === MAX_EVENTS || moreEvents === 0).toBe(true);
  });
});

const MODELS: readonly (readonly [string, Scenarios])[] = [
  ['GARCH', randomGarch(new Dice(43), 3)],
  ...HEAVY_TAILS.map(name => [name, heavyTailed(name, 3, 11)] as const),
];

for (const engine of ENGINES)
  describe(`Every path of a book on ${engine.name}, again`, { tags: engine.tags }, () => {
    const opened = engineForTests(engine);
    const PATHS = 60 * engine.partOfPaths;
    const plans: readonly (readonly [string, BookPlan])[] = [
      ['GBM', randomBook(21, PATHS, { assets: 3, loans: 16, baskets: 8, term: 110 })],
      ['shifted', shiftedBook(4, PATHS, 16, 8)],
      ['windows', tenBasketsOfHistory(PATHS)],
      ...MODELS.map(
        ([name, scenarios]) =>
          [
            name,
            { ...randomBook(21, PATHS, { assets: 3, loans: 16, baskets: 8, term: 110 }), scenarios },
          ] as const,
      ),
    ];

    it.each(plans.filter(([, { scenarios }]) => engine.has('book', scenarios.kind)))(
      'has the loss and the sales of the run: %s',
      async (name, plan) => {
        const run = await opened.trace(plan);
        const again = Array.from({ length: plan.paths }, (_, p) => followPath(plan, p));
        const column = (of: (path: (typeof again)[number]) => number) => Float64Array.from(again, of);
        const got: PathRecords = {
          unsold: run.unsold,
          loss: column(({ loss }) => totalOf(loss)),
          sold: column(({ sold }) => totalOf(sold)),
          peakDay: column(({ peakDay }) => peakDay),
          calledLoans: column(({ called }) => called),
          forcedSales: column(
            ({ loans }) => loans.filter(({ liquidated, closedOut }) => liquidated || closedOut).length,
          ),
        };
        // Some loan-paths in a million lie within rounding of a threshold.
        const most = Math.ceil(4e-6 * plan.paths * plan.product.loanValue.length * plan.product.steps);
        expect(expectSameBookPaths(plan, run, got, name)).toBeLessThanOrEqual(most);
      },
    );
  });
