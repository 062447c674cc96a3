/** Writes the terms of an account, and the law of the hours of its paths, to the kernel: the places of kernel/account.ts. */
import type { HourLaw } from '../account/hour-law.ts';
import { type AccountUnits, inUnits, processNumbers } from '../account/in-units.ts';
import type { PreparedAccount } from '../account/prepared-account.ts';
import { REACH, REACH_OF_ROOT } from '../account/touch.ts';
import type { AccountProduct } from '../plan/product/account.ts';
import type { Kernel } from './kernel.ts';

const WORD_BYTES = Float32Array.BYTES_PER_ELEMENT;
const INVERSE = 1;
const IN_COINS = 2;
const PREMIUM = 1;
const LINEAR_WEIGHTS = 2;
const OF_RETURNS = 4;

/** Addresses of what the terms name, and the units of amounts. */
interface AccountPlaces extends AccountUnits {
  /** Rows of the product in the order of the kernel. */
  readonly order: readonly number[];
  /** Address of whether anything settles in each hour, and of the settlements of each interval. */
  readonly dues: number;
  readonly dueBytes: ReadonlyMap<number, number>;
  readonly tiers: number;
  readonly gains: number;
  readonly leverage: number;
  readonly funding: FundingPlaces;
}

/** Addresses of the processes of funding, of the state of the first, two vectors, and of its rates over a block. */
export interface FundingPlaces {
  readonly processes: number;
  readonly states: number;
  readonly rates: number;
  readonly ratesBytes: number;
}

/** Writes rows, tiers, currencies and numbers of an account. */
export function writeAccount(kernel: Kernel, prepared: PreparedAccount, places: AccountPlaces): void {
  const { order, dues, dueBytes } = places;
  const { singles, integers, exports } = kernel;
  const { venue, bridgeVariance, marginCallRatio, feedLagHours, debitsOnly, processes } = prepared.product;
  const { funding: drawn } = places;
  const { rows, currencies } = inUnits(prepared, places);
  const gainsOf = (asset: number) => places.gains + asset * exports.GAIN_BYTES.value;
  const rowBytes = exports.ACCOUNT_ROW_BYTES.value;
  let tierAt = places.tiers / WORD_BYTES;
  order.forEach((i, place) => {
    const { asset, slope, start, size, funding, fundingIntervalHours, inverse, coin, tiers, process } =
      rows[i];
    const at = (exports.ACCOUNT_ROWS.value + place * rowBytes) / WORD_BYTES;
    integers[at] = gainsOf(asset);
    singles.set([slope, start, size, funding], at + 1);
    integers[at + 5] = dueBytes.get(fundingIntervalHours)!;
    integers[at + 6] = (inverse ? INVERSE : 0) + (coin ? IN_COINS : 0);
    integers[at + 7] = tierAt * WORD_BYTES;
    for (const { rate, deduction } of tiers) {
      singles[tierAt++] = rate;
      singles[tierAt++] = deduction;
    }
    integers[at + 8] = tierAt * WORD_BYTES;
    integers[at + 9] = asset * kernel.vectorBytes;
    integers[at + 10] = process === undefined ? 0 : drawn.rates + process * drawn.ratesBytes;
  });
  const currencyBytes = exports.ACCOUNT_CURRENCY_BYTES.value;
  let rowsEnd = 0;
  currencies.forEach(({ asset, credit, debt }, c) => {
    rowsEnd += rows.filter(({ currency }) => currency === c).length;
    const at = (exports.ACCOUNT_CURRENCIES.value + c * currencyBytes) / WORD_BYTES;
    integers[at] = gainsOf(asset);
    integers[at + 1] = exports.ACCOUNT_ROWS.value + rowsEnd * rowBytes;
    singles[at + 2] = credit;
    singles[at + 3] = debt;
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
  integers[at + 11] = feedLagHours * kernel.vectorBytes;
  integers[at + 12] = Number(debitsOnly);
  integers[at + 13] = drawn.processes;
  integers[at + 14] = drawn.processes + processes.length * exports.PROCESS_BYTES.value;
  singles[at + 15] = REACH_OF_ROOT * Math.sqrt(bridgeVariance);
  singles[at + 16] = prepared.slopeOfNotionals;
  singles[at + 17] = prepared.slopeOfValues;
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

/** Writes the processes of funding, after the market. */
export function writeProcesses(
  kernel: Kernel,
  { processes }: AccountProduct,
  { scale, isOfNormals }: HourLaw,
  places: FundingPlaces,
): void {
  const { exports, singles, integers } = kernel;
  const { FACTOR, FACTOR_ROW_BYTES, PROCESS_BYTES } = exports;
  /** The length of a row of the factor, of which the hours of an asset are made. */
  const lengthOf = (asset: number) => {
    const row = (FACTOR.value + asset * FACTOR_ROW_BYTES.value) / WORD_BYTES;
    return Math.hypot(...scale.subarray(0, asset + 1).map((_, j) => singles[row + j * kernel.lanes]));
  };
  processes.forEach((process, j) => {
    const { asset, rank, intervalHours, linearWeights } = process;
    const numbers = processNumbers(process);
    const { phi, byReturn, byNormal, mean, start, perWeight } = numbers;
    const { interest, clamp, eights, cap, lowest, highest } = numbers;
    const unit = isOfNormals ? lengthOf(asset) : scale[asset] / Math.LN2;
    const at = (places.processes + j * PROCESS_BYTES.value) / WORD_BYTES;
    integers[at] = asset;
    integers[at + 1] = rank;
    integers[at + 2] =
      (numbers.isPremium ? PREMIUM : 0) +
      (linearWeights ? LINEAR_WEIGHTS : 0) +
      (isOfNormals ? 0 : OF_RETURNS);
    integers[at + 3] = intervalHours;
    singles.set([unit === 0 ? 0 : 1 / unit, phi, byReturn, byNormal, mean, start, perWeight], at + 4);
    singles.set([interest, clamp, eights, cap, lowest, highest], at + 11);
    integers[at + 17] = places.states + 2 * j * kernel.vectorBytes;
    integers[at + 18] = places.rates + j * places.ratesBytes;
  });
}
