/** Books on the reference engine: held against the plain program, across numbers of threads, and in their tails. */
import { afterAll, describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { type BookProduct, bookUnit } from '#src/core/plan/product/book.js';
import type { Scenarios, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { openReferenceEngine } from '#src/engine/threads/reference-engine.js';
import { plainBookPath } from '../support/plain/book.ts';
import { plainPrices } from '../support/plain/paths.ts';
import { Dice, randomGbm } from '../support/random-plans.ts';

const one = openReferenceEngine({ threads: 1 });
const three = openReferenceEngine({ threads: 3 });
afterAll(() => Promise.all([one.close(), three.close()]));

const ASSETS = 3;
const LOANS = 60;
const TERM = 240;
const DELAY = 24;

/** Two volatile assets and a steadier one; loans of ten baskets, some of them fragile. */
const product: BookProduct = {
  kind: 'book',
  steps: TERM + DELAY,
  saleDelaySteps: DELAY,
  saleCost: 0.02,
  daySteps: 24,
  quantiles: Float64Array.of(0.9, 0.99),
  collateralWeights: Float64Array.from(
    Array.from({ length: 10 }, (_, b) => (b % 2 === 0 ? [1, 0, 0] : [0.1 * b, 1 - 0.1 * b, 0])).flat(),
  ),
  loanWeights: Float64Array.from(Array.from({ length: 10 }, () => [0, 0, 1]).flat()),
  basket: Uint32Array.from({ length: LOANS }, (_, k) => k % 10),
  termSteps: Uint32Array.from({ length: LOANS }, (_, k) => (k % 3 === 0 ? TERM : TERM / 2)),
  topUpSteps: Uint32Array.from({ length: LOANS }, (_, k) => 12 * (k % 3)),
  loanValue: Float64Array.from({ length: LOANS }, (_, k) => 1000 * (k + 1)),
  nominalRatio: Float64Array.from({ length: LOANS }, (_, k) => 1.25 + 0.01 * k),
  marginCallRatio: Float64Array.from({ length: LOANS }, () => 1.2),
  liquidationRatio: Float64Array.from({ length: LOANS }, () => 1.05),
  recoveryRatio: Float64Array.from({ length: LOANS }, () => 1.3),
};

const gbm: Scenarios = {
  kind: 'gbm',
  assets: ASSETS,
  annualVolatility: Float64Array.of(1.2, 0.9, 0.02),
  factor: Float64Array.of(1.2, 0, 0, 0.45, Math.sqrt(0.9 ** 2 - 0.45 ** 2), 0, 0, 0, 0.02),
};
const historical = (paths: number): Scenarios => ({
  kind: 'historical',
  assets: ASSETS,
  lead: TERM + DELAY,
  prices: Array.from({ length: ASSETS }, (_, i) =>
    Float64Array.from({ length: TERM + DELAY + paths }, (_, t) =>
      i === 2 ? 1 : 100 * Math.exp(0.25 * Math.sin(t / (17 + 9 * i)) + 0.1 * Math.cos(t / 3)),
    ),
  ),
});

const plan = (paths: number, scenarios: Scenarios = gbm): SimulationPlan<BookProduct> => ({
  seed: 11,
  paths,
  scenarios,
  product,
});

describe('A book', () => {
  it.each([
    ['drawn paths', gbm],
    ['windows of history', historical(40)],
  ])('has on every path the figures of its loans one by one: %s', async (_, scenarios) => {
    const book = plan(40, scenarios);
    const records = await three.trace(book);
    const outcome = await three.run(book);
    const calls = new Float64Array(LOANS);
    const losses = new Float64Array(LOANS);
    for (let p = 0; p < book.paths; p++) {
      const plain = plainBookPath(product, plainPrices(book, p, product.steps));
      for (const name of ['calledLoans', 'forcedSales'] as const) {
        expect(records[name][p], `${name} of path ${p}`).toBe(plain[name]);
        expect(outcome.columns[name][p]).toBe(plain[name]);
      }
      for (const name of ['loss', 'unsold', 'sold', 'peakDay'] as const) {
        // Prices differ in their last digits: the engine's exponential against Math.exp.
        const tolerance = 1e-10 * plain[name] + LOANS * bookUnit(product);
        expect(Math.abs(records[name][p] - plain[name]), `${name} of path ${p}`).toBeLessThan(tolerance);
        expect(outcome.columns[name][p]).toBe(records[name][p]);
      }
      plain.loans.forEach(({ marginCall, loss }, k) => {
        calls[k] += Number(marginCall);
        losses[k] += loss;
      });
    }
    expect([...outcome.loans.marginCalls]).toEqual([...calls]);
    losses.forEach((loss, k) => {
      const got = (outcome.loans.lossUnits[k] / UNITS_PER_LOAN_VALUE) * product.loanValue[k];
      expect(Math.abs(got - loss), `loss of loan ${k}`).toBeLessThan(1e-7 * product.loanValue[k]);
    });
  });

  it('of loans with baskets of their own has the figures of its loans one by one', async () => {
    const assets = 6;
    const loans = 80;
    const dice = new Dice(5);
    const basket = (members: number) => {
      const row = new Float64Array(assets);
      for (let i = 0; i < members; i++) row[dice.whole(0, assets - 1)] += dice.between(0.1, 1);
      const total = row.reduce((sum, weight) => sum + weight, 0);
      return [...row.map(weight => weight / total)];
    };
    const rows = (members: () => number) =>
      Float64Array.from(Array.from({ length: loans }, () => basket(members())).flat());
    const own: BookProduct = {
      ...product,
      // Up to six assets, some of them on both sides.
      collateralWeights: rows(() => dice.whole(1, 6)),
      loanWeights: rows(() => dice.whole(1, 3)),
      basket: Uint32Array.from({ length: loans }, (_, k) => k),
      termSteps: Uint32Array.from({ length: loans }, () => dice.whole(1, TERM)),
      topUpSteps: Uint32Array.from({ length: loans }, () => dice.pick([0, 5, 24, 400])),
      loanValue: Float64Array.from({ length: loans }, () => dice.between(1, 1e6)),
      nominalRatio: Float64Array.from({ length: loans }, () => dice.between(1.1, 1.6)),
      // Some with M below 1, which can be under water without a call.
      marginCallRatio: Float64Array.from({ length: loans }, (_, k) =>
        k % 5 === 0 ? 0.9 : dice.between(1, 1.2),
      ),
      liquidationRatio: Float64Array.from({ length: loans }, (_, k) =>
        k % 5 === 0 ? 0.85 : dice.between(0.9, 1),
      ),
      recoveryRatio: Float64Array.from({ length: loans }, () => dice.between(1, 1.4)),
    };
    const book: SimulationPlan<BookProduct> = {
      seed: 3,
      paths: 60,
      scenarios: randomGbm(dice, assets),
      product: own,
    };
    const outcome = await three.run(book);
    const counts = { marginCalls: 0, liquidations: 0, closeouts: 0, underwater: 0 };
    const expected = Array.from({ length: loans }, () => ({
      ...counts,
      missed: 0,
      worst: Number.POSITIVE_INFINITY,
    }));
    for (let p = 0; p < book.paths; p++) {
      const plain = plainBookPath(own, plainPrices(book, p, own.steps));
      expect(outcome.columns.calledLoans[p], `called loans of path ${p}`).toBe(plain.calledLoans);
      expect(outcome.columns.forcedSales[p], `forced sales of path ${p}`).toBe(plain.forcedSales);
      plain.loans.forEach((loan, k) => {
        const sums = expected[k];
        sums.marginCalls += Number(loan.marginCall);
        sums.liquidations += Number(loan.liquidation);
        sums.closeouts += Number(loan.closeout);
        sums.underwater += Number(loan.underwater);
        sums.missed += loan.liquidation || loan.closeout ? own.termSteps[k] - loan.endStep : 0;
        sums.worst = Math.min(sums.worst, loan.worstCcr);
      });
    }
    expected.forEach(({ missed, worst, ...rest }, k) => {
      for (const name of ['marginCalls', 'liquidations', 'closeouts', 'underwater'] as const)
        expect(outcome.loans[name][k], `${name} of loan ${k}`).toBe(rest[name]);
      expect(outcome.loans.missedSteps[k], `missed steps of loan ${k}`).toBe(missed);
      expect(Math.abs(outcome.loans.worstCcr[k] / worst - 1), `worst CCR of loan ${k}`).toBeLessThan(1e-12);
    });
    expect(expected.some(({ marginCalls }) => marginCalls > 0 && marginCalls < book.paths)).toBe(true);
  });

  it('gives the same bits on one thread and on three', async () => {
    const [first, second] = await Promise.all([one.run(plan(3000)), three.run(plan(3000))]);
    expect(second).toEqual(first);
  });

  it('can be aborted, and leaves the threads free', async () => {
    const abort = new AbortController();
    const run = one.run(plan(1_000_000), {
      signal: abort.signal,
      onProgress: () => abort.abort(new Error('enough')),
    });
    await expect(run).rejects.toThrow('enough');
    expect((await one.run(plan(10))).paths).toBe(10);
  });
});
