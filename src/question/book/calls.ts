/** `Calls` of /book_risk: the loans that begin in margin call, how long their calls are open, and what cures each. */
import { cureOf } from '../../core/lending/cure.ts';
import { LOAN_START } from '../../core/plan/book-lending.ts';
import type { BookProduct } from '../../core/plan/product/book.ts';
import { closesAt } from '../../market/closes-at.ts';
import type { Simulated } from '../answer.ts';
import { shockFactor } from '../request/price-shock.ts';
import type { BookRiskRequest } from './request.ts';

/** Amounts at the prices of the start, after their shock; null in units of an asset without a close. */
export async function bookCalls({
  request,
  plan: { product },
  context,
}: Simulated<BookRiskRequest, BookProduct, unknown>) {
  const { loans, prices: sent, price_shock, analysis_date } = request.terms;
  const { symbols, lending, ids, topUpHours } = loans;
  const called = ids.flatMap((_, k) => (product.lending?.start[k] === LOAN_START.called ? [k] : []));
  if (called.length === 0) return {};
  const unpriced = symbols.filter(symbol => sent?.[symbol] === undefined);
  const closes = await closesAt(context.market, context.now)({ symbols: unpriced, date: analysis_date });
  const prices = symbols.map(symbol => {
    const close = closes.get(symbol);
    const price = sent?.[symbol] ?? (close !== undefined && 'price' in close ? close.price : Number.NaN);
    return price * (price_shock === undefined ? 1 : shockFactor(price_shock, symbol));
  });
  const inUnits = (usd: number, weights: Float64Array) =>
    Object.fromEntries(
      symbols.flatMap((symbol, i) =>
        weights[i] > 0 ? [[symbol, Number.isNaN(prices[i]) ? null : usd / prices[i]]] : [],
      ),
    );
  const rows = called.map(k => {
    const [from, to] = [product.basket[k], product.basket[k] + 1].map(b => b * symbols.length);
    const collateral = product.collateralWeights.subarray(from, to);
    const debt = product.loanWeights.subarray(from, to);
    const loanUsd = product.loanValue[k] * sum(debt);
    const collateralUsd = product.nominalRatio[k] * product.loanValue[k] * sum(collateral);
    const { topUp, repayment } = cureOf(collateralUsd, loanUsd, product.recoveryRatio[k]);
    const open = lending?.calledHoursAgo[k] ?? 0;
    return [
      ids[k],
      {
        OpenHours: open,
        HoursLeft: topUpHours[k] - open,
        Ratio: collateralUsd / loanUsd,
        TopUpUsd: topUp,
        TopUp: inUnits(topUp, collateral),
        RepayUsd: repayment,
        Repay: inUnits(repayment, debt),
      },
    ] as const;
  });
  return Object.fromEntries(rows);
}

const sum = (values: Float64Array) => values.reduce((a, b) => a + b, 0);
