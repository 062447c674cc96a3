/**
 * A book of loans: docs/books.md, "What happens to a loan"; docs/lending.md for the terms of each loan.
 *
 * Takes: a book, the number of a path and its prices. Gives: what happens to each loan, and the figures of the book on that path.
 */
import type { BookProduct } from '../plan/product/book.ts';
import { uniformOfCall } from './draws.ts';
import {
  type DrawOfCall,
  debtByStep,
  firstStep,
  type LoanTerms,
  loanAtStart,
  ratioOf,
  rulesOfStep,
  untouchedRatios,
} from './loan.ts';
import { basketOf } from './models.ts';

export interface BookLoanTerms extends LoanTerms {
  /** T. */
  readonly steps: number;
  /** Steps from the order of a sale to the sale. */
  readonly saleDelay: number;
  /** Part of the proceeds. */
  readonly saleCost: number;
  /** CCR that a sale restores, and the most of the debt that it repays; all is sold where it is absent. */
  readonly partialSale?: { readonly to: number; readonly maxShare: number };
}

/** A debt below this part of that at the start is repaid. */
const LEAST_DEBT = 2 ** -20;
/** A sale that would leave less debt than this part of the loan sells everything. */
const LEAST_DEBT_LEFT = 0.01;

/** A sale or an answer, in units of the loan at the start. */
interface BookSale {
  readonly step: number;
  /** Units of the collateral basket, and their value. */
  readonly units: number;
  readonly usd: number;
  /** What reduces the debt, and the part of the debt that it repays, before interest. */
  readonly paid: number;
  readonly repaid: number;
  /** What the borrower keeps. */
  readonly givenBack: number;
}
interface BookTopUp {
  readonly step: number;
  readonly units: number;
  readonly usd: number;
}

/** One path of a loan of a book. Amounts are in units of the loan at the start. */
export interface BookLoanOnPath {
  readonly marginCall: boolean;
  readonly liquidation: boolean;
  readonly closeout: boolean;
  /** Step of the order to sell everything, T where there is none. */
  readonly endStep: number;
  readonly loss: number;
  /** Step at which the loss is known: of the last sale, or of the handing over; undefined without one. */
  readonly lossStep: number | undefined;
  /** Step of the first order of a sale, or of a handing over below the debt, and the debt then: the default of docs/credit.md. */
  readonly event: { readonly step: number; readonly debt: number } | undefined;
  readonly sales: readonly BookSale[];
  readonly topUps: readonly BookTopUp[];
  /** Collateral and debt that are left at the end, the debt before interest. */
  readonly unitsLeft: number;
  readonly debtLeft: number;
  /** Nothing sold or added: whether CCR is below 1 at some step, the lowest, max(0, 1 - CCR_T), and that of the debt. */
  readonly underwater: boolean;
  readonly worstCcr: number;
  readonly unsoldFraction: number;
  readonly unsold: number;
  /** CCR of each step from 1 on at which the rules decided, and the health of a loan with thresholds by asset. */
  readonly ccr: readonly number[];
  readonly health: readonly number[];
  /** Step of the deadline of an open call where the loan goes on after the last step that was asked for, without an order. */
  readonly goesOn: { readonly deadline: number | undefined } | undefined;
}

/**
 * One path of a loan of a book: docs/books.md, "What happens to a loan" and docs/lending.md, "Selling a part".
 *
 * @param collateral C_t, t = 0 .. T + the delay of a sale
 * @param loan L_t
 * @param until last step of the rules, for a replay; an order that is open then is executed at its step
 * @param secured C_t with the liquidation LTV of each asset as a factor; absent where the loan has one threshold
 */
