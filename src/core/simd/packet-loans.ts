/**
 * Whole packets of loans by the kernel, and their counts for the distribution that a plan asks for.
 *
 * Takes: a kernel with its market and its rules written. Gives: the results of one packet after another at the place of the
 * first result, and the counts. The values of all steps stay in the kernel's memory, and only those that are counted are read.
 */
import { FLAG_CLOSEOUT, FLAG_LIQUIDATION, FLAG_MARGIN_CALL } from '../engine.ts';
import type { DistributionOption } from '../plan/distribution.ts';
import type { LoanProduct } from '../plan/simulation-plan.ts';
import { LoanCounts, logRatio } from '../product/path-counts.ts';
import { type Kernel, LANES, pathBytes } from './kernel.ts';

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
  readonly domain: 'ratio' | 'ln';
  private readonly counter: LoanCounts;
  private readonly nominal: number;
  /** Where the values begin, in singles: to ask the kernel for an address costs as much as ten steps. */
  private readonly values: number;

  constructor(kernel: Kernel, product: LoanProduct, domain: 'ratio' | 'ln', option: DistributionOption) {
    kernel.reserve(pathBytes(product.steps));
    this.kernel = kernel;
    this.product = product;
    this.domain = domain;
    this.counter = new LoanCounts(product.steps, option);
    this.nominal = Math.log(product.nominalRatio);
    this.values = kernel.exports.PATHS.value / Float32Array.BYTES_PER_ELEMENT;
  }

  get counts(): Float64Array {
    return this.counter.counts;
  }

  /** Follows the packet that begins with a path. */
  simulate(path: number): void {
    const { steps, topUpSteps } = this.product;
    this.kernel.exports.simulatePaths(path, steps, false, topUpSteps);
  }

  /** Counts one lane of the packet. @param lowest,final in the domain of the path */
  count(lane: number, lowest: number, final: number, { flags, endStep, marginCall }: LoanEnd): void {
    const { counter, domain, nominal, values } = this;
    const { singles } = this.kernel;
    const { fan } = counter;
    counter.addEnds(logRatio(this, nominal, lowest), logRatio(this, nominal, final));
    const before = values - LANES + lane;
    for (let time = 0; time < fan.length; time++) {
      const value = singles[before + LANES * fan[time]];
      counter.addFan(time, nominal + (domain === 'ln' ? value : Math.log(value)));
    }
    if (flags === 0) return;
    let callStep = 0;
    if (flags & FLAG_MARGIN_CALL) {
      callStep = 1;
      while (singles[before + LANES * callStep] >= marginCall) callStep++;
    }
    counter.addEvents({
      callStep,
      liquidationStep: flags & FLAG_LIQUIDATION ? endStep : 0,
      closeoutStep: flags & FLAG_CLOSEOUT ? endStep : 0,
    });
  }
}
