/** Books with terms anywhere within the bounds of a request, on each engine with threads, against the rules. */

import { describe, expect, it } from 'vitest';
import { UNITS_PER_LOAN_VALUE } from '#src/core/book/book-sums.js';
import { prepareBook } from '#src/core/book/prepared-book.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import { type BookLoanOnPath, bookOnPath, usdOf } from '#src/core/rules/book.js';
import { defaultOnPath } from '#src/core/rules/credit.js';
import { pricesOnPath } from '#src/core/rules/models.js';
import { SIMD_GROUPS } from '#src/core/simd/book.js';
import { anyBook } from '../../support/any-terms.ts';
import { withCredit } from '../../support/book-cases.ts';
import { FOLLOWERS, pathOf } from '../../support/book-followers.ts';
import { nearestOfLoan } from '../../support/book-parity.ts';
import { everyNth } from '../../support/engines.ts';
import { sum } from '../../support/flags.ts';

const PATHS = 8;
const SEEDS = Array.from({ length: 77 }, (_, i) => i);
const AMOUNTS = ['loss', 'unsold', 'sold', 'peakDay', 'toppedUp'] as const;
const COUNTS = ['calledLoans', 'forcedSales'] as const;
/** Amounts of single precision differ by the rounding of prices and of the sums of a step. */
const FOLLOWED = [
  { name: 'reference', groups: 'together', close: 1e-7, near: 1e-11 },
  { name: 'simd', groups: SIMD_GROUPS, close: 1e-4, near: 1e-5 },
] as const;

/** Within rounding of a threshold both results are right. */
const isNear = (product: BookProduct, loan: BookLoanOnPath, k: number, near: number) =>
  nearestOfLoan(product, loan, k) < near || Math.abs(Math.log(loan.worstCcr)) < near;

for (const { name, groups, close, near } of FOLLOWED)
  describe(`Books with any terms on ${name}`, () => {
    for (const { part, tags, some } of everyNth(7, SEEDS))
      it(`have the figures of the rules ${part}`, { tags }, () => {
        let compared = 0;
        let all = 0;
        for (const seed of some) {
          const plan = withCredit(anyBook(seed, PATHS));
          const { product } = plan;
          const book = prepareBook(product, plan.scenarios.assets, groups);
          const follower = FOLLOWERS[name](plan, book);
          for (let p = 0; p < PATHS; p++) {
            const { loans, columns } = pathOf(plan, book, follower, p);
            const plain = bookOnPath(product, plan.seed, p, pricesOnPath(plan, p, product.steps));
            const inputs = `book ${seed}, path ${p}`;
            const expectClose = (what: string, got: number, wanted: number) => {
              if (Math.abs(got - wanted) <= close * Math.max(1, Math.abs(wanted))) return;
              expect.fail(`${inputs}: ${what} ${got}, not ${wanted}`);
            };
            plain.loans.forEach((loan, k) => {
              all++;
              if (isNear(product, loan, k, near)) return;
              compared++;
              const terms = [product.nominalRatio, product.marginCallRatio, product.liquidationRatio];
              const of = `of loan ${k} (N, M, L ${terms.map(ratio => ratio[k])})`;
              expectClose(`calls ${of}`, loans.marginCalls[k], Number(loan.marginCall));
              expectClose(`liquidations ${of}`, loans.liquidations[k], Number(loan.liquidation));
              expectClose(`closeouts ${of}`, loans.closeouts[k], Number(loan.closeout));
              expectClose(`underwater ${of}`, loans.underwater[k], Number(loan.underwater));
              expectClose(`missed steps ${of}`, loans.missedSteps[k], product.termSteps[k] - loan.endStep);
              expectClose(`loss ${of}`, loans.lossUnits[k] / UNITS_PER_LOAN_VALUE, loan.loss);
              expectClose(`unsold ${of}`, loans.unsoldUnits[k] / UNITS_PER_LOAN_VALUE, loan.unsoldFraction);
              expectClose(`worst CCR ${of}`, loans.worstCcr[k], loan.worstCcr);
              const { credit, lending } = loans;
              for (const [set, most] of [
                ['all', Number.POSITIVE_INFINITY],
                ['within', product.credit.horizonSteps],
              ] as const) {
                const found = defaultOnPath(loan, -product.credit.logDiscount[k]);
                const event = found !== undefined && found.step <= most ? found : undefined;
                const { exposure = 0, loss: lost = 0 } = event ?? {};
                const sums = credit?.[set];
                const lossExposure = loan.loss * UNITS_PER_LOAN_VALUE > 0.5 ? exposure : 0;
                // A path on which a loss is as small as the error of a price may have none.
                const isClear = loan.loss === 0 || loan.loss > close;
                for (const [what, got = Number.NaN, expected] of [
                  ['events', sums?.events[k], Number(event !== undefined)],
                  ['exposure', sums?.exposure[k], exposure],
                  ['lost', sums?.lost[k], lost],
                  ['losses', sums?.losses[k], isClear ? Number(lossExposure > 0) : sums?.losses[k]],
                  [
                    'exposure of losses',
                    sums?.lossExposure[k],
                    isClear ? lossExposure : sums?.lossExposure[k],
                  ],
                  ['squared exposure', sums?.squares?.exposure[k], exposure ** 2],
                  ['squared loss', sums?.squares?.lost[k], lost ** 2],
                  ['exposure times loss', sums?.squares?.product[k], exposure * lost],
                ] as [string, number | undefined, number][])
                  expectClose(`${what} (${set}) ${of}`, got, expected);
              }
              if (lending === undefined) return;
              expectClose(`top-ups ${of}`, lending.topUp[k], usdOf(loan.topUps));
              // Sales of a whole loan are in the sums of its path alone.
              if (!product.lending?.saleRatio[k]) return;
              expectClose(`sales ${of}`, lending.sales[k], loan.sales.length);
              expectClose(`sold ${of}`, lending.sold[k], usdOf(loan.sales));
            });
            if (plain.loans.some((loan, k) => isNear(product, loan, k, near))) continue;
            const lent = sum(product.loanValue);
            for (const column of AMOUNTS)
              if (columns[column] !== undefined)
                expectClose(column, columns[column] / lent, plain[column] / lent);
            for (const column of COUNTS) expect(columns[column], `${inputs}: ${column}`).toBe(plain[column]);
          }
        }
        expect(compared).toBeGreaterThan(0.9 * all);
      });
  });
