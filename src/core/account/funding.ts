/** Funding of an account along a path: rates that are given, or drawn by a process (docs/accounts.md, "Funding that moves"). */
import type { AccountProduct, FundingProcess } from '../plan/product/account.ts';
import { settlementsPerStep } from '../plan/product/perpetual.ts';
import { threefry4x32, type Words4 } from '../random/threefry.ts';
import { normalsOfWords } from '../random/word-normals.ts';

/** Second key word of this stream: "fund" in ASCII. */
export const FUNDING_KEY = 0x66756e64;
/** Largest size of an hour's standardised return that moves a premium. */
const MOST_RETURN = 5;
/** Hours of the interest and of a premium. */
export const HOURS_OF_PREMIUM = 8;

const within = (value: number, size: number) => Math.min(size, Math.max(-size, value));

/** The rates of the processes of an account along a path. */
export class FundingPaths {
  /** Settlements that fall into each hour, per row; index t - 1. */
  readonly due: readonly Uint32Array[];
  /** Whether any row settles in each hour. */
  readonly anyDue: Uint8Array;
  /** Per process: the rate of the settlement at hour t, at index t - 1. */
  readonly rates: readonly Float64Array[];
  private readonly z: readonly Float64Array[];
  /** Words of four hours, counted from 0, of a process on the path in hand. */
  private words: Words4 = [0, 0, 0, 0];
  private block = -1;

  constructor(
    private readonly product: AccountProduct,
    private readonly seed: number,
    assets: number,
  ) {
    const { rows, processes, steps } = product;
    // Rows of one interval share their list.
    const byInterval = new Map<number, Uint32Array>();
    this.due = rows.map(({ fundingIntervalHours: hours }) => {
      const due = byInterval.get(hours) ?? settlementsPerStep(steps, hours);
      byInterval.set(hours, due);
      return due;
    });
    this.anyDue = Uint8Array.from({ length: steps }, (_, t) =>
      Number([...byInterval.values()].some(due => due[t] > 0)),
    );
    this.rates = processes.map(() => new Float64Array(steps));
    this.z = processes.length === 0 ? [] : Array.from({ length: assets }, () => new Float64Array(steps));
  }

  /** Draws the rates of a path. @param normals writes the standardised returns of its hours */
  start(path: number, normals: (steps: number, z: readonly Float64Array[]) => void): void {
    const { processes, steps } = this.product;
    if (processes.length === 0) return;
    normals(steps, this.z);
    processes.forEach((process, j) => {
      const z = this.z[process.asset];
      this.block = -1;
      if (process.of === 'rate') this.drawRates(path, process, z, this.rates[j]);
      else this.drawPremium(path, process, z, this.rates[j]);
    });
  }

  /** The shock of an hour, from 0. @param z return that it follows */
  private shock(path: number, { correlation, rank }: FundingProcess, hour: number, z: number): number {
    const block = hour >>> 2;
    if (block !== this.block) {
      this.block = block;
      this.words = threefry4x32([path, block, rank, 0], [this.seed, FUNDING_KEY, 0, 0]);
    }
    const pair = hour & 1;
    const y = normalsOfWords(this.words[pair], this.words[2 + pair])[(hour >>> 1) & 1];
    return correlation * z + Math.sqrt(1 - correlation * correlation) * y;
  }

  private drawRates(path: number, process: FundingProcess, z: Float64Array, rates: Float64Array): void {
    const { mean, deviation, phi, start, intervalHours, cap = Number.POSITIVE_INFINITY } = process;
    let rate = start;
    for (let t = intervalHours; t <= rates.length; t += intervalHours) {
      let sum = 0;
      for (let hour = t - intervalHours; hour < t; hour++) sum += z[hour];
      const e = this.shock(path, process, t - 1, sum / Math.sqrt(intervalHours));
      rate = within(mean + phi * (rate - mean) + deviation * Math.sqrt(1 - phi * phi) * e, cap);
      rates[t - 1] = rate;
    }
  }

  private drawPremium(path: number, process: FundingProcess, z: Float64Array, rates: Float64Array): void {
    const { mean, deviation, phi, start, intervalHours, interest, clamp, linearWeights } = process;
    const { cap = Number.POSITIVE_INFINITY } = process;
    let premium = start;
    let sum = 0;
    let weights = 0;
    for (let t = 1; t <= rates.length; t++) {
      const e = this.shock(path, process, t - 1, within(z[t - 1], MOST_RETURN));
      premium = mean + phi * (premium - mean) + deviation * Math.sqrt(1 - phi * phi) * e;
      const weight = linearWeights ? 1 + ((t - 1) % intervalHours) : 1;
      sum += weight * premium;
      weights += weight;
      if (t % intervalHours !== 0) continue;
      rates[t - 1] = settledRate(sum / weights, { interest, clamp, cap, intervalHours });
      sum = 0;
      weights = 0;
    }
  }
}

/** The rate of a settlement. @param premium mean of its hours, per 8 hours */
export const settledRate = (
  premium: number,
  {
    interest,
    clamp,
    cap,
    intervalHours,
  }: Pick<FundingProcess, 'interest' | 'clamp' | 'intervalHours'> & {
    readonly cap: number;
  },
): number => within(((premium + within(interest - premium, clamp)) * intervalHours) / HOURS_OF_PREMIUM, cap);
