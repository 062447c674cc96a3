/** The range of a number by its role. */

/** A number's bounds, in words for the caller. */
export interface NumberRule {
  readonly bound: string;
  readonly holds: (value: number) => boolean;
}

/** No coin has traded at less than a millionth of a millionth of a dollar or above a million million. */
export const PRICE: NumberRule = {
  bound: 'a price from 1e-12 to 1e12',
  holds: value => value >= 1e-12 && value <= 1e12,
};
export const VOLUME: NumberRule = {
  bound: 'a volume from 0 to 1e18',
  holds: value => value >= 0 && value <= 1e18,
};
export const INDEX_LEVEL: NumberRule = {
  bound: 'a volatility in percent, above 0 and at most 1000',
  holds: value => value > 0 && value <= 1000,
};
export const FUNDING_RATE: NumberRule = {
  bound: 'a rate between -1 and 1, a fraction of the notional',
  holds: value => Math.abs(value) < 1,
};
