/** Random terms of real loans for random books. */
import { type BookLending, LOAN_START } from '#src/core/plan/book-lending.js';
import type { BookProduct } from '#src/core/plan/product/book.js';
import type { BookShape } from './random-books.ts';
import { randomBook } from './random-books.ts';
import { Dice } from './random-plans.ts';

/** A random book of which most loans have interest, answers, sales of a part, costs of their own, or begin called, in any combination. */
export function randomLendingBook(seed: number, paths: number, shape: BookShape) {
  const plan = randomBook(seed, paths, shape);
  return { ...plan, product: { ...plan.product, ...randomLending(new Dice(1000 + seed), plan.product) } };
}

/** The same of which loans differ from those without terms by interest, and by being called or liquidated at the start, and by nothing else. */
export function randomStartBook(seed: number, paths: number, shape: BookShape) {
  const { product, ...plan } = randomLendingBook(seed, paths, shape);
  const none = new Float64Array(product.loanValue.length);
  const lending: BookLending = {
    ...product.lending,
    saleCost: none.map(() => product.saleCost),
    // Nobody answers.
    answerShare: none,
    saleRatio: none,
  };
  return { ...plan, product: { ...product, lending } };
}

function randomLending(dice: Dice, product: BookProduct) {
  const loans = product.loanValue.length;
  const doubles = (value: (k: number) => number) => Float64Array.from({ length: loans }, (_, k) => value(k));
  const words = (value: (k: number) => number) => Uint32Array.from({ length: loans }, (_, k) => value(k));
  const liquidationRatio = product.liquidationRatio;
  const marginCallRatio = product.marginCallRatio;
  const recoveryRatio = product.recoveryRatio;
  const start = words(() => dice.pick([0, 0, 0, 1, 2, 3]));
  const nominalRatio = doubles(k =>
    start[k] === LOAN_START.called
      ? dice.between(liquidationRatio[k], marginCallRatio[k])
      : start[k] === LOAN_START.liquidated
        ? liquidationRatio[k] * dice.between(0.8, 0.999)
        : product.nominalRatio[k],
  );
  const growth = [1, 1, 1.05, 0.9];
  const saleCost = doubles(() => dice.pick([product.saleCost, product.saleCost, 0, 0.1]));
  const above = (k: number) =>
    Math.max(marginCallRatio[k], recoveryRatio[k], 1.001 / (1 - saleCost[k])) + dice.between(0.01, 0.4);
  const lending: BookLending = {
    debtGrowth: doubles(() => dice.pick(growth)),
    saleCost,
    start,
    startDeadline: words(k => Math.max(1, Math.round(product.topUpSteps[k] * dice.between(0, 1)))),
    startAnswer: words(k => (product.topUpSteps[k] === 0 ? 0 : dice.whole(0, 3))),
    answerShare: doubles(() => dice.pick([0, 0.3, 0.7, 1])),
    answerDelay: words(k => Math.max(1, Math.min(product.topUpSteps[k], dice.pick([1, 5, 24])))),
    answerRatio: doubles(k => (product.topUpSteps[k] > 0 && dice.pick([true, false]) ? above(k) : 0)),
    nameHigh: words(k => (k % 4 === 0 ? 7 : k)),
    nameLow: words(k => (k % 4 === 0 ? 9 : 3 * k)),
    oneDraw: words(k => Number(k % 4 === 0)),
    saleRatio: doubles(k => (dice.pick([true, false]) ? above(k) : 0)),
    saleShare: doubles(() => dice.pick([1, 0.97, 0.5, 0.2])),
  };
  return { nominalRatio, lending };
}
