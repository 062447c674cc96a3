/** Writes the terms of an account, and the law of the hours of its paths, to the kernel: the places of kernel/account.ts. */
import type { HourLaw } from '../account/hour-law.ts';
import type { PreparedAccount } from '../account/prepared-account.ts';
import { REACH } from '../account/touch.ts';
import type { Kernel } from './kernel.ts';

const WORD_BYTES = Float32Array.BYTES_PER_ELEMENT;
const INVERSE = 1;
const IN_COINS = 2;

/** Addresses of what the terms name, and the units of amounts. */
interface AccountPlaces {
  /** Rows of the product in the order of the kernel. */
  readonly order: readonly number[];
  /** Address of whether anything settles in each hour, and of the settlements of each interval. */
  readonly dues: number;
  readonly dueBytes: ReadonlyMap<number, number>;
  readonly tiers: number;
  readonly gains: number;
  readonly leverage: number;
  /** Factors of the prices at the start; USD last. */
  readonly shock: Float64Array;
  /** USD of a unit of the kernel. */
  readonly equity: number;
}

/** Writes rows, tiers, currencies and numbers of an account. */
export function writeAccount(kernel: Kernel, prepared: PreparedAccount, places: AccountPlaces): void {
  const { order, dues, dueBytes, shock, equity } = places;
  const { singles, integers, exports } = kernel;
  const { currencies, rows, venue, bridgeVariance, marginCallRatio, debitsOnly } = prepared.product;
  const gainsOf = (asset: number) => places.gains + asset * exports.GAIN_BYTES.value;
  const rowBytes = exports.ACCOUNT_ROW_BYTES.value;
  let tierAt = places.tiers / WORD_BYTES;
  order.forEach((i, place) => {
    const { asset, currency, inverse, coin, fundingRate, fundingIntervalHours } = rows[i];
    const { asset: currencyAsset, price } = currencies[currency];
    const ofUnit = inverse ? 1 : shock[currencyAsset];
    const at = (exports.ACCOUNT_ROWS.value + place * rowBytes) / WORD_BYTES;
    const slope = (prepared.slope[i] * shock[asset] * ofUnit) / equity;
    // A linear row settles units of its quote currency for a USD of its notional, an inverse one USD.
    const funding = -prepared.side[i] * fundingRate * (inverse ? 1 : price * shock[currencyAsset]);
    integers[at] = gainsOf(asset);
    singles[at + 1] = slope;
    singles[at + 2] = slope - (prepared.level[i] * ofUnit) / equity;
    singles[at + 3] = (prepared.notional[i] * (inverse ? 1 : shock[asset])) / equity;
    singles[at + 4] = debitsOnly && funding > 0 ? 0 : funding;
    integers[at + 5] = dueBytes.get(fundingIntervalHours)!;
    integers[at + 6] = (inverse ? INVERSE : 0) + (coin ? IN_COINS : 0);
    integers[at + 7] = tierAt * WORD_BYTES;
    const deductionUnit = coin ? prepared.unit[i] * shock[asset] : 1;
    for (let k = prepared.tierFirst[i]; k < prepared.tierFirst[i + 1]; k++) {
      singles[tierAt++] = prepared.tierRate[k];
      singles[tierAt++] = (prepared.tierDeduction[k] * deductionUnit) / equity;
    }
    integers[at + 8] = tierAt * WORD_BYTES;
    integers[at + 9] = asset * kernel.vectorBytes;
  });
  const currencyBytes = exports.ACCOUNT_CURRENCY_BYTES.value;
  let rowsEnd = 0;
  currencies.forEach(({ asset }, c) => {
    rowsEnd += rows.filter(({ currency }) => currency === c).length;
    const at = (exports.ACCOUNT_CURRENCIES.value + c * currencyBytes) / WORD_BYTES;
    integers[at] = gainsOf(asset);
    integers[at + 1] = exports.ACCOUNT_ROWS.value + rowsEnd * rowBytes;
    singles[at + 2] = prepared.creditWeight[c];
    singles[at + 3] = prepared.debtWeight[c];
    integers[at + 4] = asset * kernel.vectorBytes;
  });
  const at = exports.ACCOUNT.value / WORD_BYTES;
  integers[at] = Number(venue.strict);
  singles[at + 1] = 1 / marginCallRatio;
  singles[at + 2] = prepared.reserved;
  singles[at + 3] = bridgeVariance;
  singles[at + 4] = REACH * Math.sqrt(bridgeVariance);
  integers[at + 5] = exports.ACCOUNT_CURRENCIES.value + currencies.length * currencyBytes;
  integers[at + 6] = places.gains;
  integers[at + 7] = dues;
  integers[at + 8] = places.leverage;
}

/** Writes correlations and deviations of the hours. */
export function writeHourLaw(kernel: Kernel, { correlation, scale }: HourLaw): void {
  const assets = scale.length;
  const { exports, singles } = kernel;
  for (let i = 0; i < assets; i++) {
    const row = (exports.CORRELATION.value + i * exports.CORRELATION_ROW_BYTES.value) / WORD_BYTES;
    singles.set(correlation.subarray(i * assets, (i + 1) * assets), row);
    kernel.put(exports.HOUR_SCALE, i, scale[i]);
    // Models without days leave them.
    kernel.put(exports.DAY_ROOTS, 2 * i, 1);
    kernel.put(exports.DAY_ROOTS, 2 * i + 1, 1);
  }
}