export function bookLoanOnPath(
  terms: BookLoanTerms,
  collateral: readonly number[],
  loan: readonly number[],
  draw: DrawOfCall = () => 0,
  until = Number.POSITIVE_INFINITY,
  secured?: readonly number[],
): BookLoanOnPath {
  const { steps: T, saleDelay, saleCost } = terms;
  const debt = debtByStep(terms, loan, T);
  const untouched = untouchedRatios(terms, collateral, debt).slice(0, T + 1);
  const ofTerm = untouched.slice(firstStep(terms));
  const state = loanAtStart(terms);
  const ccr: number[] = [];
  const healths: number[] = [];
  const sales: BookSale[] = [];
  const topUps: BookTopUp[] = [];
  let [marginCall, liquidation, closeout] = [false, false, false];
  let endStep = T;
  let loss = 0;
  let lossStep: number | undefined;
  let event: BookLoanOnPath['event'];
  let order: { readonly step: number; readonly fraction: number } | undefined;
  let goesOn: BookLoanOnPath['goesOn'];

  for (let t = firstStep(terms); ; t++) {
    // No rule applies while an order is open, including the step of its execution.
    if (order === undefined) {
      const { units } = state;
      const now = ratioOf(state, collateral[t], debt[t]);
      const health = secured && ratioOf(state, secured[t], debt[t]);
      if (t > 0) ccr.push(now);
      if (t > 0 && health !== undefined) healths.push(health);
      const events = rulesOfStep(terms, state, t, now, draw, health);
      if (events.called) marginCall = true;
      if (events.answered)
        topUps.push({ step: t, units: state.units - units, usd: (state.units - units) * collateral[t] });
      if (events.liquidated) liquidation = true;
      if (events.closedOut) closeout = true;
      if (events.liquidated || events.closedOut) {
        const fraction = fractionOfOrder(terms, state.units * collateral[t], state.debt * debt[t]);
        order = { step: t + saleDelay, fraction };
        event ??= { step: t, debt: state.debt * debt[t] };
        if (fraction === 1) endStep = t;
      }
    }

    if (order?.step === t) {
      const owed = state.debt * debt[t];
      const units = state.units * order.fraction;
      const usd = units * collateral[t];
      const proceeds = (1 - saleCost) * usd;
      const paid = Math.min(owed, proceeds);
      sales.push({ step: t, units, usd, paid, repaid: paid / debt[t], givenBack: proceeds - paid });
      state.units -= units;
      state.debt = proceeds >= owed ? 0 : state.debt - proceeds / debt[t];
      if (order.fraction === 1) loss = owed - paid;
      if (loss > 0) lossStep = t;
      // A part that repays all ends the loan with its sale, not with its order.
      if (order.fraction < 1 && state.debt < LEAST_DEBT) endStep = Math.min(t, T);
      if (order.fraction === 1 || state.debt < LEAST_DEBT) break;
      order = undefined;
    }

    if (order === undefined && t >= T) {
      // With CCR below 1 the loan is handed over; else it is repaid.
      const value = state.units * collateral[t];
      const owed = state.debt * debt[t];
      if (ratioOf(state, collateral[t], debt[t]) < 1) {
        loss = Math.max(0, owed - (1 - saleCost) * value);
        if (loss > 0) lossStep = t;
        event ??= { step: t, debt: owed };
      }
      break;
    }
    if (order === undefined && t >= until) {
      if (t === until) goesOn = { deadline: state.call?.deadline };
      break;
    }
  }
  const unsoldFraction = Math.max(0, 1 - untouched[T]);
  return {
    marginCall,
    liquidation,
    closeout,
    endStep,
    loss,
    lossStep,
    event,
    sales,
    topUps,
    unitsLeft: state.units,
    debtLeft: state.debt,
    underwater: ofTerm.some(each => each < 1),
    worstCcr: Math.min(...ofTerm),
    unsoldFraction,
    unsold: debt[T] * unsoldFraction,
    ccr,
    health: healths,
    goesOn,
  };
}

/** f of an order: docs/lending.md, "Selling a part". @param q collateral @param D debt of the step */
function fractionOfOrder({ saleCost: c, partialSale }: BookLoanTerms, q: number, D: number): number {
  if (partialSale === undefined) return 1;
  const x1 = (partialSale.to * D - q) / (partialSale.to * (1 - c) - 1);
  const x2 = (partialSale.maxShare * D) / (1 - c);
  const f = Math.min(1, x1 / q, x2 / q);
  const debtLeft = D - (1 - c) * f * q;
  return debtLeft < LEAST_DEBT_LEFT ? 1 : f;
}

/** One path of a book. Amounts are in USD, those of single loans in units of their values. */
export interface BookOnPath {
  readonly loans: readonly BookLoanOnPath[];
  readonly loss: number;
  readonly unsold: number;
  /** Numbers of loans. */
  readonly calledLoans: number;
  readonly forcedSales: number;
  readonly sold: number;
  readonly toppedUp: number;
  readonly peakDay: number;
}

