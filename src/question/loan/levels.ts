/** Members of `Model` of a loan: the prices of its margin call and liquidation, its expected loss and the spread that pays for it. */
import { factorAt } from '../../core/lending/price-level.ts';
import { DAYS_PER_YEAR } from '../../core/plan/grid.ts';
import { closesAt } from '../../market/closes-at.ts';
import { DOLLAR, isSteady } from '../../text/symbols.ts';
import type { OperationContext } from '../question.ts';
import { type LiquidationLtv, thresholdsOf } from '../request/ltv.ts';
import { type PriceShock, shockFactor } from '../request/price-shock.ts';
import type { WeightMap } from '../request/weight-map.ts';
import type { ResolvedBaskets } from '../resolved.ts';

interface LevelTerms {
  readonly price_shock?: PriceShock | undefined;
  /** Prices at which amounts were valued. */
  readonly prices?: Readonly<Record<string, number>> | undefined;
  readonly analysis_date: number;
  /** Days. */
  readonly loan_duration: number;
  readonly loan_value: number;
  readonly N: number;
  readonly M: number;
  readonly L: number;
  readonly liquidation_ltv?: LiquidationLtv | undefined;
  readonly collateral_weights: WeightMap;
}

/** A price at which the loan is called or liquidated, all other prices unchanged. */
interface Level {
  /** USD; null where no price of this asset alone does it, or its close is not available. */
  readonly price: number | null;
  /** Distance to that price in standard deviations of the term; below 0 where it is passed already. */
  readonly deviations: number | null;
  /** The loan reaches it when the price rises; absent where it reaches it when the price falls. */
  readonly rise?: true;
}

/**
 * @param annualVolatilities of the model by asset; absent where it has none
 * @param lossPct mean loss with nothing sold, per cent of the loan; absent where it is no figure of the answer
 */
export async function loanLevels(
  { terms, start }: Pick<ResolvedBaskets, 'start'> & { readonly terms: LevelTerms },
  annualVolatilities: Readonly<Record<string, number>> | undefined,
  lossPct: number | undefined,
  { market, now }: OperationContext,
) {
  const { analysis_date, loan_duration, loan_value, price_shock, prices = {} } = terms;
  const { collateral, loan } = start;
  // A rise of a stablecoin that calls a loan is no level of interest.
  const lent = Object.keys(loan).filter(symbol => !Object.hasOwn(collateral, symbol) && !isSteady(symbol));
  const symbols = [...Object.keys(collateral), ...lent];
  const unknown = symbols.filter(symbol => !Object.hasOwn(prices, symbol));
  const closes = await closesAt(market, now)({ symbols: unknown, date: analysis_date });
  const years = loan_duration / DAYS_PER_YEAR;
  const byAsset = thresholdsOf(terms.liquidation_ltv, terms.collateral_weights);
  const secured =
    byAsset &&
    Object.fromEntries(
      Object.entries(collateral).map(([symbol, value]) => [symbol, value * byAsset[symbol]]),
    );
  const levels = symbols.map(symbol => {
    const close = closes.get(symbol);
    // A carried close is no price of today.
    const isHeld = close !== undefined && 'price' in close && !close.carried;
    const before = prices[symbol] ?? (isHeld ? close.price : undefined);
    const price = before === undefined ? undefined : before * shockFactor(price_shock, symbol);
    const spread = (annualVolatilities?.[symbol] ?? 0) * Math.sqrt(years);
    const level = (ratio: number, values = collateral): Level => {
      const found = factorAt(symbol, ratio, terms.N, values, loan, isSteady(symbol));
      // The dollar is worth 1 by definition; a stablecoin may fall.
      if (found === undefined || symbol === DOLLAR) return { price: null, deviations: null };
      const { factor, rises } = found;
      const distance = rises ? Math.log(factor) : -Math.log(factor);
      return {
        price: price === undefined ? null : price * factor,
        deviations: spread === 0 ? null : distance / spread,
        ...(rises && { rise: true as const }),
      };
    };
    return [
      symbol,
      {
        price: price ?? null,
        margin_call: level(terms.M),
        liquidation: secured === undefined ? level(terms.L) : level(1, secured),
      },
    ] as const;
  });
  return {
    levels: Object.fromEntries(levels),
    ...(lossPct !== undefined && lossMembers(lossPct / 100, loan_value, years)),
  };
}

/** @param loss mean loss over the loan value */
const lossMembers = (loss: number, loanValue: number, years: number) => ({
  expected_loss_usd: loss * loanValue,
  // Addition to the interest rate that pays for the mean loss; null where no path loses or everything is lost. No loss on the paths of a
  // run does not mean that none is possible.
  loss_spread: loss > 0 && loss < 1 ? -Math.log(1 - loss) / years : null,
});
