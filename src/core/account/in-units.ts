/** The terms of an account in units in which single precision holds them: the equity at the start, and prices after a shock. */
import type { PreparedAccount } from './prepared-account.ts';

export interface AccountUnits {
  /** Factors of the prices at the start; USD last. */
  readonly shock: Float64Array;
  /** USD of a unit: the equity before a shock. */
  readonly equity: number;
}

/** Rows and currencies of an account. Profit at a gain g of the asset since the start is slope g + start. */
export function inUnits(prepared: PreparedAccount, { shock, equity }: AccountUnits) {
  const { product, tierFirst, tierFrom, tierRate, tierDeduction } = prepared;
  const rows = product.rows.map((row, i) => {
    const { asset, currency, inverse, coin, fundingRate, fundingIntervalHours } = row;
    const { asset: currencyAsset, price } = product.currencies[currency];
    const ofUnit = inverse ? 1 : shock[currencyAsset];
    const slope = (prepared.slope[i] * shock[asset] * ofUnit) / equity;
    // A linear row settles units of its quote currency for a USD of its notional, an inverse one USD.
    const funding = -prepared.side[i] * fundingRate * (inverse ? 1 : price * shock[currencyAsset]);
    const tierUnit = (coin ? prepared.unit[i] * shock[asset] : 1) / equity;
    return {
      ...{ asset, currency, inverse, coin, fundingIntervalHours, slope },
      start: slope - (prepared.level[i] * ofUnit) / equity,
      /** Notional at the start. */
      size: (prepared.notional[i] * (inverse ? 1 : shock[asset])) / equity,
      /** Of a settlement, for a unit of the notional; 0 for a credit that is not paid. */
      funding: product.debitsOnly && funding > 0 ? 0 : funding,
      side: prepared.side[i],
      tiers: Array.from({ length: tierFirst[i + 1] - tierFirst[i] }, (_, k) => ({
        rate: tierRate[tierFirst[i] + k],
        deduction: tierDeduction[tierFirst[i] + k] * tierUnit,
        from: tierFrom[tierFirst[i] + k] * tierUnit,
      })),
      depth: prepared.depth[i] / equity,
      /** 1 over what is traded in an hour; 0 where slippage does not grow. */
      perVolume: row.hourlyVolume === undefined ? 0 : equity / row.hourlyVolume,
    };
  });
  const currencies = product.currencies.map(({ asset }, c) => ({
    asset,
    credit: prepared.creditWeight[c],
    debt: prepared.debtWeight[c],
  }));
  return { rows, currencies };
}
