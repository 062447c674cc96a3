/** The terms of an account as columns: rows, currencies and tiers in the order in which a path reads them. */
import type { AccountProduct } from '../plan/product/account.ts';
import { exposureOf } from '../plan/product/account.ts';

/**
 * Prices are relative to the start before a shock, one an asset and then USD, whose price is 1. Balances and profits are in USD at these
 * prices: units times price of a unit at the start.
 */
export interface PreparedAccount {
  readonly product: AccountProduct;
  readonly assets: number;
  /** Per currency: its asset, its balance at the start, and what a credit and a debt count for. */
  readonly currencyAsset: Uint32Array;
  readonly balance: Float64Array;
  readonly creditWeight: Float64Array;
  readonly debtWeight: Float64Array;
  /** Per row. */
  readonly asset: Uint32Array;
  readonly currency: Uint32Array;
  readonly inverse: Uint8Array;
  /** Profit at a relative price s is slope s - level: of an inverse row in USD, of a linear one in its currency at the start. */
  readonly slope: Float64Array;
  readonly level: Float64Array;
  /** Notional at the start, USD: of an inverse row it stays. */
  readonly notional: Float64Array;
  /** Sign of the position. */
  readonly side: Float64Array;
  /** USD of a unit of the tiers at the start: the asset's price for coins, 1 for USD. */
  readonly unit: Float64Array;
  readonly coin: Uint8Array;
  /** Tiers of row i: places tierFirst[i] .. tierFirst[i + 1] - 1. */
  readonly tierFirst: Uint32Array;
  readonly tierFrom: Float64Array;
  readonly tierRate: Float64Array;
  readonly tierDeduction: Float64Array;
  /** USD of an hour; infinite without a limit. */
  readonly depth: Float64Array;
  /** The sizes of all slopes of E - M are at most so much of the notionals, and so much of the sizes of the values of the currencies. */
  readonly slopeOfNotionals: number;
  readonly slopeOfValues: number;
  /** Fee that is set aside with the maintenance margin, a fraction of the notional. */
  readonly reserved: number;
}

/** @param assets number of assets of the scenarios */
export function prepareAccount(product: AccountProduct, assets: number): PreparedAccount {
  const { rows, currencies, venue } = product;
  const ofRows = (of: (row: (typeof rows)[number]) => number) => Float64Array.from(rows, of);
  const ofCurrencies = (of: (currency: (typeof currencies)[number]) => number) =>
    Float64Array.from(currencies, of);
  const tiers = rows.flatMap(row => row.tiers);
  const tierFirst = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    tierFirst[i + 1] = tierFirst[i] + row.tiers.length;
  });
  const unitPrice = (row: (typeof rows)[number]) => currencies[row.currency].price;
  const reserved = venue.reserveFee ? venue.feeRate : 0;
  const moves = (currency: (typeof currencies)[number]) => currency.asset < assets;
  const weight = Math.max(...currencies.map(({ debtMarkup }) => 1 + debtMarkup));
  /** A linear profit is worth more as its currency rises; none of them doubles. */
  const ofNotional = (row: (typeof rows)[number]) =>
    row.inverse ? 1 : unitPrice(row) * (moves(currencies[row.currency]) ? 2 : 1);
  return {
    product,
    assets,
    currencyAsset: Uint32Array.from(currencies, ({ asset }) => asset),
    balance: ofCurrencies(({ balance, price }) => balance * price),
    creditWeight: ofCurrencies(({ haircut }) => 1 - haircut),
    debtWeight: ofCurrencies(({ debtMarkup }) => 1 + debtMarkup),
    asset: Uint32Array.from(rows, ({ asset }) => asset),
    currency: Uint32Array.from(rows, ({ currency }) => currency),
    inverse: Uint8Array.from(rows, ({ inverse }) => Number(inverse)),
    slope: ofRows(row =>
      row.inverse
        ? (row.quantity * row.assetPrice) / row.entryPrice
        : row.quantity * row.markPrice * unitPrice(row),
    ),
    level: ofRows(row =>
      row.inverse
        ? (row.quantity * row.assetPrice) / row.markPrice
        : row.quantity * row.entryPrice * unitPrice(row),
    ),
    notional: ofRows(row => Math.abs(exposureOf(row))),
    side: ofRows(({ quantity }) => Math.sign(quantity)),
    unit: ofRows(({ coin, assetPrice }) => (coin ? assetPrice : 1)),
    coin: Uint8Array.from(rows, ({ coin }) => Number(coin)),
    tierFirst,
    tierFrom: Float64Array.from(tiers, ({ from }) => from),
    tierRate: Float64Array.from(tiers, ({ rate }) => rate),
    tierDeduction: Float64Array.from(tiers, ({ deduction }) => deduction),
    depth: ofRows(({ depth }) => depth ?? Number.POSITIVE_INFINITY),
    slopeOfNotionals:
      reserved +
      Math.max(
        ...rows.map(row => weight * ofNotional(row) + Math.max(0, ...row.tiers.map(({ rate }) => rate))),
      ),
    slopeOfValues: currencies.some(moves) ? weight : 0,
    reserved,
  };
}
