/** One loan of a book with the terms of real loans: its terms, its state at step 0, and the answers to its calls. */
import { callAtStart, type LendingSeries, liquidateAtStart } from '../lending/follow-lending.ts';
import {
  forget,
  type LendingCourse,
  type LendingState,
  type LendingTerms,
  NO_STEP,
  reopen,
} from '../lending/lending-terms.ts';
import { type BookLending, LOAN_START } from '../plan/book-lending.ts';
import type { BookProduct } from '../plan/product/book.ts';
import { answeringWords, answerWord, isAnswered } from '../random/answers.ts';

/** The call number of a draw that decides on all calls of a path. */
const ONE_DRAW = 0;

export function lendingTerms(product: BookProduct, lending: BookLending, k: number): LendingTerms {
  const nominalRatio = product.nominalRatio[k];
  return {
    nominalRatio,
    callAt: product.marginCallRatio[k] / nominalRatio,
    liquidationAt: product.liquidationRatio[k] / nominalRatio,
    recoveryAt: product.recoveryRatio[k] / nominalRatio,
    topUpSteps: product.topUpSteps[k],
    steps: product.termSteps[k],
    saleDelaySteps: product.saleDelaySteps,
    saleCost: lending.saleCost[k],
    answers:
      lending.answerRatio[k] > 0
        ? { delaySteps: lending.answerDelay[k], toRatio: lending.answerRatio[k] }
        : undefined,
    partialSale:
      lending.saleRatio[k] > 0
        ? { toRatio: lending.saleRatio[k], maxShare: lending.saleShare[k] }
        : undefined,
  };
}

/**
 * Sets the state and the course of loan k to those at step 0.
 *
 * @param answered whether the call that is open at the start is answered; called only where its answer is still to come
 * @returns the first step of a possible event
 */
export function beginLoan(
  lending: BookLending,
  k: number,
  terms: LendingTerms,
  series: LendingSeries,
  state: LendingState,
  course: LendingCourse,
  answered: () => boolean,
): number {
  reopen(state);
  forget(course);
  const start = lending.start[k];
  if (start === LOAN_START.liquidated) liquidateAtStart(terms, series, state, course);
  if (start === LOAN_START.called) {
    const answer = lending.startAnswer[k];
    const comes = terms.answers !== undefined && answer > 0 && answered();
    callAtStart(state, lending.startDeadline[k], comes ? answer : NO_STEP, course);
  }
  return state.orderStep === 0 ? 0 : 1;
}

/** Whether a call of loan k is answered on a path. @param call its number; 0 for one that is open at the start */
export function isCallAnswered(
  lending: BookLending,
  k: number,
  seed: number,
  path: number,
  call: number,
): boolean {
  const number = lending.oneDraw[k] === 1 ? ONE_DRAW : call;
  const word = answerWord(seed, path, [lending.nameHigh[k], lending.nameLow[k]], number);
  return isAnswered(word, answeringWords(lending.answerShare[k]));
}
