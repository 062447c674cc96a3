/** Whole paths by the kernel, a packet at a time, for the products that follow a path in TypeScript. */
import { assetPair } from '../plan/ratio-path.ts';
import type { Portfolio, Scenarios } from '../plan/simulation-plan.ts';
import type { PortfolioPaths, StepValues } from '../product/paths.ts';
import type { Kernel } from './kernel.ts';
import { type PacketWeights, packetOf, packetWeights } from './packet-weights.ts';
import { NO_RULES, writeMarket, writeRules } from './parameters.ts';

const RATIO = 0;
const COLLATERAL = 1;
const LOAN = 2;

/** Paths by the kernel; cheapest when simulated one after the other. */
export class PacketPaths implements PortfolioPaths {
  readonly domain: 'ratio' | 'ln';
  minimum = 0;
  private readonly steps: number;
  /** Singles of an array of the packet. */
  private readonly arrayLength: number;
  /** Place of the values of the packet in singles, read once: an address of the kernel costs as much as ten steps. */
  private readonly firstValue: number;
  /** Copies of the path's arrays, and which of them are of the current path. */
  private readonly copies: readonly Float64Array[];
  private readonly fresh = [false, false, false];
  private readonly weights: PacketWeights | undefined;
  private firstOfPacket = Number.NEGATIVE_INFINITY;
  private lane = 0;

  /** @param amounts whether C and L of a pair are wanted beside their ratio */
  constructor(
    private readonly kernel: Kernel,
    {
      scenarios,
      seed,
      product,
    }: {
      readonly scenarios: Scenarios;
      readonly seed: number;
      readonly product: { readonly portfolio: Portfolio; readonly steps: number };
    },
    private readonly amounts: boolean,
  ) {
    const { portfolio, steps } = product;
    this.steps = steps;
    kernel.reserve(kernel.pathBytes(steps));
    this.domain = writeMarket(kernel, scenarios, portfolio, seed, kernel.pathBytes(steps));
    this.arrayLength = kernel.pathArrayBytes(steps) / Float32Array.BYTES_PER_ELEMENT;
    this.firstValue = kernel.exports.PATHS.value / Float32Array.BYTES_PER_ELEMENT;
    this.weights = packetWeights(kernel, scenarios, assetPair(portfolio));
    writeRules(kernel, NO_RULES);
    const amountSteps = amounts || this.domain === 'ratio' ? steps : 0;
    this.copies = [steps, amountSteps, amountSteps].map(length => new Float64Array(length));
  }

  get weight(): number | undefined {
    return this.weights?.of(this.lane);
  }

  get ratio(): Float64Array {
    return this.copy(RATIO);
  }

  get made(): StepValues {
    const { singles, lanes } = this.kernel;
    return { values: singles, first: this.firstValue + this.lane - lanes, stride: lanes };
  }

  get collateral(): Float64Array {
    return this.copy(COLLATERAL);
  }

  get loan(): Float64Array {
    return this.copy(LOAN);
  }

  collateralAt(step: number): number {
    return this.amountAt(COLLATERAL, step);
  }

  loanAt(step: number): number {
    return this.amountAt(LOAN, step);
  }

  simulate(path: number): void {
    const { kernel, steps, amounts, fresh } = this;
    if (path < this.firstOfPacket || path >= this.firstOfPacket + kernel.lanes) {
      this.firstOfPacket = packetOf(path);
      kernel.exports.simulatePaths(this.firstOfPacket, steps, amounts, 0);
    }
    this.lane = path - this.firstOfPacket;
    this.minimum = kernel.singles[kernel.exports.RESULTS.value / Float32Array.BYTES_PER_ELEMENT + this.lane];
    fresh.fill(false);
  }

  private amountAt(array: number, step: number): number {
    const { singles, lanes } = this.kernel;
    return singles[this.firstValue + array * this.arrayLength + (step - 1) * lanes + this.lane];
  }

  /** An array of the path, copied when it is first read. */
  private copy(array: number): Float64Array {
    const out = this.copies[array];
    if (!this.fresh[array] && out.length > 0) {
      this.kernel.copyPath(array, this.lane, this.steps, out);
      this.fresh[array] = true;
    }
    return out;
  }
}
