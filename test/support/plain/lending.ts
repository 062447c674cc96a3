/**
 * One loan of a book with all terms of real loans, written down sentence by sentence in USD per USD of loan value: interest, calls
 * at the start, answered calls, sales of a part, sales that take time and cost.
 *
 * Every step is looked at; nothing is shared with the engines.
 */

export interface PlainLendingTerms {
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly R: number;
  /** Steps from a call to its deadline. */
  readonly topUpSteps: number;
  /** T. */
  readonly steps: number;
  /** Y, 1 without interest. */
  readonly growth: number;
  readonly saleDelay: number;
  readonly saleCost: number;
  readonly start?: 'open' | 'called' | 'liquidated';
  /** Step of the deadline of the call that is open at the start. */
  readonly startDeadline?: number;
  /** Step of the answer to that call; 0 where it is not answered. */
  readonly startAnswer?: number;
  readonly answers?: { readonly share: number; readonly delay: number; readonly to: number };
  readonly partialSale?: { readonly to: number; readonly maxShare: number };
}

export interface PlainLending {
  marginCall: boolean;
  liquidation: boolean;
  closeout: boolean;
  /** Step at which the loan ended for its survival; T where it did not. */
  endStep: number;
  loss: number;
  calls: number;
  sales: { readonly step: number; readonly usd: number; readonly units: number; readonly paid: number }[];
  topUps: { readonly step: number; readonly usd: number; readonly units: number }[];
  /** Units of the basket, and of the debt, that were left when nothing more could happen; the debt before interest. */
  unitsLeft: number;
  debtLeft: number;
  /** Of sums that reduce the debt, and of what a borrower was given back. */
  repaid: number;
  givenBack: number;
  /** The nothing-sold family. */
  underwater: boolean;
  worstCcr: number;
  unsold: number;
  /** max(0, 1 - CCR_T): that by the debt at the end of the term. */
  unsoldFraction: number;
  /** How near ln(CCR) came to a threshold that it was compared with. */
  nearest: number;
  /** Where the loan stood at the end of the last step that was asked for; absent where it had ended. */
  stands?: PlainStanding;
}

/** A loan that goes on. */
export interface PlainStanding {
  /** Whether a sale was ordered; it was carried out at its step. */
  readonly ordered: boolean;
  /** Step of the deadline of an open call. */
  readonly deadline: number | undefined;
  readonly units: number;
  /** Before interest. */
  readonly debt: number;
}

/**
 * @param collateral C_t, t = 0 .. T + delay
 * @param loan L_t of the same steps
 * @param uniform of call k of this loan on this path
 * @param until last step that is looked at; an order that is open then is carried out at its step
 */
