/** The account of a request as a product: its tables of margins, its currencies and rows; or a refusal with the figures behind it. */
import type { AccountNow } from '../../core/account/account-now.ts';
import { tiersOf } from '../../core/account/tiers.ts';
import { refuseIfFaulty } from '../../core/errors.ts';
import type { VenueTerms } from '../../core/plan/product/account.ts';
import type { AccountProduct } from '../../core/plan/simulation-plan.ts';
import { DOLLAR } from '../../text/symbols.ts';
import type { OperationContext } from '../question.ts';
import type { AccountFunding } from './funding.ts';
import type { ResolvedAccount } from './resolve.ts';
import { flatRate, ofMarket, type RuleSet, type TierTable } from './venues/rule-set.ts';

/** The table of each position: its own, the venue's, or the server's rate at the notional of the start. */
export const tablesOf = (
  { terms, tiers }: ResolvedAccount,
  { maintenanceMargins }: OperationContext,
): readonly TierTable[] =>
  terms.positions.map((row, i) => {
    const { market, position_size, contract_size = 1, contract_value_usd = 1, mark_price } = row;
    const notional =
      row.contract_type === 'linear'
        ? position_size * contract_size * mark_price
        : (position_size * contract_value_usd * terms.prices[market]) / mark_price;
    return tiers[i] ?? flatRate(maintenanceMargins.rateOf(market, Math.abs(notional)));
  });

/** What rules decide beside haircuts, tiers and funding. @param feeRate in place of their fee of a forced close */
export const venueTerms = (rules: RuleSet, feeRate?: number): VenueTerms => ({
  strict: rules.strict,
  close: rules.close,
  feeRate: feeRate ?? rules.fee_rate ?? 0,
  ...(rules.maintenance_fee === undefined || feeRate !== undefined
    ? {}
    : { maintenanceFee: rules.maintenance_fee }),
  feeCap: rules.fee_cap ?? 'equity',
  reserveFee: rules.reserve_fee ?? false,
  backstop: rules.backstop ?? 0,
  rest: rules.rest ?? 'account',
  bankruptcy: rules.bankruptcy ?? 'whole',
  unfilled: rules.unfilled ?? 'bankruptcy',
  costs: rules.costs ?? 'account',
  conversionCost: rules.conversion_cost ?? 0,
});

export function openAccount(
  { terms, assets, currencies, rules }: ResolvedAccount,
  tables: readonly TierTable[],
  funding: AccountFunding,
): AccountProduct {
  const priceOf = (symbol: string) => (symbol === DOLLAR ? 1 : terms.prices[symbol]);
  return {
    kind: 'account',
    venue: venueTerms(rules, terms.fee_rate),
    currencies: currencies.map(symbol => ({
      asset: symbol === DOLLAR ? assets.length : assets.indexOf(symbol),
      price: priceOf(symbol),
      balance: terms.collateral[symbol] ?? 0,
      haircut: terms.haircuts[symbol],
      debtMarkup: ofMarket(rules.debt_markup, symbol) ?? 0,
    })),
    rows: terms.positions.map((row, i) => {
      const { rate, process } = funding.rows[i];
      const inverse = row.contract_type === 'inverse';
      const { unit, tiers, deductions } = tables[i];
      return {
        asset: assets.indexOf(row.market),
        currency: currencies.indexOf(row.settle),
        inverse,
        quantity: row.position_size * ((inverse ? row.contract_value_usd : row.contract_size) ?? 1),
        entryPrice: row.entry_price,
        markPrice: row.mark_price,
        assetPrice: priceOf(row.market),
        coin: unit === 'coin',
        tiers: tiersOf(tiers, deductions),
        fundingRate: rate,
        fundingIntervalHours: row.funding_interval_hour,
        ...(row.depth === undefined ? {} : { depth: row.depth }),
        ...(row.hourly_volume === undefined ? {} : { hourlyVolume: row.hourly_volume }),
        ...(process === undefined ? {} : { process }),
      };
    }),
    processes: funding.processes,
    marginCallRatio: terms.margin_call_ratio,
    slippage: terms.slippage,
    slippageGrowth: terms.slippage_growth,
    feedLagHours: terms.feed_lag_hours,
    bridgeVariance: terms.intra_hour === 'bridge' ? (terms.intra_hour_variance ?? 1) : 0,
    debitsOnly: terms.funding_method === 'debitflat',
    steps: terms.horizon_hours,
  };
}

/** @throws RiskError `invalid-request` for an account that its rules close at the start prices, or that is out of proportion */
export function refuseLiquidatable(
  { venue }: AccountProduct,
  { equity, marginEquity, required }: AccountNow,
): void {
  const refuse = (rest: string) =>
    refuseIfFaulty(
      [{ code: 'inconsistent', path: 'params.collateral', message: `collateral ${rest}` }],
      'The account cannot be simulated.',
    );
  if (!Number.isFinite(equity) || !Number.isFinite(required))
    refuse('and positions make amounts beyond double precision.');
  const isHealthy = venue.strict ? marginEquity >= required : marginEquity > required;
  if (isHealthy && equity > 0) return;
  refuse(
    `is too small: at the start prices the account is liquidatable. Its equity with haircuts is ${marginEquity} USD and the ` +
      `maintenance margin ${required} USD; ${required - marginEquity} USD ${venue.strict ? 'or more' : 'and more'} are missing.`,
  );
}
