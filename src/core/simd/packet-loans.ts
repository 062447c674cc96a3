/**
 * Whole packets of loans by the kernel, and their counts for the distribution that a plan asks for.
 *
 * Takes: a kernel with its market and its rules written. Gives: the results of one packet after another at the place of the
 * first result, and the counts. The values of all steps stay in the kernel's memory, where it counts the ratios (wasm/counts.ts).
 */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '../engine.ts';
import { countsLayout, type DistributionOption, fanSteps, RATIO_SLOTS } from '../plan/distribution.ts';
import { LOAN_SECTIONS, type LoanProduct } from '../plan/product/loan.ts';
import { LoanCounts } from '../product/path-counts.ts';
import { type Kernel, LANES, pathBytes } from './kernel.ts';

const WORD_BYTES = 4;
const VECTOR_BYTES = LANES * WORD_BYTES;

/** Rows of the kernel's counts: the lowest ratio, then the fan, whose last time is the end of the term. */
const rowsOf = (steps: number) => 1 + fanSteps(steps).length;

/** Bytes behind PATHS that whole paths and their counts take, in whole vectors: a model's table stands behind them. */
export function countedBytes(steps: number): number {
  const counts = WORD_BYTES * rowsOf(steps) * (1 + RATIO_SLOTS);
  return pathBytes(steps) + VECTOR_BYTES * Math.ceil(counts / VECTOR_BYTES);
}

/** What became of a loan. */
interface LoanEnd {
  readonly flags: number;
  readonly endStep: number;
  /** Threshold of the path's value, which was undercut if the flags say so. */
  readonly marginCall: number;
}

export class PacketLoans {
  private readonly kernel: Kernel;
  private readonly product: LoanProduct;
  private readonly option: DistributionOption;
  private readonly isLog: boolean;
  private readonly counter: LoanCounts;
  private readonly rows: number;
  /** Addresses in the kernel: of the values, of the offsets of those that are counted, and of the counts. */
  private readonly values: number;
  private readonly offsets: number;
  private readonly rowCounts: number;

  constructor(kernel: Kernel, product: LoanProduct, isLog: boolean, option: DistributionOption) {
    const { PATHS, RESULTS } = kernel.exports;
    const fan = fanSteps(product.steps);
    this.kernel = kernel;
    this.product = product;
    this.option = option;
    this.isLog = isLog;
    this.counter = new LoanCounts(product.steps, option);
    this.rows = rowsOf(product.steps);
    const arrayBytes = pathBytes(product.steps);
    const countBytes = WORD_BYTES * this.rows * RATIO_SLOTS;
    kernel.reserve(countedBytes(product.steps));
    this.values = PATHS.value;
    this.offsets = this.values + arrayBytes;
    this.rowCounts = this.offsets + WORD_BYTES * this.rows;
    const first = this.offsets / WORD_BYTES;
    // The lowest value is the first of a packet's results, which lie before its values: offsets are taken modulo 2^32.
    kernel.integers[first] = RESULTS.value - PATHS.value;
    for (const [time, step] of fan.entries()) kernel.integers[first + 1 + time] = VECTOR_BYTES * (step - 1);
    kernel.integers.fill(0, this.rowCounts / WORD_BYTES, (this.rowCounts + countBytes) / WORD_BYTES);
  }

  /** The counts of all packets so far. */
  get counts(): Float64Array {
    const { counts } = this.counter;
    const { places } = countsLayout(LOAN_SECTIONS, this.product.steps, this.option);
    const begin = this.rowCounts / WORD_BYTES;
    const row = (from: number, to: number) =>
      this.kernel.integers.subarray(begin + from * RATIO_SLOTS, begin + to * RATIO_SLOTS);
    counts.set(row(0, 1), places.lowest.first);
    counts.set(row(this.rows - 1, this.rows), places.final.first);
    counts.set(row(1, this.rows), places.fan.first);
    return counts;
  }

  /** Follows the packet that begins with a path, and counts the ratios of its first lanes. */
  simulate(path: number, lanes: number): void {
    const { kernel, values, offsets, rows, rowCounts, isLog } = this;
    const { steps, topUpSteps, nominalRatio } = this.product;
    kernel.exports.simulatePaths(path, steps, false, topUpSteps);
    kernel.exports.countRatios(values, offsets, rows, rowCounts, Math.log(nominalRatio), isLog, lanes);
  }

  /** Counts what happened to the loan of one lane. */
  count(lane: number, { flags, endStep, marginCall }: LoanEnd): void {
    if (flags === 0) return;
    const { singles } = this.kernel;
    const before = this.values / WORD_BYTES - LANES + lane;
    let callStep = 0;
    if (flags & FLAG_MARGIN_CALL) {
      callStep = 1;
      while (singles[before + LANES * callStep] >= marginCall) callStep++;
    }
    this.counter.addEvents({
      callStep,
      liquidationStep: flags & FLAG_LIQUIDATION ? endStep : 0,
      closeoutStep: flags & FLAG_CLOSEOUT ? endStep : 0,
    });
  }
}
