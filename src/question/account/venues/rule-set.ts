/** The rules of a venue as data: what a file of this folder declares, and what a request sends as `rules` (docs/accounts.md, "Venues"). */
import type { CloseTerms } from '../../../core/plan/product/account.ts';

/** A table of maintenance margins, a snapshot. */
export interface TierTable {
  /** What `from` counts: USD of notional, or coins. Default: usd. */
  readonly unit?: 'usd' | 'coin' | undefined;
  readonly tiers: readonly { readonly from: number; readonly rate: number }[];
  /** d of each tier; those that make the margin continuous where absent. */
  readonly deductions?: readonly number[] | undefined;
}

/** The tables of a market by its kind of contract. */
export interface MarketTiers {
  readonly linear?: TierTable | undefined;
  readonly inverse?: TierTable | undefined;
}

/** A number for all markets, or numbers by market; `*` is every other one. */
export type ByMarket = number | Readonly<Record<string, number>>;

export interface FundingRules {
  readonly interval_hours?: number | undefined;
  /** Per 8 hours. */
  readonly interest?: number | undefined;
  readonly clamp?: number | undefined;
  /** Largest size of a settled rate. */
  readonly cap?: ByMarket | undefined;
  /** Weights of the hours of an interval. */
  readonly weights?: 'mean' | 'linear' | undefined;
}

export interface RuleSet {
  /** Liquidatable at E < M; else at E <= M. */
  readonly strict: boolean;
  readonly close: CloseTerms;
  readonly fee_rate?: number | undefined;
  readonly maintenance_fee?: number | undefined;
  readonly fee_cap?: 'equity' | 'bankruptcy' | undefined;
  readonly reserve_fee?: boolean | undefined;
  readonly backstop?: number | undefined;
  readonly rest?: 'account' | 'fund' | undefined;
  readonly bankruptcy?: 'whole' | 'share' | undefined;
  readonly unfilled?: 'bankruptcy' | 'open' | 'mark' | undefined;
  readonly costs?: 'account' | 'fund' | undefined;
  readonly conversion_cost?: number | undefined;
  readonly haircuts?: Readonly<Record<string, number>> | undefined;
  readonly debt_markup?: Readonly<Record<string, number>> | undefined;
  readonly funding?: FundingRules | undefined;
  readonly tiers?: Readonly<Record<string, MarketTiers>> | undefined;
  readonly source?: string | undefined;
  /** YYYY-MM-DD. */
  readonly as_of?: string | undefined;
}

/** A venue: its rules, and whether the server's maintenance margins serve where it has no table. */
export interface Venue extends RuleSet {
  readonly name: string;
  /** A sentence for documents and pages. */
  readonly words: string;
  readonly serverMargins?: true;
}

/** Collateral in one stablecoin alone. */
export const USDC_ONLY = { USD: 0, USDC: 0, '*': 1 } as const;

/** One rate without tiers. */
export const flatRate = (rate: number): TierTable => ({ tiers: [{ from: 0, rate }] });

/** The number of a market. */
export function ofMarket(value: ByMarket | undefined, market: string): number | undefined {
  if (typeof value !== 'object') return value;
  return Object.hasOwn(value, market) ? value[market] : value['*'];
}
