/**
 * The horizons of value at risk by the kernel, many packets of paths at a time; twin of the horizons in src/core/reference/. The kernel
 * returns the gains of the baskets since the start; the start is added here, in double precision.
 */
import { DAYS_PER_YEAR } from '../plan/grid.ts';
import { MODELS } from '../plan/models.ts';
import { sumOfWeights } from '../plan/ratio-path.ts';
import type { SimulationPlan, ValueAtRiskProduct } from '../plan/simulation-plan.ts';
import type { HorizonPaths } from '../product/paths.ts';
import type { Kernel } from './kernel.ts';
import { writeHorizonMarket } from './parameters.ts';

/** Bytes of gains of a call: they fit the second cache. */
const BYTES_AT_ONCE = 131072;

/** Steps of a day or an hour of an asset in a call: some milliseconds of the kernel. */
const STEPS_AT_ONCE = 2 ** 19;

/** Horizons by the kernel; cheapest when simulated one path after the other. */
export class PacketHorizons implements HorizonPaths {
  readonly collateral: Float64Array;
  readonly loan: Float64Array;
  readonly together: number;
  private readonly packets: number;
  /** Singles of one array of the kernel: a vector for each horizon, in whole draw groups. */
  private readonly arrayLength: number;
  /** Place of the gains in singles, read once: an address of the kernel costs as much as a path. */
  private readonly gains: number;
  private readonly startOfCollateral: number;
  private readonly startOfLoan: number;
  private firstPath = Number.NEGATIVE_INFINITY;

  /** @param horizons how many of the plan's horizons are wanted, the first ones */
  constructor(
    private readonly kernel: Kernel,
    plan: SimulationPlan<ValueAtRiskProduct>,
    horizons: number,
  ) {
    const { product, scenarios, seed } = plan;
    const { portfolio, horizonYears } = product;
    this.collateral = new Float64Array(horizons);
    this.loan = new Float64Array(horizons);
    const arrayVectors = kernel.pathArrayBytes(horizons) / kernel.vectorBytes;
    this.arrayLength = arrayVectors * kernel.lanes;
    const fitting = BYTES_AT_ONCE / (2 * kernel.pathArrayBytes(horizons));
    const walked = scenarios.assets * stepsWalked(plan, horizons);
    this.packets = Math.max(1, Math.floor(Math.min(fitting, STEPS_AT_ONCE / (kernel.lanes * walked))));
    this.together = kernel.lanes * this.packets;
    this.startOfCollateral = sumOfWeights(portfolio.collateralWeights);
    this.startOfLoan = sumOfWeights(portfolio.loanWeights);
    const bytes = (2 + 2 * this.packets) * kernel.pathArrayBytes(horizons);
    kernel.reserve(bytes);
    const { PATHS } = kernel.exports;
    this.gains = PATHS.value / Float32Array.BYTES_PER_ELEMENT + 2 * this.arrayLength;
    for (let k = 0; k < arrayVectors; k++) {
      const years = k < horizons ? horizonYears[k] - (k === 0 ? 0 : horizonYears[k - 1]) : 0;
      kernel.put(PATHS, k, years);
      kernel.put(PATHS, arrayVectors + k, Math.sqrt(years));
    }
    writeHorizonMarket(kernel, scenarios, { product, count: horizons }, seed, bytes);
  }

  simulate(path: number): void {
    const { kernel, packets, arrayLength, collateral, loan, startOfCollateral, startOfLoan } = this;
    if (path < this.firstPath || path >= this.firstPath + kernel.lanes * packets) {
      kernel.exports.simulateHorizons(path, packets, collateral.length);
      this.firstPath = path;
    }
    const { singles, lanes } = kernel;
    const place = path - this.firstPath;
    let at = this.gains + 2 * arrayLength * Math.floor(place / lanes) + (place % lanes);
    for (let k = 0; k < collateral.length; k++, at += lanes) {
      collateral[k] = startOfCollateral + singles[at];
      loan[k] = startOfLoan + singles[at + arrayLength];
    }
  }
}

/** Steps of an asset on a path to the last wanted horizon. */
function stepsWalked({ product, scenarios }: SimulationPlan<ValueAtRiskProduct>, horizons: number): number {
  if (MODELS[scenarios.kind].walkedPerDay === 0) return horizons;
  return product.horizonSteps[horizons - 1] ?? DAYS_PER_YEAR * product.horizonYears[horizons - 1];
}
