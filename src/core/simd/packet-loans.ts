/**
 * Loans by the kernel with their counts for the distribution that a plan asks for.
 *
 * Takes: a kernel with its market and its rules written. Gives: the results of all packets, as without counts, and the counts. The
 * kernel counts the ratios of a block of steps before it walks the next (wasm/counts.ts).
 */
import { countsLayout, type DistributionOption, RATIO_SLOTS } from '../plan/distribution.ts';
import { LOAN_SECTIONS, type LoanProduct } from '../plan/product/loan.ts';
import type { PathRange } from '../plan/records.ts';
import { type EventSteps, LoanCounts } from '../product/path-counts.ts';
import { addEntries, FanRows } from './fan-rows.ts';
import type { Kernel } from './kernel.ts';

/** Rows of the kernel's counts before the fan: the lowest ratio. */
const ROWS_BEFORE = 1;

/** Bytes that the counts take, in whole vectors. */
export function countedBytes(kernel: Kernel, steps: number): number {
  return new FanRows(kernel, steps, ROWS_BEFORE).bytes;
}

export class PacketLoans {
  private readonly kernel: Kernel;
  private readonly product: LoanProduct;
  private readonly option: DistributionOption;
  private readonly isLog: boolean;
  private readonly counter: LoanCounts;
  private readonly fan: FanRows;
  private readonly behind: number;

  /**
   * @param behind bytes of paths, behind which the counts lie
   * @param tally counts of other paths, which are added to; none where absent
   */
  constructor(
    kernel: Kernel,
    product: LoanProduct,
    isLog: boolean,
    option: DistributionOption,
    behind: number,
    tally: Uint32Array | undefined,
  ) {
    this.kernel = kernel;
    this.product = product;
    this.option = option;
    this.isLog = isLog;
    this.counter = new LoanCounts(product.steps, option, tally);
    this.fan = new FanRows(kernel, product.steps, ROWS_BEFORE);
    this.behind = behind;
  }

  /** Follows the loans of a range and counts their ratios. */
  run({ first, count }: PathRange): void {
    const { kernel, fan, isLog } = this;
    const { steps, topUpSteps, nominalRatio } = this.product;
    kernel.reserve(this.behind + countedBytes(kernel, steps));
    const lowest = fan.place(kernel, kernel.exports.PATHS.value + this.behind, {
      nominal: Math.log(nominalRatio),
      areLogs: isLog,
      unitOfLog: 1,
    });
    kernel.exports.runCountedLoans(first, count, steps, topUpSteps, lowest);
  }

  /** Counts what happened to one loan. */
  addEvents(events: EventSteps): void {
    this.counter.addEvents(events);
  }

  /** The counts of all, those of what was run included. */
  together(): Uint32Array {
    const { counts } = this.counter;
    const { places } = countsLayout(LOAN_SECTIONS, this.product.steps, this.option);
    const rows = this.fan.all(this.kernel);
    addEntries(counts, places.lowest.first, rows.subarray(0, RATIO_SLOTS));
    addEntries(counts, places.fan.first, rows.subarray(ROWS_BEFORE * RATIO_SLOTS));
    // The last time of the fan is the end of the term.
    addEntries(counts, places.final.first, rows.subarray(rows.length - RATIO_SLOTS));
    return counts;
  }
}
