/**
 * A loan under way, written down in CCR and USD: interest, a call that is open at the start, answered calls.
 *
 * Steps count from 0, the start. Shares nothing with the engines but the words of Threefry, which have known answers of their own.
 */
import type { LoanProduct, SimulationPlan } from '#src/core/plan/simulation-plan.js';
import { threefry4x32 } from '#src/core/random/threefry.js';
import { plainBaskets } from './paths.ts';

export interface PlainUnderWay {
  marginCall: boolean;
  liquidation: boolean;
  closeout: boolean;
  underwater: boolean;
  endStep: number;
  worstCcr: number;
  /** CCR at the end of the term, nothing sold or added. */
  finalCcr: number;
  /** Collateral added, each at its value at the time, in units of the loan's value at the start. */
  added: number;
  topUps: number;
  callStep: number;
  liquidationStep: number;
  closeoutStep: number;
  /** CCR at t = 1..T, nothing sold or added. */
  ratio: number[];
  /** How near ln(CCR) came to a threshold that it was compared with. */
  nearest: number;
}

/** The uniform of a call, as docs/decisions/random-numbers.md lays it down. */
export function plainUniform(
  seed: number,
  path: number,
  { nameHigh, nameLow }: { nameHigh: number; nameLow: number },
  call: number,
) {
  const [word] = threefry4x32([path, call, nameHigh, nameLow], [seed, 0x616e7377, 0, 0], 12);
  return word / 2 ** 32;
}

export function plainLoanUnderWay(plan: SimulationPlan<LoanProduct>, path: number): PlainUnderWay {
  const { product, seed } = plan;
  const { nominalRatio, marginCallRatio, liquidationRatio, recoveryRatio, topUpSteps, steps } = product;
  const { start, answers, debtGrowth = 1 } = product;
  const prices = plainBaskets(plan, path, steps);
  const debt = prices.loan.map((price, t) => price * debtGrowth ** (t / steps));
  const untouched = prices.collateral.map((price, t) => (nominalRatio * price) / debt[t]);
  const term = start === undefined ? untouched.slice(1) : untouched;
  const result: PlainUnderWay = {
    marginCall: false,
    liquidation: false,
    closeout: false,
    underwater: term.some(ccr => ccr < 1),
    endStep: steps,
    worstCcr: Math.min(...term),
    finalCcr: untouched[steps],
    added: 0,
    topUps: 0,
    callStep: 0,
    liquidationStep: 0,
    closeoutStep: 0,
    ratio: untouched.slice(1),
    nearest: Number.POSITIVE_INFINITY,
  };
  let units = nominalRatio;
  let call: { deadline: number; answer: number } | undefined;
  let number = 0;
  const isAnswered = () => answers !== undefined && plainUniform(seed, path, answers, number) < answers.share;
  const openCall = (t: number, deadline: number, answer: number) => {
    result.marginCall = true;
    if (result.callStep === 0) result.callStep = Math.max(1, t);
    call = { deadline, answer };
  };
  const liquidate = (t: number) => {
    result.liquidation = true;
    result.endStep = t;
    result.liquidationStep = Math.max(1, t);
  };
  const isBelow = (ccr: number, threshold: number) => {
    result.nearest = Math.min(result.nearest, Math.abs(Math.log(ccr / threshold)));
    return ccr < threshold;
  };
  for (const ccr of term) isBelow(ccr, 1);
  if (start?.status === 'liquidated') {
    openCall(0, 0, 0);
    liquidate(0);
    return result;
  }
  if (start?.status === 'called') {
    const answered = answers !== undefined && answers.startStep > 0 && isAnswered();
    openCall(0, start.deadlineStep, answered ? answers.startStep : 0);
  }
  for (let t = 1; t <= steps; t++) {
    const ccr = (units * prices.collateral[t]) / debt[t];
    // Rule 1: liquidation.
    if (isBelow(ccr, liquidationRatio)) {
      if (!result.marginCall) openCall(t, 0, 0);
      liquidate(t);
      return result;
    }
    // Rule 2: cure.
    if (call !== undefined && !isBelow(ccr, recoveryRatio)) call = undefined;
    // Rule 3: call.
    if (call === undefined && isBelow(ccr, marginCallRatio)) {
      number++;
      openCall(t, t + topUpSteps, answers !== undefined && isAnswered() ? t + answers.delaySteps : 0);
    }
    // Rule 3a: the answer that is due.
    if (call !== undefined && answers !== undefined && call.answer === t) {
      const before = units * prices.collateral[t];
      units *= answers.toRatio / ccr;
      result.added += units * prices.collateral[t] - before;
      result.topUps++;
      call = undefined;
    }
    // Rule 4: closeout.
    if (call !== undefined && t >= call.deadline) {
      result.closeout = true;
      result.closeoutStep = t;
      result.endStep = t;
      return result;
    }
  }
  return result;
}
