/**
 * Loans of a book whose ratio equals its thresholds, on every engine against the rules: random paths do not
 * distinguish `<` from `<=`.
 */

import { describe, expect, it } from 'vitest';
import { BOOK_COLUMNS, type BookProduct } from '#src/core/plan/product/book.js';
import { bookOnPath } from '#src/core/rules/book.js';
import { engineForTests } from '../support/engines.ts';
import { EXACT_ENGINES, exactMarkets } from '../support/exact-engines.ts';
import { combinations, exactLoanMarket, exactLoanPath } from '../support/exact-paths.ts';

describe.each(EXACT_ENGINES)('Loans of a book that meet their thresholds exactly, on $name', exact => {
  const LEVELS = {
    still: [0.5, 1, 2],
    // From an eighth the ratio is 1 again after three steps.
    recovering: [0.0625, 0.125, 0.25, 0.5, 1],
    falling: [0.125, 0.1875, 0.25, 0.5, 1],
    rising: [1, 2, 3, 4, 8],
  } as const;

  const engine = engineForTests(exact);

  for (const { shape, view, tags } of exactMarkets(
    exact,
    ['still', 'falling', 'rising', 'recovering'],
    'book',
  ))
    it(`have the figures of the rules, ${shape} as a ${view}`, { tags }, async () => {
      const { scenarios, portfolio } = exactLoanMarket(shape, view);
      const levels = LEVELS[shape];
      // Far from 1 a power of two is no longer exact in every domain; a price that stays can stay for days.
      const longest = shape === 'still' ? 50 : 10;
      const terms = combinations<{ n: number; l: number; m: number; r: number; topUp: number; term: number }>(
        {
          n: shape === 'falling' || shape === 'rising' ? [0.5, 4] : [0.5, 1, 2],
          l: [...levels],
          m: [...levels],
          r: [...levels, 2 ** 40],
          // Deadlines in the last step of a day, of a quiet one too, and beyond; terms that end in a group of four steps.
          topUp: [0, 3, 7, 24, 47],
          term: [3, 24, longest],
        },
      ).filter(({ l, m, term }) => l < m && term <= longest);
      const column = (value: (each: (typeof terms)[number]) => number) => Float64Array.from(terms, value);
      const delay = 3;
      const product: BookProduct = {
        kind: 'book',
        steps: longest + delay,
        saleDelaySteps: delay,
        saleCost: 0.125,
        daySteps: 24,
        quantiles: Float64Array.of(0.5),
        ...portfolio,
        basket: new Uint32Array(terms.length),
        termSteps: Uint32Array.from(terms, ({ term }) => term),
        topUpSteps: Uint32Array.from(terms, ({ topUp }) => topUp),
        loanValue: column(() => 1),
        nominalRatio: column(({ n }) => n),
        marginCallRatio: column(({ n, m }) => n * m),
        liquidationRatio: column(({ n, l }) => n * l),
        recoveryRatio: column(({ n, r }) => n * r),
      };
      const paths = 2;
      const plan = { seed: 1, paths, scenarios, product };
      const path = exactLoanPath(shape, product.steps);
      // The weights of a basket contain its value at the start.
      const prices = path.collateral.map((c, t) => {
        const price = c / path.collateral[0];
        return view === 'pair' ? [price, path.loan[t]] : [price, price, path.loan[t]];
      });
      const plain = bookOnPath(product, plan.seed, 0, prices);
      const { loans, columns } = await engine.run(plan);
      plain.loans.forEach((end, k) => {
        const inputs = JSON.stringify({ shape, view, ...terms[k] });
        const got = {
          marginCall: loans.marginCalls[k],
          liquidation: loans.liquidations[k],
          closeout: loans.closeouts[k],
          underwater: loans.underwater[k],
          missed: loans.missedSteps[k],
          worst: loans.worstCcr[k],
        };
        const times = (flag: boolean) => (flag ? paths : 0);
        expect(got, inputs).toEqual({
          marginCall: times(end.marginCall),
          liquidation: times(end.liquidation),
          closeout: times(end.closeout),
          underwater: times(end.underwater),
          missed: end.sales.length === 0 ? 0 : paths * (terms[k].term - end.endStep),
          worst: end.worstCcr,
        });
        // Amounts are singles.
        const single = paths * 2 ** (32 - 23);
        expect(Math.abs(loans.unsoldUnits[k] - paths * end.unsoldFraction * 2 ** 32), inputs).toBeLessThan(
          single,
        );
        expect(Math.abs(loans.lossUnits[k] - paths * end.loss * 2 ** 32), inputs).toBeLessThan(single);
      });
      for (const name of BOOK_COLUMNS)
        for (const value of columns[name])
          expect(Math.abs(value - plain[name]), name).toBeLessThanOrEqual(terms.length * 2 ** -23);
    });
});
