/** The terms of an account in units in which single precision holds them: the equity at the start, and prices after a shock. */
import type { FundingProcess } from '../plan/product/account.ts';
import { HOURS_OF_PREMIUM } from './funding.ts';
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
    const { asset, currency, inverse, coin, process, fundingIntervalHours } = row;
    const fundingRate = process === undefined ? row.fundingRate : 1;
    const { asset: currencyAsset, price } = product.currencies[currency];
    const ofUnit = inverse ? 1 : shock[currencyAsset];
    const slope = (prepared.slope[i] * shock[asset] * ofUnit) / equity;
    // A linear row settles units of its quote currency for a USD of its notional, an inverse one USD.
    const funding = -prepared.side[i] * fundingRate * (inverse ? 1 : price * shock[currencyAsset]);
    const tierUnit = (coin ? prepared.unit[i] * shock[asset] : 1) / equity;
    return {
      ...{ asset, currency, inverse, coin, process, fundingIntervalHours, slope },
      start: slope - (prepared.level[i] * ofUnit) / equity,
      /** Notional at the start. */
      size: (prepared.notional[i] * (inverse ? 1 : shock[asset])) / equity,
      /** Of a settlement, for a unit of the notional, and of the rate where it is drawn; 0 for a credit that is not paid. */
      funding: process === undefined && product.debitsOnly && funding > 0 ? 0 : funding,
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

/** Above every cap, in singles. */
const NO_CAP = 3e38;

/**
 * The numbers of a process, which follows the distance x of the rate or premium from its mean: x moves to phi x + byReturn z + byNormal y, of a
 * `rate` held to lowest .. highest, z there being the sum of the returns since the last settlement. A premium settles by its sum times perWeight.
 */
export function processNumbers(process: FundingProcess) {
  const { of, mean, deviation, phi, correlation, start, intervalHours, linearWeights } = process;
  const { interest, clamp, cap = NO_CAP } = process;
  const isPremium = of === 'premium';
  const spread = deviation * Math.sqrt(1 - phi * phi);
  const weights = linearWeights ? (intervalHours * (intervalHours + 1)) / 2 : intervalHours;
  return {
    isPremium,
    phi,
    byReturn: (spread * correlation) / (isPremium ? 1 : Math.sqrt(intervalHours)),
    byNormal: spread * Math.sqrt(1 - correlation * correlation),
    mean,
    start: start - mean,
    perWeight: 1 / weights,
    interest,
    clamp,
    /** Of a premium, which is per 8 hours. */
    eights: intervalHours / HOURS_OF_PREMIUM,
    cap,
    lowest: -cap - mean,
    highest: cap - mean,
  };
}
