/**
 * A capped sale of a loan under way, written down in units of collateral and debt: interest, a start below M or L, answered calls.
 *
 * Steps count from 0, the start. Shares nothing with the engines but the words of Threefry.
 */
import type { CappedLoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { plainUniform } from './loan-under-way.ts';
import { plainBaskets } from './paths.ts';

export interface PlainCappedUnderWay {
  marginCall: boolean;
  liquidation: boolean;
  closeout: boolean;
  underwater: boolean;
  worstCcr: number;
  sold: number;
  callAmounts: number[];
  /** Whether a sale from the start, or from the deadline of the call that is open there, sells the capacity up to the term. */
  unfinished: boolean;
  added: number;
  topUps: number;
  callStep: number;
  liquidationStep: number;
  closeoutStep: number;
  /** Of the whole claim at t = 1..T, index t - 1. */
  coverage: number[];
}

export function plainCappedUnderWay(
  plan: SimulationPlan<CappedLoanProduct>,
  path: number,
): PlainCappedUnderWay {
  const { product, seed } = plan;
  const {
    nominalRatio,
    marginCallRatio,
    liquidationRatio,
    recoveryRatio,
    topUpSteps,
    steps,
    capacityPerStep,
  } = product;
  const { start, answers, debtGrowth = 1 } = product;
  const prices = plainBaskets(plan, path, steps);
  const debtPrice = prices.loan.map((price, t) => price * debtGrowth ** (t / steps));
  const result: PlainCappedUnderWay = {
    marginCall: false,
    liquidation: false,
    closeout: false,
    underwater: false,
    worstCcr: Number.POSITIVE_INFINITY,
    sold: 0,
    callAmounts: [],
    unfinished: false,
    added: 0,
    topUps: 0,
    callStep: 0,
    liquidationStep: 0,
    closeoutStep: 0,
    coverage: [],
  };
  let units = nominalRatio;
  let debt = 1;
  let selling = false;
  let over = false;
  let begin = -1;
  let call: { deadline: number; answer: number } | undefined;
  let number = 0;
  const answerStep = (t: number) =>
    answers !== undefined && plainUniform(seed, path, answers, number) < answers.share ? t : 0;
  const called = (t: number, books: boolean) => {
    if (!result.marginCall) result.callStep = Math.max(1, t);
    result.marginCall = true;
    if (books)
      result.callAmounts.push(
        Math.max(0, recoveryRatio * debt * debtPrice[t] - units * prices.collateral[t]),
      );
  };
  const liquidated = (t: number) => {
    if (!result.liquidation) result.liquidationStep = Math.max(1, t);
    result.liquidation = true;
  };
  for (let t = start === undefined ? 1 : 0; t <= steps; t++) {
    if (over) {
      result.coverage.push(result.coverage.at(-1) ?? (nominalRatio * prices.collateral[0]) / debtPrice[0]);
      continue;
    }
    const collateralUsd = units * prices.collateral[t];
    const debtUsd = debt * debtPrice[t];
    const ccr = collateralUsd / debtUsd;
    if (ccr < 1) result.underwater = true;
    const whole = collateralUsd / debtPrice[t] + (1 - debt);
    result.worstCcr = Math.min(result.worstCcr, whole);
    if (t > 0) result.coverage.push(whole);
    if (t === 0) {
      if (start?.status === 'called' || start?.status === 'liquidated') called(0, true);
      if (start?.status === 'liquidated') {
        liquidated(0);
        selling = true;
      }
      if (start?.status === 'called') {
        const due = answers === undefined || answers.startStep === 0 ? 0 : answerStep(answers.startStep);
        call = { deadline: start.deadlineStep, answer: due };
      }
    } else if (selling) {
      if (ccr < liquidationRatio) liquidated(t);
    } else if (ccr < liquidationRatio) {
      called(t, call === undefined);
      liquidated(t);
      selling = true;
    } else {
      const cured = call !== undefined && ccr >= recoveryRatio;
      if (cured) call = undefined;
      if (call === undefined && ccr < marginCallRatio) {
        number++;
        called(t, !cured);
        call = {
          deadline: t + topUpSteps,
          answer: answers === undefined ? 0 : answerStep(t + answers.delaySteps),
        };
      }
      if (call !== undefined && answers !== undefined && call.answer === t) {
        units *= answers.toRatio / ccr;
        result.added += units * prices.collateral[t] - collateralUsd;
        result.topUps++;
        call = undefined;
      }
      if (call !== undefined && t >= call.deadline) {
        result.closeout = true;
        result.closeoutStep = t;
        selling = true;
      }
    }
    if (!selling) continue;
    if (begin < 0) begin = t;
    const sale = Math.min(capacityPerStep, collateralUsd, debtUsd);
    result.sold += sale;
    units -= sale / prices.collateral[t];
    debt -= sale / debtPrice[t];
    if (sale === debtUsd) over = true;
    else if (sale === collateralUsd) {
      result.underwater = true;
      over = true;
    }
  }
  const common = { open: -1, called: start?.deadlineStep, liquidated: 0 }[start?.status ?? 'open'];
  result.unfinished = result.sold > 0 && !over && begin === common;
  return result;
}
