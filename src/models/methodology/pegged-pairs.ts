/** Collateral and debt that move together: no methodology shows them part. */
import { correlationMatrix } from '../../core/stats/correlation.ts';
import { type Warning, warnIf } from '../../core/warnings.ts';
import { DOLLAR } from '../../text/symbols.ts';
import { logReturns } from '../calibration/log-returns.ts';
import type { FitContext, LoanPair, Need } from './methodology.ts';
import { lastDayOf } from './window.ts';

/** Correlation of the daily log returns of a window above which two assets are taken for one. */
const PEGGED = 0.99;
const MIN_RETURNS = 20;

/** The pairs of assets of two baskets, without the dollar and an asset that is in both. @param weights by number of the symbol, from `first` on */
export const pairsOf = (
  symbols: readonly string[],
  collateralWeights: Float64Array,
  loanWeights: Float64Array,
  first = 0,
): LoanPair[] => {
  const held = (weights: Float64Array) =>
    symbols.filter((symbol, i) => symbol !== DOLLAR && weights[first + i] !== 0);
  const loan = held(loanWeights);
  return held(collateralWeights).flatMap(own =>
    loan.filter(other => other !== own).map(other => [own, other] as const),
  );
};

/** A warning where daily returns of both assets of a pair have a correlation above 0.99 over the window. */
export async function peggedWarnings(need: Need, context: FitContext): Promise<readonly Warning[]> {
  const { pairs = [], lookbackDays } = need;
  const distinct = new Map(pairs.map(pair => [[...pair].sort().join(' '), pair]));
  if (distinct.size === 0) return [];
  const last = lastDayOf(need, context);
  const symbols = [...new Set([...distinct.values()].flat())];
  const closes = new Map(
    await Promise.all(
      symbols.map(
        async symbol => [symbol, await context.market.heldCloses(symbol, last - lookbackDays, last)] as const,
      ),
    ),
  );
  const found = [...distinct.values()].flatMap(([collateral, loan]) => {
    const correlation = correlationOf(closes.get(collateral), closes.get(loan));
    return correlation > PEGGED ? [`${collateral} and ${loan} (${correlation.toFixed(4)})`] : [];
  });
  return warnIf(
    found.length > 0,
    'pegged-pair',
    `Over the window ${found.join(', ')} moved together (correlation of daily returns): figures of a loan of one against the other do not show ` +
      'that they part, under any methodology. Ask it by a price_shock on one of them.',
  );
}

/** Of the daily log returns of days on which both have a close; 0 where they are few. */
function correlationOf(a: ArrayLike<number> = [], b: ArrayLike<number> = []): number {
  const days = Array.from(a, (_, day) => day).filter(day => a[day] > 0 && b[day] > 0);
  if (days.length <= MIN_RETURNS) return 0;
  return correlationMatrix([a, b].map(closes => logReturns(days.map(day => closes[day]))))[1];
}