/** Every loan of a book. @param prices entry [t][i] is S_i(t) / S_i(0), up to the end of the longest sale */
export function bookLoansOnPath(
  product: BookProduct,
  seed: number,
  path: number,
  prices: readonly (readonly number[])[],
  until?: number,
): BookLoanOnPath[] {
  const assets = prices[0].length;
  return Array.from(product.basket, (basket, k) => {
    const terms = bookLoanTermsOf(product, k);
    const pricesOfLoan = prices.slice(0, terms.steps + terms.saleDelay + 1);
    const side = (weights: Float64Array) =>
      basketOf(weights.subarray(basket * assets, (basket + 1) * assets), pricesOfLoan);
    const draw = drawsOfBookLoan(product, k, seed, path);
    const { collateralWeights, loanWeights, liquidationWeights, lending } = product;
    const secured = liquidationWeights && lending?.byAsset?.[k] === 1 ? side(liquidationWeights) : undefined;
    return bookLoanOnPath(terms, side(collateralWeights), side(loanWeights), draw, until, secured);
  });
}

/** The figures of a book on one path: docs/books.md, "Figures". @param prices as of `bookLoansOnPath` */
export function bookOnPath(
  product: BookProduct,
  seed: number,
  path: number,
  prices: readonly (readonly number[])[],
): BookOnPath {
  const loans = bookLoansOnPath(product, seed, path, prices);
  const sumOver = (of: (loan: BookLoanOnPath, value: number) => number) =>
    loans.reduce((sum, loan, k) => sum + of(loan, product.loanValue[k]), 0);
  return {
    loans,
    loss: sumOver(({ loss }, value) => value * loss),
    unsold: sumOver(({ unsold }, value) => value * unsold),
    calledLoans: sumOver(({ marginCall }) => Number(marginCall)),
    forcedSales: sumOver(({ sales }) => Number(sales.length > 0)),
    sold: sumOver(({ sales }, value) => value * usdOf(sales)),
    toppedUp: sumOver(({ topUps }, value) => value * usdOf(topUps)),
    peakDay: peakDayOf(product, loans),
  };
}

/** Sum of some sales or answers. */
export const usdOf = (amounts: readonly { readonly usd: number }[]): number =>
  amounts.reduce((sum, { usd }) => sum + usd, 0);

/** The largest sum of sales within a day: docs/books.md, "Figures". A sale at the start counts to the first step. */
function peakDayOf({ steps, daySteps, loanValue }: BookProduct, loans: readonly BookLoanOnPath[]): number {
  const soldAt = new Array<number>(steps + 1).fill(0);
  loans.forEach(({ sales }, k) => {
    for (const { step, usd } of sales) soldAt[Math.max(1, step)] += loanValue[k] * usd;
  });
  let peak = 0;
  for (let last = 1; last <= steps; last++) {
    const day = soldAt.slice(Math.max(1, last - daySteps + 1), last + 1);
    peak = Math.max(
      peak,
      day.reduce((sum, usd) => sum + usd, 0),
    );
  }
  return peak;
}

/** The terms of loan `k`, by the columns of a book. */
function bookLoanTermsOf(product: BookProduct, k: number): BookLoanTerms {
  const { lending } = product;
  const terms = {
    N: product.nominalRatio[k],
    M: product.marginCallRatio[k],
    L: product.liquidationRatio[k],
    R: product.recoveryRatio[k],
    topUpSteps: product.topUpSteps[k],
    steps: product.termSteps[k],
    saleDelay: product.saleDelaySteps,
    saleCost: product.saleCost,
  };
  if (lending === undefined) return terms;
  const status = ([undefined, 'open', 'called', 'liquidated'] as const)[lending.start[k]];
  const start = { deadline: lending.startDeadline[k], answer: lending.startAnswer[k] };
  const answers = {
    share: lending.answerShare[k],
    delay: lending.answerDelay[k],
    to: lending.answerRatio[k],
  };
  const partialSale = { to: lending.saleRatio[k], maxShare: lending.saleShare[k] };
  return {
    ...terms,
    growth: lending.debtGrowth[k],
    saleCost: lending.saleCost[k],
    ...(status && { start: { status, ...start } }),
    ...(answers.to > 0 && { answers }),
    ...(partialSale.to > 0 && { partialSale }),
  };
}

/** The draws of the calls of loan `k`; a borrower has one, that of call 0: docs/lending.md, "A borrower who answers". */
function drawsOfBookLoan({ lending }: BookProduct, k: number, seed: number, path: number): DrawOfCall {
  if (lending === undefined) return () => 0;
  const name = { nameHigh: lending.nameHigh[k], nameLow: lending.nameLow[k] };
  return call => uniformOfCall(seed, path, name, lending.oneDraw[k] === 1 ? 0 : call);
}