export function plainLending(
  terms: PlainLendingTerms,
  collateral: readonly number[],
  loan: readonly number[],
  uniform: (call: number) => number,
  until = Number.POSITIVE_INFINITY,
): PlainLending {
  const { N, M, L, R, steps, growth, saleDelay, saleCost, start, answers, partialSale } = terms;
  const owed = (t: number) => loan[t] * growth ** (t / steps);
  const untouched = Array.from({ length: steps + 1 }, (_, t) => (N * collateral[t]) / owed(t));
  const counted = start === undefined ? untouched.slice(1) : untouched;
  const result: PlainLending = {
    marginCall: false,
    liquidation: false,
    closeout: false,
    endStep: steps,
    loss: 0,
    calls: 0,
    sales: [],
    topUps: [],
    unitsLeft: 0,
    debtLeft: 0,
    repaid: 0,
    givenBack: 0,
    underwater: counted.some(ccr => ccr < 1),
    worstCcr: Math.min(...counted),
    unsold: owed(steps) * Math.max(0, 1 - untouched[steps]),
    unsoldFraction: Math.max(0, 1 - untouched[steps]),
    nearest: Number.POSITIVE_INFINITY,
  };
  let units = N;
  let debt = 1;
  let call: { deadline: number; answer: number } | undefined;
  let order: { due: number; fraction: number } | undefined;
  let calls = 0;
  const isAnswered = (number: number) => answers !== undefined && uniform(number) < answers.share;
  const isBelow = (ccr: number, threshold: number) => {
    result.nearest = Math.min(result.nearest, Math.abs(Math.log(ccr / threshold)));
    return ccr < threshold;
  };
  const place = (t: number) => {
    const q = units * collateral[t];
    const d = debt * owed(t);
    let fraction = 1;
    if (partialSale !== undefined) {
      const { to, maxShare } = partialSale;
      const restoring = (to * d - q) / (to * (1 - saleCost) - 1);
      const allowed = (maxShare * d) / (1 - saleCost);
      fraction = Math.min(1, restoring / q, allowed / q);
      if (d - (1 - saleCost) * fraction * q < 0.01) fraction = 1;
    }
    if (fraction === 1) result.endStep = t;
    order = { due: t + saleDelay, fraction };
    call = undefined;
  };
  for (let t = 0; ; t++) {
    const ccr = (units * collateral[t]) / (debt * owed(t));
    if (order === undefined && t === 0) {
      if (start === 'liquidated') {
        result.marginCall = true;
        result.liquidation = true;
        place(0);
      } else if (start === 'called') {
        result.marginCall = true;
        result.calls++;
        const { startDeadline = 1, startAnswer = 0 } = terms;
        call = { deadline: startDeadline, answer: startAnswer > 0 && isAnswered(0) ? startAnswer : 0 };
      }
    } else if (order === undefined) {
      if (isBelow(ccr, L)) {
        result.marginCall = true;
        result.liquidation = true;
        place(t);
      } else {
        if (call !== undefined && !isBelow(ccr, R)) call = undefined;
        if (call === undefined && isBelow(ccr, M)) {
          calls++;
          result.calls++;
          result.marginCall = true;
          call = {
            deadline: t + terms.topUpSteps,
            answer: answers !== undefined && isAnswered(calls) ? t + answers.delay : 0,
          };
        }
        if (call !== undefined && answers !== undefined && call.answer === t && ccr < answers.to) {
          const after = (answers.to * debt * owed(t)) / collateral[t];
          result.topUps.push({ step: t, usd: (after - units) * collateral[t], units: after - units });
          units = after;
          call = undefined;
        }
        if (call !== undefined && t >= call.deadline) {
          result.closeout = true;
          place(t);
        }
      }
    }
    if (order !== undefined && order.due === t) {
      const { fraction } = order;
      order = undefined;
      const sold = units * fraction;
      const usd = sold * collateral[t];
      const proceeds = (1 - saleCost) * usd;
      const due = debt * owed(t);
      units -= sold;
      const paid = Math.min(due, proceeds);
      result.sales.push({ step: t, usd, units: sold, paid });
      result.repaid += paid / owed(t);
      result.givenBack += proceeds - paid;
      debt = proceeds >= due ? 0 : debt - proceeds / owed(t);
      if (proceeds < due && fraction === 1) {
        result.loss = due - proceeds;
        result.debtLeft = debt;
        result.unitsLeft = 0;
        return result;
      }
      if (debt < 2 ** -20) {
        result.debtLeft = debt;
        result.unitsLeft = units;
        return result;
      }
    }
    if (t === until && until < steps) {
      const ordered: boolean = order !== undefined;
      result.stands = { ordered, deadline: call?.deadline, units, debt };
    }
    if (t >= until && t < steps && order === undefined && result.stands !== undefined) return result;
    if (t >= steps && order === undefined) {
      result.debtLeft = debt;
      result.unitsLeft = units;
      const q = units * collateral[t];
      const d = debt * owed(t);
      if (q / d < 1) result.loss = d - (1 - saleCost) * q;
      return result;
    }
  }
}
