/**
 * The prices of all assets along four paths at a time by the kernel, for books; twin of SimulatedPrices in
 * src/engine/reference/asset-prices.ts.
 *
 * Takes: scenarios. Gives: prices in single precision, and where they lie in the kernel's memory. Must not know: loans.
 */
import type { Scenarios } from '../plan/simulation-plan.ts';
import type { AssetPrices } from '../product/paths.ts';
import { type Kernel, LANES } from './kernel.ts';
import { writePriceMarket } from './parameters.ts';

const SINGLE_BYTES = Float32Array.BYTES_PER_ELEMENT;
const VECTOR_BYTES = LANES * SINGLE_BYTES;
/** Steps whose extremes the kernel keeps. */
const DAY_STEPS = 24;

/** Bytes of a row of so many singles, in whole vectors. */
const rowBytes = (singles: number) => VECTOR_BYTES * Math.ceil(singles / LANES);

/** Prices by the kernel; cheapest when simulated one path after the other. */
export class PacketPrices implements AssetPrices {
  /** Where what belongs to the loans may begin. */
  readonly end: number;
  private readonly kernel: Kernel;
  private readonly assets: number;
  private readonly steps: number;
  private readonly row: number;
  private readonly at: number;
  private firstOfPacket = Number.NEGATIVE_INFINITY;

  /** @param beside bytes that the caller needs behind the prices */
  constructor(kernel: Kernel, scenarios: Scenarios, seed: number, steps: number, beside = 0) {
    const { assets } = scenarios;
    this.kernel = kernel;
    this.assets = assets;
    this.steps = steps;
    this.row = rowBytes(steps);
    const dayRow = rowBytes(Math.ceil(steps / DAY_STEPS));
    const tableBytes = writePriceMarket(kernel, scenarios, seed);
    const paths = kernel.exports.PATHS.value;
    const at = paths + VECTOR_BYTES * Math.ceil(tableBytes / VECTOR_BYTES);
    const days = at + LANES * assets * this.row;
    const bounds = days + LANES * 2 * assets * dayRow;
    this.at = at;
    this.end = bounds + 2 * assets * VECTOR_BYTES;
    kernel.reserve(this.end - paths + beside);
    kernel.exports.placePrices(at, this.row, days, dayRow, bounds, assets);
  }

  /** Makes a path and the three after it, unless they are there. @returns the lane of the path */
  hold(path: number): number {
    if (path < this.firstOfPacket || path >= this.firstOfPacket + LANES) {
      this.kernel.exports.simulatePrices(path, this.steps);
      this.firstOfPacket = path;
    }
    return path - this.firstOfPacket;
  }

  simulate(path: number, prices: readonly Float64Array[]): void {
    this.copyTo(this.hold(path), prices);
  }

  /** Copies the prices of a lane of the packet that is held. */
  copyTo(lane: number, prices: readonly Float64Array[]): void {
    for (let i = 0; i < this.assets; i++) {
      const from = this.placeOf(lane, i);
      prices[i].set(this.kernel.singles.subarray(from, from + this.steps));
    }
  }

  /** S_i at a step index of a lane of the packet that is held. */
  price(lane: number, asset: number, index: number): number {
    return this.kernel.singles[this.placeOf(lane, asset) + index];
  }

  private placeOf(lane: number, asset: number): number {
    return (this.at + (lane * this.assets + asset) * this.row) / SINGLE_BYTES;
  }
}
